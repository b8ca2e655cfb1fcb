import type { Gguf, MemoryEstimate } from "gguf-wasm/explain";

type Model = Pick<Gguf, "memory">;

const ESTIMATES = new WeakMap<Model, MemoryEstimate>();

/**
 * The memory of a model with the settings that the package uses if none are given. It is computed once: several answers begin with it.
 * @throws what `memory` throws
 */
export function usualMemory(gguf: Model): MemoryEstimate {
  const known = ESTIMATES.get(gguf);
  if (known) return known;
  const estimate = gguf.memory();
  ESTIMATES.set(gguf, estimate);
  return estimate;
}
