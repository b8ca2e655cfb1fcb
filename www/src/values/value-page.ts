import type { IndexRange, TensorInfo } from "gguf-wasm";
import { grouped } from "../ui/numbers.ts";
import { type Matrix, matrixOf } from "./matrix.ts";
import { isStacked, rowWords } from "./slices.ts";

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

/** The nearest page that lies inside the tensor, and inside one of its slices if it has several. */
export function within(page: ValuePage, { rowLength, rows, sliceRows = rows }: Matrix, size: PageSize): ValuePage {
  const inside = (at: number, count: number, shown: number) => Math.max(0, Math.min(at, count - shown));
  if (page.order === "flat") {
    const column = inside(page.column, rowLength * rows, size.rows * size.columns);
    return { order: "flat", row: 0, column };
  }
  const row = inside(page.row, rows, 1);
  const slice = row - (row % Math.max(1, sliceRows));
  return {
    order: "matrix",
    row: slice + inside(row - slice, sliceRows, size.rows),
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

/** The place of the lines of a page, in words. */
export function placeOf(
  page: ValuePage,
  lines: readonly ValueLine[],
  tensor: Pick<TensorInfo, "name" | "dimensions">,
): string {
  const first = lines[0];
  const last = lines.at(-1);
  if (!first || !last) return "No elements";
  const { rowLength, rows } = matrixOf(tensor);
  if (page.order === "flat")
    return `Elements ${grouped(first.start)}–${grouped(last.end - 1)} of ${grouped(rowLength * rows)}`;
  const { column } = page;
  const columns = `columns ${grouped(column)}–${grouped(column + first.end - first.start - 1)} of ${grouped(rowLength)}`;
  if (isStacked(tensor)) {
    const ofRows = `of ${grouped(tensor.dimensions[1] ?? 1)}`;
    return `${rowWords({ start: first.head, end: last.head + 1 }, tensor)} ${ofRows} · ${columns}`;
  }
  return `Rows ${grouped(first.head)}–${grouped(last.head)} of ${grouped(rows)} · ${columns}`;
}
