/** The state of the compare panel that a link to the page contains. */

import { formatShortText, parseShortText, type StateField } from "../ui/state-field.ts";

export interface CompareState {
  /** The address of the second file. Absent for none, and for a file without an address. */
  with?: string | undefined;
}

export const COMPARE_STATE_FIELDS: readonly StateField<CompareState>[] = [
  {
    name: "with",
    format: (state) => formatShortText(state.with),
    parse: (encoded) => ({ with: parseShortText(encoded) }),
  },
];
