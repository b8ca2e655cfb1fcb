/** The rows of the tables while a file is edited: entries and tensors of the edited file, and the removed ones. */

import type { TensorInfo } from "gguf-wasm/explain";
import type { Editor } from "gguf-wasm/full";
import type { Mark, ShownEntry } from "../gguf/shown-file.ts";

/** The lists of an editor that the rows are made of. */
export type EditedEntries = Pick<Editor, "entries" | "removedEntries">;
export type EditedTensors = Pick<Editor, "tensors" | "removedTensors">;

/** The id of a row, by the `id` of its entry. */
export function rowId(entryId: number): string {
  return String(entryId);
}

/**
 * The rows of the entries, in order. A removed entry has a row at the position where it would be. It has none if an added entry
 * has its key, because it cannot be restored then.
 */
export function entryRows({ entries, removedEntries }: EditedEntries): ShownEntry[] {
  const addedKeys = new Set(entries.filter(({ state }) => state === "added").map(({ key }) => key));
  const removed = new Map<number, ShownEntry[]>();
  for (const entry of removedEntries) {
    if (addedKeys.has(entry.key)) continue;
    const row: ShownEntry = { entry, id: rowId(entry.id), mark: "removed", position: entry.position };
    const rows = removed.get(entry.position);
    if (rows) rows.push(row);
    else removed.set(entry.position, [row]);
  }
  const removedRows = (position: number) => removed.get(position) ?? [];
  const rows = entries.flatMap((entry, position) => {
    const row: ShownEntry = { entry, id: rowId(entry.id), position };
    if (entry.state !== "unchanged") row.mark = entry.state;
    return [...removedRows(position), row];
  });
  return [...rows, ...removedRows(entries.length)];
}

/** The tensors in the order of the original file, with their edited names and offsets. Removed tensors are included. */
export function tensorRows(original: readonly TensorInfo[], { tensors }: EditedTensors): TensorInfo[] {
  const edited = new Map(tensors.map((tensor) => [tensor.id, tensor]));
  return original.map((tensor, id) => {
    const { name, offset } = edited.get(id) ?? tensor;
    return name === tensor.name && offset === tensor.offset ? tensor : { ...tensor, name, offset };
  });
}

/** The marks of the changed and removed tensors, by original index. */
export function tensorMarks({ tensors, removedTensors }: EditedTensors): ReadonlyMap<number, Mark> {
  const changed = tensors.filter(({ state }) => state === "changed");
  return new Map<number, Mark>([
    ...changed.map(({ id }): [number, Mark] => [id, "changed"]),
    ...removedTensors.map(({ id }): [number, Mark] => [id, "removed"]),
  ]);
}
