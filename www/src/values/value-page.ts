import type { TensorInfo } from "gguf-wasm/explain";
import type { IndexRange } from "gguf-wasm/full";
import { formatId, formatInteger } from "../ui/numbers.ts";
import { type Matrix, matrixOf } from "./matrix.ts";
import { isStacked, formatRows } from "./slices.ts";

/** A page of a tensor's elements: a window on its matrix, or a range of its elements in storage order. */
export interface ValuePage {
  order: "matrix" | "flat";
  /** The first row and the first column of the window. In flat order, `row` is 0 and `column` is the first element. */
  row: number;
  column: number;
}

/** The number of rows and columns of a page. */
export interface PageSize {
  rows: number;
  columns: number;
}

/** One line of a page: a range of elements. */
export interface ValueLine extends IndexRange {
  /** The row of the matrix. In flat order, the index of the first element. */
  head: number;
}

/** The page that has an element in its first line. */
export function pageAt(element: number, order: ValuePage["order"], matrix: Matrix, size: PageSize): ValuePage {
  const page =
    order === "flat"
      ? { order, row: 0, column: element }
      : { order, row: Math.floor(element / matrix.rowLength), column: element % matrix.rowLength };
  return clampPage(page, matrix, size);
}

/** The nearest page that lies inside the tensor, and inside one slice if the tensor has several. */
export function clampPage(page: ValuePage, { rowLength, rows, sliceRows = rows }: Matrix, size: PageSize): ValuePage {
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

export function pageLines(page: ValuePage, { rowLength, rows }: Matrix, size: PageSize): ValueLine[] {
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

/** The ranges to read for some lines: one range for all lines if it contains at most `most` elements, otherwise one per line. */
export function readRanges(lines: readonly ValueLine[], most: number): IndexRange[] {
  const first = lines[0];
  const last = lines.at(-1);
  if (!first || !last) return [];
  if (last.end - first.start <= most) return [{ start: first.start, end: last.end }];
  return lines.map(({ start, end }) => ({ start, end }));
}

/** The position of a page in words. */
export function pageTitle(
  page: ValuePage,
  lines: readonly ValueLine[],
  tensor: Pick<TensorInfo, "name" | "dimensions">,
): string {
  const first = lines[0];
  const last = lines.at(-1);
  if (!first || !last) return "No elements";
  const { rowLength, rows } = matrixOf(tensor);
  if (page.order === "flat")
    return `Elements ${formatId(first.start)}–${formatId(last.end - 1)} of ${formatInteger(rowLength * rows)}`;
  const { column } = page;
  const columns = `columns ${formatId(column)}–${formatId(column + first.end - first.start - 1)} of ${formatInteger(rowLength)}`;
  if (isStacked(tensor)) {
    const ofRows = `of ${formatInteger(tensor.dimensions[1] ?? 1)}`;
    return `${formatRows({ start: first.head, end: last.head + 1 }, tensor)} ${ofRows} · ${columns}`;
  }
  return `Rows ${formatId(first.head)}–${formatId(last.head)} of ${formatInteger(rows)} · ${columns}`;
}
