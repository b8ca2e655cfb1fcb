/**
 * Names of fields with text that is not applied yet, for another session of the same file. Most begin with the id of an entry. The ids of
 * added entries differ from session to session, so these fields are found by the key of their entry.
 */

import type { EditedEntry } from "gguf-wasm/full";
import type { KeptDraft } from "../gguf/kept-edits.ts";

type KnownEntry = Pick<EditedEntry, "id" | "key">;

/** The texts of a session. `originals` is the number of entries of the original file, whose ids are the same in every session. */
export function keptDrafts(
  drafts: ReadonlyMap<string, string>,
  originals: number,
  entries: readonly KnownEntry[],
): KeptDraft[] {
  return [...drafts].flatMap(([field, text]) => {
    const [digits = ""] = /^\d*/.exec(field) ?? [];
    if (digits === "" || Number(digits) < originals) return [{ field, text }];
    const entry = entries.find(({ id }) => id === Number(digits));
    return entry ? [{ key: entry.key, field: field.slice(digits.length), text }] : [];
  });
}

/** The texts of another session, as pairs of a field and its text. A field whose entry is gone is left out. */
export function restoredDrafts(drafts: readonly KeptDraft[], entries: readonly KnownEntry[]): [string, string][] {
  return drafts.flatMap(({ key, field, text }): [string, string][] => {
    if (key === undefined) return [[field, text]];
    const entry = entries.find((one) => one.key === key);
    return entry ? [[`${entry.id}${field}`, text]] : [];
  });
}
