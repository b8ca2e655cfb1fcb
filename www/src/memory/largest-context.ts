import type { Gguf, MemoryEstimate, MemoryOptions } from "gguf-wasm";
import { type DeviceMemory, totalOf } from "./devices.ts";
import { secondEstimate, type SecondFile } from "./second-file.ts";
import { CONTEXT_STEP } from "./settings.ts";

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
  #second: SecondFile | undefined;
  #key = "";
  #found: Largest;

  of(gguf: Gguf, options: MemoryOptions, devices: readonly DeviceMemory[], second: SecondFile | undefined): Largest {
    const others = { ...options };
    delete others.contextLength;
    const key = JSON.stringify([others, devices.map(({ name, capacity }) => [name, capacity])]);
    if (this.#gguf === gguf && this.#second === second && this.#key === key) return this.#found;
    [this.#gguf, this.#second, this.#key] = [gguf, second, key];
    this.#found = search(gguf, others, devices, second);
    return this.#found;
  }
}

function search(
  gguf: Gguf,
  options: MemoryOptions,
  devices: readonly DeviceMemory[],
  second: SecondFile | undefined,
): Largest {
  const capacity = devices[0]?.capacity;
  if (capacity === undefined) return "unknown";
  if (gguf.tensors.length + (second?.gguf.tensors.length ?? 0) > MOST_TENSORS) return "skipped";
  const isOneMemory = devices.length === 1;
  const shortest = { ...options, contextLength: 256 };
  const least = gguf.memory(shortest);
  if (!isKnown(least)) return "unknown";
  // In one memory, all layers are on the GPU, and what the CPU has does not depend on the context.
  const onCpu = isOneMemory ? totalOf(least.devices[1]).high : 0;
  if (second?.role === "draft") {
    if (!isKnown(secondEstimate(second, shortest))) return "unknown";
    return searchWithDraft(gguf, options, second, (both) => takenOf(both, isOneMemory) <= capacity);
  }
  const besides = second === undefined ? 0 : takenOf(secondEstimate(second, shortest), isOneMemory);
  const free = capacity - onCpu - besides;
  return free < 0 ? undefined : gguf.largestContext({ ...options, bytes: free });
}

/** The cache of a draft model grows with the context, too. */
function searchWithDraft(
  gguf: Gguf,
  options: MemoryOptions,
  second: SecondFile,
  fits: (both: MemoryEstimate) => boolean,
): number | undefined {
  const fitsWith = (steps: number) => {
    const settings = { ...options, contextLength: steps * CONTEXT_STEP };
    return fits(gguf.memory({ ...settings, beside: [secondEstimate(second, settings)] }));
  };
  if (!fitsWith(1)) return undefined;
  // The largest number of steps is at least `fitting` and less than `tooMany`.
  let [fitting, tooMany] = [1, 2 ** 24];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fitsWith(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting * CONTEXT_STEP;
}

function isKnown({ weights, caches, compute }: MemoryEstimate): boolean {
  return weights !== undefined && caches !== undefined && compute !== undefined;
}

/** The memory that an estimate takes on the GPU, or on both devices, at most. */
function takenOf({ devices: [gpu, cpu] }: MemoryEstimate, isOneMemory: boolean): number {
  return totalOf(gpu).high + (isOneMemory ? totalOf(cpu).high : 0);
}
