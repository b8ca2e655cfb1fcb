import type { Gguf, MemoryEstimate, MemoryOptions } from "gguf-wasm";
import type { MemorySource } from "../worker/memory-source.ts";
import { type DeviceMemory, totalOf } from "./devices.ts";
import { secondEstimate, type SecondFile } from "./second-file.ts";
import { CONTEXT_STEP } from "./settings.ts";

/** Files with more tensors than any model has: a search would take minutes. */
const MOST_TENSORS = 50_000;

/** llama.cpp counts the tokens of a context in 32 bits. Each sequence needs at least one step, and the sum is rounded up. */
const MOST_STEPS = (2 ** 32 - 2 ** 16) / CONTEXT_STEP - 1;

/**
 * A context in tokens; undefined if not even 256 tokens fit; `unknown` if it is not known what a context takes; `skipped` if the search
 * would take too long.
 */
export type Largest = number | undefined | "unknown" | "skipped";

/** The largest context that fits on the devices beside a second file. The context of `options` does not matter. */
export async function largestContext(
  { tensors }: Pick<Gguf, "tensors">,
  source: MemorySource,
  options: MemoryOptions,
  devices: readonly DeviceMemory[],
  second: SecondFile | undefined,
): Promise<Largest> {
  const capacity = devices[0]?.capacity;
  if (capacity === undefined) return "unknown";
  if (tensors.length + (second?.gguf.tensors.length ?? 0) > MOST_TENSORS) return "skipped";
  const shortest = { ...options, contextLength: CONTEXT_STEP };
  const isDraft = second?.role === "draft";
  const alone = await source.memory(shortest);
  const beside = second && secondEstimate(second, shortest);
  if (!isKnown(alone) || (isDraft && beside && !isKnown(beside))) return "unknown";
  const isOneMemory = devices.length === 1;
  if (!isOneMemory && !isDraft) {
    const { contextLength, ...others } = shortest;
    const asked = { ...others, ...(beside ? { beside: [beside] } : {}), bytes: capacity };
    return (await source.largestContexts([asked]))[0];
  }
  return largestSteps(async (steps) => {
    const settings = { ...options, contextLength: steps * CONTEXT_STEP };
    const both = second ? { ...settings, beside: [secondEstimate(second, settings)] } : settings;
    const { devices } = await source.memory(both);
    return totalOf(devices[0]).high + (isOneMemory ? totalOf(devices[1]).high : 0) <= capacity;
  });
}

/**
 * The largest context for which `fits` holds, found in the page: `Gguf.largestContext` knows neither the memory of both devices nor a
 * second file with a context of its own.
 */
async function largestSteps(fits: (steps: number) => Promise<boolean>): Promise<number | undefined> {
  if (!(await fits(1))) return undefined;
  // The largest number of steps is at least `fitting` and less than `tooMany`.
  let [fitting, tooMany] = [1, MOST_STEPS + 1];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (await fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting * CONTEXT_STEP;
}

function isKnown({ weights, caches, compute }: MemoryEstimate): boolean {
  return weights !== undefined && caches !== undefined && compute !== undefined;
}
