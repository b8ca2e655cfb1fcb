/** The state of the metadata table that a link to the page contains. */

import { formatList, formatShortText, parseList, parseShortText, type StateField } from "../ui/state-field.ts";

/** An absent member has its default: no search, no offsets, all sections open. */
export interface MetadataState {
  search?: string;
  offsets?: boolean;
  /** The titles of the collapsed sections. */
  closed?: readonly string[];
}

export const METADATA_STATE_FIELDS: readonly StateField<MetadataState>[] = [
  {
    name: "search",
    format: ({ search }) => formatShortText(search),
    parse: (encoded) => ({ search: parseShortText(encoded) }),
  },
  {
    name: "offsets",
    format: ({ offsets }) => (offsets ? "1" : ""),
    parse: (encoded) => (encoded === "1" ? { offsets: true } : undefined),
  },
  {
    name: "closed",
    format: ({ closed }) => formatList(closed),
    parse: (encoded) => {
      const closed = parseList(encoded);
      return closed.length > 0 ? { closed } : undefined;
    },
  },
];
