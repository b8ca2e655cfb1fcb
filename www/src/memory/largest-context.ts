import type { Gguf, MemoryEstimate, MemoryOptions } from "gguf-wasm/explain";
import type { MemorySource } from "../worker/memory-source.ts";
import type { DeviceMemory } from "./devices.ts";
import { secondEstimate, type SecondFile } from "./second-file.ts";
import { CONTEXT_STEP } from "./settings.ts";

/** Files with more tensors than any model has: a search would take minutes. */
const MOST_TENSORS = 50_000;

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
  const { contextLength, ...settings } = options;
  const shortest = { ...settings, contextLength: CONTEXT_STEP };
  const isShared = devices.length === 1;
  const isKnown = ({ devices: [gpu], together }: MemoryEstimate) => (isShared ? together : gpu).total !== undefined;
  const beside = second && secondEstimate(second, shortest);
  const isDraft = second?.role === "draft";
  if (!isKnown(await source.memory(shortest)) || (isDraft && beside && !isKnown(beside))) return "unknown";
  const others = isDraft ? { draft: second.gguf } : beside ? { beside: [beside] } : {};
  const asked = { ...settings, ...others, bytes: capacity, sharedMemory: isShared };
  return (await source.largestContexts([asked]))[0];
}
