import type { MetadataValue, TensorInfo } from "gguf-wasm/explain";
import { MARK_LABELS, type ShownEntry } from "../gguf/shown-file.ts";
import { keyInFile } from "./key-in-file.ts";
import { arrayPreview, isArray, typeLabel } from "./metadata-rows.ts";
import { nameOfValue } from "./value-names.ts";

/** What the rows of a table are about. */
interface RowFile {
  readonly tensors: readonly TensorInfo[];
  readonly metadata: ReadonlyMap<string, MetadataValue>;
}

/**
 * What a row shows beside the key and the stored value, in lower case: the title of the key, the name of the value, the type, the first
 * elements of an array, and the mark of a change. A search must find a text that a person sees.
 */
export function rowText({ entry, mark }: ShownEntry, { tensors, metadata }: RowFile): string {
  const info = keyInFile(entry.key, tensors);
  const parts = [
    info?.title,
    nameOfValue(entry, info, metadata),
    isArray(entry.value) ? `${typeLabel(entry)} ${arrayPreview(entry.value).items.join(", ")}` : undefined,
    mark && MARK_LABELS[mark],
  ];
  return parts
    .filter((part) => part !== undefined)
    .join("\n")
    .toLowerCase();
}
