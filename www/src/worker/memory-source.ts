import type { FitOptions, Gguf, LargestContextOptions, MemoryEstimate, MemoryFit, MemoryOptions } from "gguf-wasm";
import { failureOf } from "../gguf/failure.ts";
import { Pieces } from "../ui/in-pieces.ts";

/** What computes the memory of a file: a `Gguf`, or a worker that has opened its header. */
export interface MemorySource {
  memory(options?: MemoryOptions): MemoryEstimate | Promise<MemoryEstimate>;
  /** The memory for each of several settings. Undefined for settings that llama.cpp refuses. */
  memories(list: readonly MemoryOptions[]): Promise<(MemoryEstimate | undefined)[]>;
  fit(options: FitOptions): MemoryFit | Promise<MemoryFit>;
  largestContext(options: LargestContextOptions): number | undefined | Promise<number | undefined>;
}

/**
 * Computes the memory of a model without a worker, and several estimates in pieces.
 * `memories` throws the reason of `signal` once it is aborted.
 */
export function memoryHere(gguf: Pick<Gguf, "memory" | "fit" | "largestContext">, signal: AbortSignal): MemorySource {
  return {
    memory: (options) => gguf.memory(options),
    async memories(list) {
      const pieces = new Pieces(signal);
      const estimates = [];
      for (const options of list) {
        await pieces.rest();
        estimates.push(memoryUnlessRefused(gguf, options));
      }
      return estimates;
    },
    fit: (options) => gguf.fit(options),
    largestContext: (options) => gguf.largestContext(options),
  };
}

/**
 * The memory of a model. Undefined if llama.cpp refuses the settings: the length of a head is no multiple of the blocks of a KV cache type,
 * for example.
 */
export function memoryUnlessRefused(gguf: Pick<Gguf, "memory">, options: MemoryOptions): MemoryEstimate | undefined {
  try {
    return gguf.memory(options);
  } catch (error) {
    if (failureOf(error).code !== "invalid-argument") throw error;
    return undefined;
  }
}
