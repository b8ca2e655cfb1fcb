// Tables of text for people.

import { SafeText, printable } from "./safe-text.js";
import { shorten } from "./text.js";

/** The width up to which a column is aligned. A longer cell moves only the rest of its own line: otherwise one long cell would pad all lines. */
const ALIGNED_WIDTH = 64;

/** Characters that take two columns of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const COMBINING = /\p{Mn}|\p{Me}|\p{Cf}/u;
const ONE_COLUMN_EACH = /^[ -~]*$/;

/**
 * The columns of a terminal that a text takes.
 *
 * @param {string} text
 */
export function width(text) {
  if (ONE_COLUMN_EACH.test(text)) return text.length;
  let sum = 0;
  for (const char of text) sum += COMBINING.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return sum;
}

/**
 * @typedef {object} Column
 * @property {string} title Empty titles everywhere: the table has no line of titles.
 * @property {boolean} [right] Whether cells are aligned to the right.
 * @property {number} [most] The most characters of a cell. Longer texts end in "…".
 *
 * @typedef {readonly (string | number | undefined)[]} Row
 */

/**
 * Lines with aligned columns, each ending with a line feed. Cells are made safe for a terminal.
 *
 * @param {readonly Column[]} columns
 * @param {Iterable<Row>} rows They are iterated two times: first to measure them.
 */
export function table(columns, rows) {
  const cellsOf = (/** @type {Row} */ row) =>
    columns.map(({ most = Infinity }, i) => shorten(printable(String(row[i] ?? "")), most));
  const titles = columns.map(({ title }) => title);
  const hasTitles = titles.some((title) => title !== "");
  return new SafeText(function* () {
    const widths = titles.map(width);
    for (const row of rows) {
      for (const [i, cell] of cellsOf(row).entries()) {
        widths[i] = Math.max(widths[i] ?? 0, Math.min(width(cell), ALIGNED_WIDTH));
      }
    }
    const line = (/** @type {readonly string[]} */ cells) => {
      const aligned = cells.map((cell, i) => {
        const space = " ".repeat(Math.max((widths[i] ?? 0) - width(cell), 0));
        return columns[i]?.right ? space + cell : cell + space;
      });
      return `${aligned.join("  ").trimEnd()}\n`;
    };
    if (hasTitles) yield line(titles);
    for (const row of rows) yield line(cellsOf(row));
  });
}

/**
 * A table of names and values, without titles.
 *
 * @param {readonly (readonly [string, string | number | undefined])[]} rows Rows without a value are left out.
 */
export function list(rows) {
  return table(
    [{ title: "" }, { title: "" }],
    rows.filter(([, value]) => value !== undefined),
  );
}
