/** The hash of the page's address: which file, panel, row and table state a link opens. */

import type { PanelStates, View } from "../panels.ts";
import { decodeText, encodeText, type StateField } from "../ui/state-field.ts";

/** The content of a link to the page. */
export interface PageState extends PanelStates {
  url?: string;
  /** A repository on Hugging Face, whose files are listed: `owner/name`, with `@revision` and `/folder` if there are any. */
  repo?: string;
  /** `gguf`: the model of the repository is converted to GGUF, in place of the list of its files. */
  "repo.as"?: "gguf";
  /** The filter and the order of the list of files. */
  "repo.filter"?: string;
  "repo.sort"?: string;
  /** Words for which models are searched on Hugging Face. */
  search?: string;
  /** `shard`: the address of a shard opens this file only. */
  alone?: "shard";
  /** The name of a local file, for the browser's history. A link cannot open it. */
  file?: string;
  view?: View;
  tensor?: string;
  key?: string;
}

/** The order of the fields in a hash. The fields of the panels stand between the two lists. */
const FIELDS_BEFORE = [
  "url",
  "alone",
  "file",
  "repo",
  "repo.as",
  "repo.filter",
  "repo.sort",
  "search",
  "view",
] as const;
const FIELDS_AFTER = ["tensor", "key"] as const;
const TEXT_FIELDS = [...FIELDS_BEFORE, ...FIELDS_AFTER];

/** Reads and writes hashes with the state of `panels`. */
export function locationHash(panels: readonly { name: View; stateFields: readonly StateField<object>[] }[]) {
  const panelFields = panels.flatMap(({ name: panel, stateFields }) =>
    stateFields.map((field) => ({ panel, name: `${panel}.${field.name}`, field })),
  );
  // A person may write an address with an unencoded `&` into the hash. Only these names end such an address.
  const ends = [
    "alone",
    "repo\\.as",
    "repo\\.filter",
    "repo\\.sort",
    "view",
    ...FIELDS_AFTER,
    ...panelFields.map(({ name }) => name.replace(".", "\\.")),
  ];
  const nextField = new RegExp(`&(?=(?:${ends.join("|")})=)`);
  const isView = (text: string): text is View => panels.some(({ name }) => name === text);

  return {
    /** Reads a hash. Unknown names and invalid values are ignored. */
    parse(hash: string): PageState {
      const state: PageState & Record<string, unknown> = {};
      for (const part of hash.replace(/^#/, "").split(nextField)) {
        const equals = part.indexOf("=");
        const [name, encoded] = [part.slice(0, equals), part.slice(equals + 1)];
        if (equals < 0 || encoded === "") continue;
        const textField = TEXT_FIELDS.find((known) => known === name);
        if (textField === undefined) {
          const known = panelFields.find((field) => field.name === name);
          const change = known?.field.parse(encoded);
          if (known && change) state[known.panel] = { ...(state[known.panel] as object | undefined), ...change };
        } else if (textField === "view") {
          if (isView(encoded)) state.view = encoded;
        } else if (textField === "alone") {
          if (encoded === "shard") state.alone = encoded;
        } else if (textField === "repo.as") {
          if (encoded === "gguf") state["repo.as"] = encoded;
        } else {
          state[textField] = decodeText(encoded);
        }
      }
      return state;
    },

    /** Writes a hash in which people can read the address; "" for the start page. */
    format(state: PageState): string {
      const text = (field: (typeof TEXT_FIELDS)[number]) => [field, encodeText(state[field] ?? "")] as const;
      const states = state as Record<string, object | undefined>;
      const parts = [
        ...FIELDS_BEFORE.map(text),
        ...panelFields.map(({ panel, name, field }) => [name, field.format(states[panel] ?? {})] as const),
        ...FIELDS_AFTER.map(text),
      ];
      const written = parts.filter(([, value]) => value !== "").map(([name, value]) => `${name}=${value}`);
      return written.length > 0 ? `#${written.join("&")}` : "";
    },

    /**
     * The state after a person goes back from the state `shown` to an entry of the history. The entry decides the panel that it shows; all
     * other panels keep their state.
     */
    returned(entry: PageState, shown: PageState): PageState {
      // A selected row decides the panel. If the entry names no panel, the summary is shown, which has no state.
      const view = entry.tensor !== undefined ? "tensors" : entry.key !== undefined ? "metadata" : entry.view;
      const isKept = (name: string) => isView(name) && name !== view;
      return Object.fromEntries([
        ...Object.entries(entry).filter(([name]) => !isKept(name)),
        ...Object.entries(shown).filter(([name]) => isKept(name)),
      ]);
    },
  };
}
