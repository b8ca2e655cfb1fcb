/** The columns of the table of tensors, and the orders that they give. */

import type { TensorColumn, TensorOrder } from "./tensor-state.ts";

export interface ColumnInfo {
  readonly column: TensorColumn;
  readonly title: string;
  readonly number: boolean;
  readonly hint: string;
}

/** Shares of the whole file would be too small to see, and a logarithmic bar would hide what is twice as large. */
const SIZE_HINT =
  "The bar is the share of the tensor in the bytes of its block. Outside blocks: in the bytes of all tensors outside blocks";

const COLUMNS: readonly ColumnInfo[] = [
  { column: "index", title: "#", number: true, hint: "Position in the file" },
  { column: "name", title: "Name", number: false, hint: "" },
  { column: "type", title: "Type", number: false, hint: "" },
  { column: "dimensions", title: "Dimensions", number: false, hint: "Fastest dimension first, as in the file" },
  { column: "elements", title: "Elements", number: true, hint: "" },
  { column: "bytes", title: "Size", number: true, hint: SIZE_HINT },
  { column: "offset", title: "Offset", number: true, hint: "From the start of the data section" },
];

export const FILE_ORDER: TensorOrder = { column: "index", descending: false };

/** The columns that a narrow or a medium table has, and those of a wide one. */
export function columnsOf(narrow: boolean, medium: boolean): readonly ColumnInfo[] {
  const leftOut: readonly TensorColumn[] = narrow
    ? ["index", "elements", "offset"]
    : medium
      ? ["elements", "offset"]
      : [];
  return COLUMNS.filter(({ column }) => !leftOut.includes(column));
}

export function isFileOrder({ column, descending }: TensorOrder): boolean {
  return column === FILE_ORDER.column && descending === FILE_ORDER.descending;
}

/** The order after a click on the head of a column. A first click on a size sorts the largest first. */
export function orderAfterClick(order: TensorOrder, column: TensorColumn): TensorOrder {
  const largestFirst = column === "elements" || column === "bytes";
  return { column, descending: order.column === column ? !order.descending : largestFirst };
}

/** An order in words. */
export function orderText({ column, descending }: TensorOrder): string {
  const title = column === "index" ? "index" : COLUMNS.find((known) => known.column === column)?.title;
  return `Sorted by ${title}, ${descending ? "descending" : "ascending"}`;
}

/** An order in words if it applies within the groups; "" if it applies to the whole table. In file order, grouping does not change it. */
export function orderWithinGroups(order: TensorOrder, isGrouped: boolean): string {
  return isGrouped && !isFileOrder(order) ? `${orderText(order)}, within each block` : "";
}
