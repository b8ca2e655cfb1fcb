// Lists of files as text.

import { table } from "./table.js";
import { counted, size } from "./text.js";

/**
 * @typedef {object} ListedFile
 * @property {string} name
 * @property {string | undefined} kind For people.
 * @property {number} size
 * @property {string | undefined} [encoding]
 * @property {number | undefined} [bitsPerWeight]
 * @property {{ present: number, count: number } | undefined} [shards]
 */

/** How many files, and their size. @param {readonly { size: number }[]} files */
export function summaryText(files) {
  return [counted(files.length, "file"), size(files.reduce((sum, file) => sum + file.size, 0))];
}

/** @param {readonly ListedFile[]} files */
export function filesTable(files) {
  const rows = files.map(({ name, kind, encoding = "", bitsPerWeight, size: bytes, shards }) => [
    name,
    kind,
    size(bytes),
    encoding,
    bitsPerWeight?.toFixed(2) ?? "",
    shards === undefined ? "" : shards.present === shards.count ? shards.count : `${shards.present} of ${shards.count}`,
  ]);
  const columns = [
    { title: "Name" },
    { title: "Kind" },
    { title: "Size", right: true },
    { title: "Encoding" },
    { title: "Bits per weight", right: true },
    { title: "Shards", right: true },
  ];
  return table(columns, rows);
}
