// Formats the results of benchmarks: medians, tables, and whether goals are reached.

import { cpus } from "node:os";

/** @param {number[]} figures */
export function median(figures) {
  return figures.sort((a, b) => a - b)[figures.length >> 1] ?? NaN;
}

/**
 * Prints a Markdown table.
 *
 * @param {string[][]} rows the first row is the head
 * @param {number} [names] the number of columns at the left that contain names
 */
export function table(rows, names = 1) {
  const [head = [], ...body] = rows;
  const rule = head.map((_, column) => (column < names ? "---" : "---:"));
  console.log([head, rule, ...body].map((row) => `| ${row.join(" | ")} |`).join("\n"));
}

/** @param {boolean} reached */
export const verdict = (reached) => (reached ? "reached" : "missed");

/** Prints the version of Node.js and the processor. */
export function machine() {
  console.log(`Node.js ${process.version}, ${cpus()[0]?.model.trim()}\n`);
}
