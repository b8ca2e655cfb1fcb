/** What a person has chosen in the tables of a file, and how a location hash says it. */

import { decodeHashList, decodeHashText, encodeHashList, encodeHashText } from "../app/hash-text.ts";
import { TENSOR_COLUMNS, type TensorColumn, type TensorOrder } from "../tensors/tensor-rows.ts";

/** The state of the metadata table. What is absent has its default: no search, no offsets. */
export interface MetadataState {
  search?: string;
  offsets?: boolean;
}

/** The state of the tensor table. What is absent has its default: all tensors in the order of the file, without groups. */
export interface TensorsState {
  /** The filter by name. */
  filter?: string;
  /** The types that are shown, if not all. */
  types?: readonly string[];
  sort?: TensorOrder;
  grouped?: boolean;
  /** The groups that are closed: "" is the group of tensors outside blocks. */
  closed?: readonly string[];
  /** The slice that is shown of the current tensor: an index in each dimension beyond the second. */
  slice?: readonly number[];
}

export interface TablesState {
  metadata?: MetadataState;
  tensors?: TensorsState;
}

/** A field of the hash: `format` gives its encoded value, "" for none; `parse` ignores values that are not valid. */
interface TableField {
  name: string;
  format: (state: TablesState) => string;
  parse: (encoded: string, state: TablesState) => void;
}

/** The longest text that is written into a hash or read from it: links have to fit into a message. */
const LONGEST_TEXT = 500;
/** The most items of a list that are read from a hash. */
const MOST_ITEMS = 1000;
/** The most characters of a list that are written into a hash. */
const LONGEST_LIST = 1500;
/** How the hash names the group of tensors outside blocks. No block has this name. */
const OUTSIDE = "-";

const metadata = (state: TablesState, change: MetadataState) => {
  state.metadata = { ...state.metadata, ...change };
};
const tensors = (state: TablesState, change: TensorsState) => {
  state.tensors = { ...state.tensors, ...change };
};
const formatText = (text = "") => (text.length > LONGEST_TEXT ? "" : encodeHashText(text));
const parseText = (encoded: string) => decodeHashText(encoded).slice(0, LONGEST_TEXT);
const formatList = (items: readonly string[] = []) => {
  const encoded = encodeHashList(items);
  return encoded.length > LONGEST_LIST ? "" : encoded;
};

/** The fields of the tables, in the order in which a hash has them. */
export const TABLE_FIELDS: readonly TableField[] = [
  {
    name: "metadata.search",
    format: (state) => formatText(state.metadata?.search),
    parse: (encoded, state) => metadata(state, { search: parseText(encoded) }),
  },
  {
    name: "metadata.offsets",
    format: (state) => (state.metadata?.offsets ? "1" : ""),
    parse: (encoded, state) => {
      if (encoded === "1") metadata(state, { offsets: true });
    },
  },
  {
    name: "tensors.filter",
    format: (state) => formatText(state.tensors?.filter),
    parse: (encoded, state) => tensors(state, { filter: parseText(encoded) }),
  },
  {
    name: "tensors.types",
    format: (state) => formatList(state.tensors?.types),
    parse: (encoded, state) => {
      const types = decodeHashList(encoded).slice(0, MOST_ITEMS);
      if (types.length > 0) tensors(state, { types });
    },
  },
  {
    name: "tensors.sort",
    format: ({ tensors: state }) => (state?.sort ? `${state.sort.descending ? "-" : ""}${state.sort.column}` : ""),
    parse: (encoded, state) => {
      const descending = encoded.startsWith("-");
      const name = descending ? encoded.slice(1) : encoded;
      const column: TensorColumn | undefined = TENSOR_COLUMNS.find((known) => known === name);
      if (column) tensors(state, { sort: { column, descending } });
    },
  },
  {
    name: "tensors.group",
    format: (state) => (state.tensors?.grouped ? "block" : ""),
    parse: (encoded, state) => {
      if (encoded === "block") tensors(state, { grouped: true });
    },
  },
  {
    name: "tensors.closed",
    format: (state) => formatList(state.tensors?.closed?.map((group) => (group === "" ? OUTSIDE : group))),
    parse: (encoded, state) => {
      const closed = decodeHashList(encoded).slice(0, MOST_ITEMS);
      if (closed.length > 0) tensors(state, { closed: closed.map((group) => (group === OUTSIDE ? "" : group)) });
    },
  },
  {
    name: "tensors.slice",
    format: (state) => state.tensors?.slice?.join(",") ?? "",
    parse: (encoded, state) => {
      // Whether the tensor has such a slice is known when it is shown.
      if (/^\d{1,15}(?:,\d{1,15}){0,5}$/.test(encoded)) tensors(state, { slice: encoded.split(",").map(Number) });
    },
  },
];
