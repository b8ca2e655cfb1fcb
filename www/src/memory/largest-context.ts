import type { Gguf, MemoryOptions } from "gguf-wasm";
import type { DeviceMemory } from "./devices.ts";

/** Files with more tensors than any model has: a search would make the page wait. */
const MOST_TENSORS = 50_000;

/**
 * A context in tokens; undefined if not even 256 tokens fit; `unknown` if it is not known what a context takes; `skipped` if the search
 * would take too long.
 */
export type Largest = number | undefined | "unknown" | "skipped";

/** The largest context that fits. It does not depend on the chosen context, so moving that slider searches nothing. */
export class LargestContext {
  #gguf: Gguf | undefined;
  #key = "";
  #found: Largest;

  of(gguf: Gguf, options: MemoryOptions, devices: readonly DeviceMemory[]): Largest {
    const others = { ...options };
    delete others.contextLength;
    const key = JSON.stringify([others, devices.map(({ name, capacity }) => [name, capacity])]);
    if (this.#gguf === gguf && this.#key === key) return this.#found;
    [this.#gguf, this.#key] = [gguf, key];
    this.#found = search(gguf, others, devices);
    return this.#found;
  }
}

function search(gguf: Gguf, options: MemoryOptions, devices: readonly DeviceMemory[]): Largest {
  const capacity = devices[0]?.capacity;
  if (capacity === undefined) return "unknown";
  if (gguf.tensors.length > MOST_TENSORS) return "skipped";
  const least = gguf.memory({ ...options, contextLength: 256 });
  if (least.weights === undefined || least.caches === undefined || least.compute === undefined) return "unknown";
  const [, { weights, cache, state, output, compute }] = least.devices;
  // In one memory, all layers are on the GPU, and what the CPU has does not depend on the context.
  const besides = devices.length === 1 ? weights + cache + state + output + compute.high : 0;
  return besides > capacity ? undefined : gguf.largestContext({ ...options, bytes: capacity - besides });
}
