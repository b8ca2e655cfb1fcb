/** The chat templates of a file. */

import type { ShownEntry } from "../gguf/shown-file.ts";
import { escapeText } from "../ui/text.ts";

const KEY = "tokenizer.chat_template";

export interface ChatTemplate {
  /** The name after `tokenizer.chat_template.`; "" for the default template. */
  readonly name: string;
  readonly text: string;
  readonly row: ShownEntry;
}

/** The name of a template in sentences and lists. */
export const templateTitle = (name: string) => (name === "" ? "Default" : escapeText(name, 60));

/** The templates of each list of rows. The tabs need them at every update. */
const LISTED = new WeakMap<readonly ShownEntry[], readonly ChatTemplate[]>();

/** The templates in the order of the file, the default template first. Entries that are not strings are none. */
export function chatTemplates(rows: readonly ShownEntry[]): readonly ChatTemplate[] {
  const known = LISTED.get(rows);
  if (known) return known;
  const listed = listTemplates(rows);
  LISTED.set(rows, listed);
  return listed;
}

/** The name of the template that a key has: "" for the default template. Undefined for other keys. */
export function templateNameOf(key: string): string | undefined {
  if (key === KEY) return "";
  return key.startsWith(`${KEY}.`) ? key.slice(KEY.length + 1) : undefined;
}

function listTemplates(rows: readonly ShownEntry[]): ChatTemplate[] {
  const found = rows.flatMap((row): ChatTemplate[] => {
    const { key, type } = row.entry;
    const name = templateNameOf(key);
    if (name === undefined || row.mark === "removed" || type !== "STRING") return [];
    const { value } = row.entry;
    return typeof value === "string" ? [{ name, text: value, row }] : [];
  });
  return found.sort((a, b) => Number(a.name !== "") - Number(b.name !== ""));
}

/** The names in the list `tokenizer.chat_templates` that no entry has. */
export function missingNames(rows: readonly ShownEntry[], templates: readonly ChatTemplate[]): string[] {
  const value = rows.find(({ entry, mark }) => entry.key === "tokenizer.chat_templates" && mark !== "removed")?.entry
    .value;
  if (typeof value !== "object" || value.elementType !== "STRING") return [];
  const known = new Set(templates.map(({ name }) => name));
  // A real file lists a few names.
  return value.slice(0, 100).filter((name): name is string => typeof name === "string" && !known.has(name));
}
