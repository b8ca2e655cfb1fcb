/** The state of the tensor table that a link to the page contains. */

import { formatList, formatShortText, parseList, parseShortText, type StateField } from "../ui/state-field.ts";

export const TENSOR_COLUMNS = ["index", "name", "type", "dimensions", "elements", "bytes", "offset"] as const;

export type TensorColumn = (typeof TENSOR_COLUMNS)[number];

export interface TensorOrder {
  column: TensorColumn;
  descending: boolean;
}

/** An absent member has its default: all tensors in file order, without groups. */
export interface TensorsState {
  /** The filter by name. */
  filter?: string;
  /** The types that are shown. Absent: all. */
  types?: readonly string[];
  sort?: TensorOrder;
  grouped?: boolean;
  /** The collapsed groups. "" is the group of tensors outside blocks. */
  closed?: readonly string[];
  /** The slice that is shown of the current tensor: an index in each dimension beyond the second. */
  slice?: readonly number[];
}

/** How an address names the group of tensors outside blocks. No block has this name. */
const OUTSIDE = "-";

export const TENSOR_STATE_FIELDS: readonly StateField<TensorsState>[] = [
  {
    name: "filter",
    format: ({ filter }) => formatShortText(filter),
    parse: (encoded) => ({ filter: parseShortText(encoded) }),
  },
  {
    name: "types",
    format: ({ types }) => formatList(types),
    parse: (encoded) => {
      const types = parseList(encoded);
      return types.length > 0 ? { types } : undefined;
    },
  },
  {
    name: "sort",
    format: ({ sort }) => (sort ? `${sort.descending ? "-" : ""}${sort.column}` : ""),
    parse: (encoded) => {
      const descending = encoded.startsWith("-");
      const name = descending ? encoded.slice(1) : encoded;
      const column = TENSOR_COLUMNS.find((known) => known === name);
      return column && { sort: { column, descending } };
    },
  },
  {
    name: "group",
    format: ({ grouped }) => (grouped ? "block" : ""),
    parse: (encoded) => (encoded === "block" ? { grouped: true } : undefined),
  },
  {
    name: "closed",
    format: ({ closed }) => formatList(closed?.map((group) => (group === "" ? OUTSIDE : group))),
    parse: (encoded) => {
      const closed = parseList(encoded);
      return closed.length > 0 ? { closed: closed.map((group) => (group === OUTSIDE ? "" : group)) } : undefined;
    },
  },
  {
    name: "slice",
    format: ({ slice }) => slice?.join(",") ?? "",
    // Whether the tensor has this slice is checked when the tensor is shown.
    parse: (encoded) =>
      /^\d{1,15}(?:,\d{1,15}){0,5}$/.test(encoded) ? { slice: encoded.split(",").map(Number) } : undefined,
  },
];
