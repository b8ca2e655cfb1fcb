// Tables of text for people.

import { printable, shorten } from "./text.js";

/** Characters that take two columns of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const COMBINING = /\p{Mn}|\p{Me}|\p{Cf}/u;

/**
 * The columns of a terminal that a text takes.
 *
 * @param {string} text
 */
function width(text) {
  let sum = 0;
  for (const char of text) sum += COMBINING.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return sum;
}

/**
 * @typedef {object} Column
 * @property {string} title Empty titles everywhere: the table has no line of titles.
 * @property {boolean} [right] Whether cells are aligned to the right.
 * @property {number} [most] The most characters of a cell. Longer texts end in "…".
 */

/**
 * Lines with aligned columns, each ending with a line feed. Cells are made safe for a terminal.
 *
 * @param {readonly Column[]} columns
 * @param {readonly (readonly (string | number)[])[]} rows
 */
export function table(columns, rows) {
  const titles = columns.map(({ title }) => title);
  const lines = rows.map((row) =>
    columns.map(({ most = Infinity }, i) => shorten(printable(String(row[i] ?? "")), most)),
  );
  if (titles.some((title) => title !== "")) lines.unshift(titles);
  const widths = columns.map((_, i) => lines.reduce((most, line) => Math.max(most, width(line[i] ?? "")), 0));
  return lines
    .map((line) => {
      const cells = line.map((cell, i) => {
        const space = " ".repeat((widths[i] ?? 0) - width(cell));
        return columns[i]?.right ? space + cell : cell + space;
      });
      return `${cells.join("  ").trimEnd()}\n`;
    })
    .join("");
}

/**
 * A table of names and values, without titles.
 *
 * @param {readonly (readonly [string, string | number | undefined])[]} rows Rows without a value are left out.
 */
export function list(rows) {
  return table(
    [{ title: "" }, { title: "" }],
    rows.filter(([, value]) => value !== undefined).map(([name, value]) => [name, value ?? ""]),
  );
}
