import type { IndexRange } from "gguf-wasm";
import { grouped } from "./format.ts";
import type { Matrix } from "./matrix.ts";

/** A page of a tensor's elements: a window on its matrix, or a stretch of its elements one after another. */
export interface ValuePage {
  order: "matrix" | "flat";
  /** The first row of the matrix and the first column; flat, the first element as its row 0's column. */
  row: number;
  column: number;
}

/** How many rows and columns a page has. */
export interface PageSize {
  rows: number;
  columns: number;
}

/** One line of a page: some neighbouring elements. */
export interface ValueLine extends IndexRange {
  /** The row of the matrix; the first element's number where the order is flat. */
  head: number;
}

/** The page that has an element in its first line, and begins with it where there is enough after it. */
export function pageAt(element: number, order: ValuePage["order"], matrix: Matrix, size: PageSize): ValuePage {
  const page =
    order === "flat"
      ? { order, row: 0, column: element }
      : { order, row: Math.floor(element / matrix.rowLength), column: element % matrix.rowLength };
  return within(page, matrix, size);
}

/** The same page moved to where the tensor is. */
export function within(page: ValuePage, { rowLength, rows }: Matrix, size: PageSize): ValuePage {
  const inside = (at: number, count: number, shown: number) => Math.max(0, Math.min(at, count - shown));
  if (page.order === "flat") {
    const column = inside(page.column, rowLength * rows, size.rows * size.columns);
    return { order: "flat", row: 0, column };
  }
  return {
    order: "matrix",
    row: inside(page.row, rows, size.rows),
    column: inside(page.column, rowLength, size.columns),
  };
}

/** The lines of a page. */
export function linesOf(page: ValuePage, { rowLength, rows }: Matrix, size: PageSize): ValueLine[] {
  const lines: ValueLine[] = [];
  if (page.order === "flat") {
    const end = Math.min(page.column + size.rows * size.columns, rowLength * rows);
    for (let start = page.column; start < end; start += size.columns)
      lines.push({ head: start, start, end: Math.min(start + size.columns, end) });
    return lines;
  }
  const columns = Math.min(size.columns, rowLength - page.column);
  for (let row = page.row; row < Math.min(page.row + size.rows, rows); row += 1) {
    const start = row * rowLength + page.column;
    lines.push({ head: row, start, end: start + columns });
  }
  return lines;
}

/** The ranges to read for some lines: one for all, if not much more than the lines lies in it, or one a line. */
export function readsOf(lines: readonly ValueLine[], most: number): IndexRange[] {
  const first = lines[0];
  const last = lines.at(-1);
  if (!first || !last) return [];
  if (last.end - first.start <= most) return [{ start: first.start, end: last.end }];
  return lines.map(({ start, end }) => ({ start, end }));
}

/** Where the lines of a page are, in words. */
export function placeOf(page: ValuePage, lines: readonly ValueLine[], { rowLength, rows }: Matrix): string {
  const first = lines[0];
  const last = lines.at(-1);
  if (!first || !last) return "No elements";
  if (page.order === "flat")
    return `Elements ${grouped(first.start)}–${grouped(last.end - 1)} of ${grouped(rowLength * rows)}`;
  const { column } = page;
  return `Rows ${grouped(first.head)}–${grouped(last.head)} of ${grouped(rows)} · columns ${grouped(column)}–${grouped(column + first.end - first.start - 1)} of ${grouped(rowLength)}`;
}
