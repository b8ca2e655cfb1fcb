import type { KeyInfo, TensorInfo } from "gguf-wasm/explain";
import { FILE_TYPE_KEY } from "../gguf/allowed-values.ts";
import { keyInfo } from "../gguf/library.ts";
import { typesOwner } from "../gguf/tensor-types.ts";

/** What is known of a key of a file with these tensors. A program with tensor types of its own has file types of its own, without names. */
export function keyInFile(key: string, tensors: readonly TensorInfo[]): KeyInfo | undefined {
  const info = keyInfo(key);
  const owner = key === FILE_TYPE_KEY ? typesOwner(tensors) : undefined;
  if (info?.values === undefined || owner === undefined) return info;
  const { values: _, ...known } = info;
  return { ...known, note: `The number is one of ${owner}, which has file types of its own.` };
}
