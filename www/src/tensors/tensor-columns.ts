/** The columns of the table of tensors, and the orders that they give. */

import { html } from "lit";
import { renderSortHead } from "../ui/sort-head.ts";
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

/** The room that a list has. `slim`: beside the pane of the details, which repeat the other columns. */
export type ListWidth = "narrow" | "slim" | "medium" | "wide";

const LEFT_OUT: Readonly<Record<ListWidth, readonly TensorColumn[]>> = {
  narrow: ["index", "elements", "offset"],
  slim: ["index", "dimensions", "elements", "offset"],
  medium: ["elements", "offset"],
  wide: [],
};

/** The columns that a list has. */
export function columnsOf(width: ListWidth): readonly ColumnInfo[] {
  const leftOut = LEFT_OUT[width];
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

/** The head of a column, which sorts. */
export function renderColumnHead({ column, title, number, hint }: ColumnInfo, order: TensorOrder, sort: () => void) {
  return renderSortHead({
    title: column === "index" ? html`<span aria-hidden="true">#</span><span class="sr">Index</span>` : title,
    direction: order.column !== column ? undefined : order.descending ? "descending" : "ascending",
    sort,
    name: number ? "number" : "",
    hint,
  });
}
