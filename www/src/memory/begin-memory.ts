import type { Gguf } from "gguf-wasm/explain";
import { usesOf } from "../gguf/kind-uses.ts";
import { expectMemory, startMemory } from "../worker/file-memory.ts";

/** Begins to prepare what computes the memory of an open file, for a panel that shows it. Further calls do nothing. */
export function beginMemory(gguf: Gguf): void {
  if (usesOf(gguf).isLoaded) startMemory(gguf);
}

/** Prepares to compute the memory of a file whose header is read, while the main module is loaded. */
export function expectModel({ tensors }: Pick<Gguf, "tensors">): void {
  expectMemory(tensors.length);
}
