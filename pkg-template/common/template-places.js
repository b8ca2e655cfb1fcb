// Lines and columns of a chat template, as the errors and the syntax tree of `gguf-wasm/template` have them.

/**
 * A place in a template. Both numbers begin with 1. `\n`, `\r\n` and `\r` end a line, and columns are Unicode characters.
 *
 * @typedef {{ readonly line: number, readonly column: number }} Place
 */

/** Converts between places and offsets in UTF-16 units. */
export class Places {
  /** @type {string} */
  #source;
  /** The offset of the first character of each line. @type {number[]} */
  #lines = [0];

  /** @param {string} source */
  constructor(source) {
    this.#source = source;
    for (const { 0: end, index } of source.matchAll(/\r\n|[\r\n]/g)) this.#lines.push(index + end.length);
  }

  /** The offset of a place. The end of the source if it has no such place. @param {Place} place */
  offsetOf({ line, column }) {
    const source = this.#source;
    let at = this.#lines[line - 1] ?? source.length;
    for (let left = column - 1; left > 0 && at < source.length; left -= 1) at += widthAt(source, at);
    return at;
  }

  /** @param {number} offset @returns {Place} */
  placeOf(offset) {
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    let column = 1;
    for (let at = this.#lines[low] ?? 0; at < offset; at += widthAt(this.#source, at)) column += 1;
    return { line: low + 1, column };
  }
}

/** The UTF-16 units of the character at an offset. @param {string} text @param {number} at */
const widthAt = (text, at) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
