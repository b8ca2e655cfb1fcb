import type { EditedEntry, EditedTensor, Gguf } from "gguf-wasm";
import { refusalText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import type { Notice } from "../summary/facts.ts";

/** What is said, while it is edited, of a file that cannot be written: `failure` is why. */
export function obstacleNotice(failure: Failure): Notice {
  if (failure.code === "truncated") {
    return {
      title: "This file is cut off: nothing that is changed in it can be saved.",
      text: "It ends before its tensors’ data does; written anew, it would look whole and not be. What would come of a change can still be seen, and checked.",
    };
  }
  return { title: "As it is now, this cannot be saved.", text: refusalText(failure) };
}

/** Where things would lie in a file that cannot be written, as far as its entries and tensors tell. */
export function unplannedLayout(
  gguf: Pick<Gguf, "entries" | "headerSize" | "tensors" | "version">,
  edited: { entries: readonly EditedEntry[]; tensors: readonly EditedTensor[]; version: number },
): { headerSize: number | undefined; dataOffset: number | undefined } {
  const { entries, tensors, version } = edited;
  // Tensor infos of the same names, and numbers of the same widths, are as long as they were.
  const infosAreKept =
    version === gguf.version &&
    tensors.length === gguf.tensors.length &&
    tensors.every((tensor) => tensor.name === gguf.tensors[tensor.origin]?.name);
  const growth = infosAreKept ? entriesEnd(entries, version) - entriesEnd(gguf.entries, version) : undefined;
  const placed = tensors.find((tensor) => tensor.fileOffset !== undefined);
  return {
    headerSize: growth === undefined ? undefined : gguf.headerSize + growth,
    dataOffset: placed?.fileOffset === undefined ? undefined : placed.fileOffset - placed.offset,
  };
}

/** Where the tensor infos begin: behind the last entry, or behind magic, version and counts. */
function entriesEnd(entries: readonly { offset: number; byteLength: number }[], version: number): number {
  const last = entries.at(-1);
  return last ? last.offset + last.byteLength : version === 1 ? 16 : 24;
}
