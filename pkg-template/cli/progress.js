// The progress of long work, on a terminal.

import { size } from "./text.js";

/** The time between two updates in milliseconds, so that the terminal does not slow the work down. */
const INTERVAL = 100;

/** @typedef {{ isTTY?: boolean, columns?: number, write(text: string): unknown }} Terminal */

/** A line on a terminal that says how far the work is. On anything but a terminal it writes nothing. */
export class Progress {
  #stream;
  #title;
  #shown = false;
  #last = 0;

  /**
   * @param {string} title What is done: "Writing model.gguf".
   * @param {Terminal} [stream]
   */
  constructor(title, stream = process.stderr) {
    this.#title = title;
    this.#stream = stream;
  }

  /**
   * @param {number} bytes
   * @param {number} [total] The bytes of the whole work, if they are known.
   */
  update(bytes, total) {
    const now = Date.now();
    if (!this.#stream.isTTY || now - this.#last < INTERVAL) return;
    this.#last = now;
    this.#shown = true;
    const done = total ? `${Math.floor((bytes / total) * 100)} %, ${size(bytes)} of ${size(total)}` : size(bytes);
    const line = `${this.#title}: ${done}`;
    this.#stream.write(`\r${line.slice(0, (this.#stream.columns ?? 80) - 1)}\x1b[K`);
  }

  /** Removes the line. */
  clear() {
    if (this.#shown) this.#stream.write("\r\x1b[K");
    this.#shown = false;
  }
}
