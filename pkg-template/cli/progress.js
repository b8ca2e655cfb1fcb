// The progress of long work, on a terminal.

import { printable } from "./safe-text.js";
import { width } from "./table.js";
import { counted, duration, grouped, size } from "./text.js";

/** The time between two updates in milliseconds, so that the terminal does not slow the work down. */
const INTERVAL = 100;

/** How long nothing happens before the user learns what is waited for, in milliseconds. */
const SILENCE = 10_000;

/** How long a speed is measured before it is shown, in seconds. */
const LEAST_MEASURED = 1;

/** The columns of a terminal that does not say how many it has. */
const COLUMNS = 80;

/** @typedef {{ isTTY?: boolean, columns?: number, write(text: string): unknown }} Terminal */

/** A line on a terminal that says how far the work is. On anything but a terminal it writes nothing, but it notices silence. */
export class Progress {
  #stream;
  #title;
  #shown = false;
  #last = 0;
  #silence;
  /** Where the work began. Its speed and the time that is left follow from it. @type {{ bytes: number, time: number } | undefined} */
  #start;

  /**
   * @param {string} title What is done: "Writing model.gguf".
   * @param {Terminal} stream
   * @param {() => void} [onSilence] Is called if there is no update for a while.
   */
  constructor(title, stream, onSilence) {
    this.#title = printable(title);
    this.#stream = stream;
    this.#silence = onSilence && setTimeout(onSilence, SILENCE).unref();
  }

  /**
   * From now on, the line has the speed and the time that is left.
   *
   * @param {number} bytes How far the work is already.
   */
  measure(bytes) {
    this.#start = { bytes, time: Date.now() };
  }

  /**
   * @param {number} bytes
   * @param {number} [total] The bytes of the whole work, if they are known.
   */
  update(bytes, total) {
    this.#show((now) => {
      const part = total ? `${Math.floor((bytes / total) * 100)} %, ${size(bytes)} of ${size(total)}` : size(bytes);
      return `${part}${this.#speed(bytes, total, now)}`;
    });
  }

  /**
   * For work that is counted in other units than bytes.
   *
   * @param {number} done
   * @param {number} total
   * @param {string} unit One of them: "tensor".
   */
  count(done, total, unit) {
    this.#show(() => `${Math.floor((done / total) * 100)} %, ${grouped(done)} of ${counted(total, unit)}`);
  }

  /** @param {(now: number) => string} text */
  #show(text) {
    this.#silence?.refresh();
    const now = Date.now();
    if (!this.#stream.isTTY || now - this.#last < INTERVAL) return;
    this.#last = now;
    this.#shown = true;
    const done = text(now);
    // Some terminals say that they have no columns. The last column stays free, because some terminals break the line after it.
    this.#stream.write(`\r${cut(`${this.#title}: ${done}`, (this.#stream.columns || COLUMNS) - 1)}\x1b[K`);
  }

  /** @param {number} bytes @param {number | undefined} total @param {number} now */
  #speed(bytes, total, now) {
    if (!this.#start) return "";
    const seconds = (now - this.#start.time) / 1000;
    const done = bytes - this.#start.bytes;
    if (seconds < LEAST_MEASURED || done <= 0) return "";
    const left = total === undefined ? "" : `, ${duration(((total - bytes) * seconds) / done)} left`;
    return `, ${size(Math.round(done / seconds))}/s${left}`;
  }

  /** Removes the line, and ends the progress. */
  clear() {
    clearTimeout(this.#silence);
    this.hide();
  }

  /** Removes the line until the next update. */
  hide() {
    if (this.#shown) this.#stream.write("\r\x1b[K");
    this.#shown = false;
  }
}

/** The start of a text. @param {string} text @param {number} columns The most columns of a terminal that it may take. */
function cut(text, columns) {
  let start = "";
  let taken = 0;
  for (const char of text) {
    taken += width(char);
    if (taken > columns) break;
    start += char;
  }
  return start;
}
