import { expect, test } from "@playwright/test";
import { matrixOf, rowCoordinates } from "../../../www/src/values/matrix.ts";
import { pageLines, pageAt, readRanges, clampPage } from "../../../www/src/values/value-page.ts";

const size = { rows: 3, columns: 4 };

test("a window on the matrix stays inside it", () => {
  const matrix = { rowLength: 10, rows: 5 };
  const page = pageAt(37, "matrix", matrix, size);
  expect(page).toEqual({ order: "matrix", row: 2, column: 6 });
  expect(pageLines(page, matrix, size)).toEqual([
    { head: 2, start: 26, end: 30 },
    { head: 3, start: 36, end: 40 },
    { head: 4, start: 46, end: 50 },
  ]);
  expect(pageLines({ order: "matrix", row: 0, column: 0 }, { rowLength: 2, rows: 1 }, size)).toEqual([
    { head: 0, start: 0, end: 2 },
  ]);
});

test("a window on a tensor of several slices stays inside one of them", () => {
  const matrix = { rowLength: 10, rows: 15, sliceRows: 5 };
  const rowAt = (row: number) => clampPage({ order: "matrix", row, column: 0 }, matrix, size).row;
  expect([0, 2, 3, 4, 5, 9, 10, 14, 99, -1].map(rowAt)).toEqual([0, 2, 2, 2, 5, 7, 10, 12, 12, 0]);
});

test("the last line of a flat page is short", () => {
  const matrix = { rowLength: 10, rows: 1 };
  expect(pageLines(pageAt(3, "flat", matrix, size), matrix, size)).toEqual([
    { head: 0, start: 0, end: 4 },
    { head: 4, start: 4, end: 8 },
    { head: 8, start: 8, end: 10 },
  ]);
});

test("lines are read in one request if it contains few other elements", () => {
  const lines = pageLines({ order: "matrix", row: 0, column: 0 }, { rowLength: 100, rows: 9 }, size);
  expect(readRanges(lines, 1000)).toEqual([{ start: 0, end: 204 }]);
  expect(readRanges(lines, 100)).toEqual([
    { start: 0, end: 4 },
    { start: 100, end: 104 },
    { start: 200, end: 204 },
  ]);
  expect(readRanges([], 100)).toEqual([]);
});

test("a row of a tensor with more than two dimensions has coordinates", () => {
  expect(matrixOf({ dimensions: [7, 3, 2] })).toEqual({ rowLength: 7, rows: 6, sliceRows: 3 });
  expect(matrixOf({ dimensions: [] })).toEqual({ rowLength: 1, rows: 1 });
  expect(rowCoordinates(4, [7, 3, 2])).toEqual([1, 1]);
  expect(rowCoordinates(4, [7, 6])).toEqual([]);
});
