import type { Gguf, MemoryEstimate, MemoryOptions } from "gguf-wasm";
import { type DeviceMemory, totalOf } from "./devices.ts";
import { secondEstimate, type SecondFile } from "./second-file.ts";
import { CONTEXT_STEP } from "./settings.ts";

/** Files with more tensors than any model has: a search would make the page wait. */
const MOST_TENSORS = 50_000;

/** llama.cpp counts the tokens of a context in 32 bits. Each sequence needs at least one step, and the sum is rounded up. */
const MOST_STEPS = (2 ** 32 - 2 ** 16) / CONTEXT_STEP - 1;

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
  const shortest = { ...options, contextLength: CONTEXT_STEP };
  const beside = second && secondEstimate(second, shortest);
  const isDraft = second?.role === "draft";
  if (!isKnown(gguf.memory(shortest)) || (isDraft && beside && !isKnown(beside))) return "unknown";
  const isOneMemory = devices.length === 1;
  if (!isOneMemory && !isDraft)
    return gguf.largestContext({ ...options, ...(beside ? { beside: [beside] } : {}), bytes: capacity });
  return largestSteps((steps) => {
    const settings = { ...options, contextLength: steps * CONTEXT_STEP };
    const { devices } = gguf.memory({ ...settings, ...(second ? { beside: [secondEstimate(second, settings)] } : {}) });
    return totalOf(devices[0]).high + (isOneMemory ? totalOf(devices[1]).high : 0) <= capacity;
  });
}

/**
 * The largest context for which `fits` holds, found in the page: `Gguf.largestContext` knows neither the memory of both devices nor a
 * second file with a context of its own.
 */
function largestSteps(fits: (steps: number) => boolean): number | undefined {
  if (!fits(1)) return undefined;
  // The largest number of steps is at least `fitting` and less than `tooMany`.
  let [fitting, tooMany] = [1, MOST_STEPS + 1];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting * CONTEXT_STEP;
}

function isKnown({ weights, caches, compute }: MemoryEstimate): boolean {
  return weights !== undefined && caches !== undefined && compute !== undefined;
}
