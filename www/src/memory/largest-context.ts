import type { Gguf, LargestContextOptions, MemoryEstimate, MemoryOptions } from "gguf-wasm/explain";
import type { MemorySource } from "../worker/memory-source.ts";
import type { Machine } from "./machine.ts";
import { usableBytes, usableTogether } from "./room.ts";
import { secondEstimate, type SecondFile } from "./second-file.ts";
import { CONTEXT_STEP } from "./settings.ts";

/** Files with more tensors than any model has: a search would take minutes. */
const MOST_TENSORS = 50_000;

/**
 * A context in tokens; undefined if not even 256 tokens fit; `unknown` if it is not known what a context takes; `skipped` if the search
 * would take too long; `no-machine` if nobody has chosen a memory.
 */
export type Largest = number | undefined | "unknown" | "skipped" | "no-machine";

/** The largest context that fits on the machine beside a second file. The context of `options` does not matter. */
export async function largestContext(
  { tensors }: Pick<Gguf, "tensors">,
  source: MemorySource,
  options: MemoryOptions,
  machine: Machine,
  second: SecondFile | undefined,
): Promise<Largest> {
  const { cards, shared } = machine;
  if (cards === undefined) return "no-machine";
  if (tensors.length + (second?.gguf.tensors.length ?? 0) > MOST_TENSORS) return "skipped";
  const { contextLength, ...settings } = options;
  const shortest = { ...settings, contextLength: CONTEXT_STEP };
  // Without a card, everything is in the main memory.
  const isOneMemory = Boolean(shared) || cards.length === 0;
  const isKnown = ({ devices, together }: MemoryEstimate) =>
    isOneMemory
      ? together.total !== undefined
      : devices.every(({ name, total }) => name === "CPU" || total !== undefined);
  const beside = second && secondEstimate(second, shortest);
  const isDraft = second?.role === "draft";
  if (!isKnown(await source.memory(shortest)) || (isDraft && beside && !isKnown(beside))) return "unknown";
  const others = isDraft ? { draft: second.gguf } : beside ? { beside: [beside] } : {};
  const sizes = isOneMemory && !shared ? [usableTogether(machine)] : cards.map(usableBytes);
  const [bytes = 0] = sizes;
  if (sizes.some((size) => size !== bytes) && !isDraft) return longestOn(sizes, source, { ...settings, ...others });
  // Beside a draft model, cards of different sizes count as the smallest one.
  const asked: LargestContextOptions = { ...settings, ...others, bytes: Math.min(...sizes), sharedMemory: isOneMemory };
  return (await source.largestContexts([asked]))[0];
}

/** The largest context on cards of different sizes, with fixed settings. */
async function longestOn(
  gpuBytes: readonly number[],
  source: MemorySource,
  settings: Omit<MemoryOptions, "contextLength">,
): Promise<number | undefined> {
  const { choices } = await source.fit({ ...settings, gpuBytes, leastContext: CONTEXT_STEP });
  return choices[0]?.longestContext;
}
