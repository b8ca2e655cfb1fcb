/** The entries and tensors of a file that is being edited, with those that will be gone where they were. */

import type { EditedEntry, EditedTensor, MetadataEntry, TensorInfo } from "gguf-wasm";
import type { Mark, ShownEntry } from "../gguf/shown-file.ts";

/** What an entry is known by while it is edited: its place in the file as it is, or the key that it was added with. */
export function entryId(entry: EditedEntry): string {
  return entry.origin === undefined ? `+${entry.key}` : String(entry.origin);
}

/** Entries as they will be, and those that are removed behind the one that they stood behind. */
export function editedEntries(
  original: readonly MetadataEntry[],
  edited: readonly EditedEntry[],
  touched: ReadonlySet<string>,
  idOf: (entry: EditedEntry) => string = entryId,
): ShownEntry[] {
  const rows = edited.map((entry, position): ShownEntry => {
    const id = idOf(entry);
    const mark = entry.origin === undefined ? "added" : touched.has(id) ? "changed" : undefined;
    return mark ? { entry, id, mark, position } : { entry, id, position };
  });
  const kept = new Set(edited.map((entry) => entry.origin));
  // What is there again under its old key is gone no more.
  const added = new Set(edited.filter((entry) => entry.origin === undefined).map((entry) => entry.key));
  const gone = original.filter((entry) => !kept.has(entry.index) && !added.has(entry.key));
  if (gone.length === 0) return rows;
  const behind = new Map<string, MetadataEntry[]>();
  for (const entry of gone) {
    let before = entry.index - 1;
    while (before >= 0 && !kept.has(before)) before -= 1;
    const neighbours = behind.get(String(before));
    if (neighbours) neighbours.push(entry);
    else behind.set(String(before), [entry]);
  }
  const removed = (id: string, position: number): ShownEntry[] =>
    (behind.get(id) ?? []).map((entry) => ({ entry, id: String(entry.index), mark: "removed", position }));
  return [...removed("-1", 0), ...rows.flatMap((row) => [row, ...removed(row.id, row.position + 1)])];
}

/** Tensors as they will be, by their places in the file as it is, those that are removed included. */
export function editedTensors(original: readonly TensorInfo[], edited: readonly EditedTensor[]): TensorInfo[] {
  const kept = new Map(edited.map((tensor) => [tensor.origin, tensor]));
  return original.map((tensor, index) => {
    const now = kept.get(index);
    return now && (now.name !== tensor.name || now.offset !== tensor.offset)
      ? { ...tensor, name: now.name, offset: now.offset }
      : tensor;
  });
}

/** What has become of each tensor, by its place in the file as it is. */
export function tensorMarks(
  original: readonly TensorInfo[],
  edited: readonly EditedTensor[],
): ReadonlyMap<number, Mark> {
  const marks = new Map<number, Mark>();
  const kept = new Map(edited.map((tensor) => [tensor.origin, tensor]));
  for (const [index, tensor] of original.entries()) {
    const now = kept.get(index);
    if (!now) marks.set(index, "removed");
    else if (now.name !== tensor.name) marks.set(index, "changed");
  }
  return marks;
}
