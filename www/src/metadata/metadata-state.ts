/** The state of the metadata table that a link to the page contains. */

import { formatShortText, parseShortText, type StateField } from "../ui/state-field.ts";

/** An absent member has its default: no search, no offsets. */
export interface MetadataState {
  search?: string;
  offsets?: boolean;
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
];
