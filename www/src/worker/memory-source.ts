import type {
  FitOptions,
  Gguf,
  LargestContextOptions,
  MemoryEstimate,
  MemoryFit,
  MemoryOptions,
} from "gguf-wasm/explain";
import { failureOf } from "../gguf/failure.ts";
import { Pieces } from "../ui/in-pieces.ts";

/** What computes the memory of a file: a `Gguf`, or a worker that has opened its header. */
export interface MemorySource {
  memory(options?: MemoryOptions): MemoryEstimate | Promise<MemoryEstimate>;
  /** The memory for each of several settings. Undefined for settings that llama.cpp refuses. */
  memories(list: readonly MemoryOptions[]): Promise<(MemoryEstimate | undefined)[]>;
  fit(options: FitOptions): MemoryFit | Promise<MemoryFit>;
  /** The largest context for each of several settings. Undefined where nothing fits. */
  largestContexts(list: readonly LargestContextOptions[]): Promise<(number | undefined)[]>;
}

/**
 * Computes the memory of a model on this thread, and a list in pieces. The methods with lists throw the reason of `signal` once it is
 * aborted.
 */
export function memoryHere(gguf: Pick<Gguf, "memory" | "fit" | "largestContext">, signal: AbortSignal): MemorySource {
  const inTurn = async <Options, Result>(list: readonly Options[], compute: (options: Options) => Result) => {
    const pieces = new Pieces(signal);
    const results: Result[] = [];
    for (const options of list) {
      await pieces.rest();
      results.push(compute(options));
    }
    return results;
  };
  return {
    memory: (options) => gguf.memory(options),
    memories: (list) => inTurn(list, (options) => memoryUnlessRefused(gguf, options)),
    fit: (options) => gguf.fit(options),
    largestContexts: (list) => inTurn(list, (options) => gguf.largestContext(options)),
  };
}

/**
 * The memory of a model. Undefined if llama.cpp refuses the settings: the length of a head is no multiple of the blocks of a KV cache type,
 * for example.
 */
function memoryUnlessRefused(gguf: Pick<Gguf, "memory">, options: MemoryOptions): MemoryEstimate | undefined {
  try {
    return gguf.memory(options);
  } catch (error) {
    if (failureOf(error).code !== "invalid-argument") throw error;
    return undefined;
  }
}
