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
  /** The last result. Places are mostly asked for in their order, and lines can be long. */
  #last = { line: 1, column: 1, offset: 0 };

  /** @param {string} source */
  constructor(source) {
    this.#source = source;
    for (const { 0: end, index } of source.matchAll(/\r\n|[\r\n]/g)) this.#lines.push(index + end.length);
  }

  /** The offset of a place. The end of the source if it has no such place. @param {Place} place */
  offsetOf({ line, column }) {
    const source = this.#source;
    const start = this.#lines[line - 1] ?? source.length;
    const last = this.#last;
    const isAfter = last.line === line && last.column <= column;
    let [at, left] = isAfter ? [last.offset, column - last.column] : [start, column - 1];
    for (; left > 0 && at < source.length; left -= 1) at += widthAt(source, at);
    if (left === 0) this.#last = { line, column, offset: at };
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
    const last = this.#last;
    const isAfter = last.line === low + 1 && last.offset <= offset;
    let [at, column] = isAfter ? [last.offset, last.column] : [this.#lines[low] ?? 0, 1];
    for (; at < offset; at += widthAt(this.#source, at)) column += 1;
    this.#last = { line: low + 1, column, offset: at };
    return { line: low + 1, column };
  }
}

/** The UTF-16 units of the character at an offset. @param {string} text @param {number} at */
const widthAt = (text, at) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
