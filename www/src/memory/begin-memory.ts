import type { Gguf } from "gguf-wasm";
import { KIND_USES } from "../gguf/kind-uses.ts";
import { startMemory } from "../worker/file-memory.ts";

/** Begins to prepare what computes the memory of an open file, for a panel that shows it. Further calls do nothing. */
export function beginMemory(gguf: Gguf): void {
  if (KIND_USES[gguf.classification.kind].isLoaded) startMemory(gguf);
}
