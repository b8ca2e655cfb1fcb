/** What the worker for the memory does. */

import type { FitOptions, Gguf, LargestContextOptions, MemoryOptions } from "gguf-wasm";
import { type HeaderFile, openHeader } from "./header-source.ts";
import { memoryHere } from "./memory-source.ts";
import type { JobOptions } from "./serve.ts";

/** The file of the worker, once it is opened. */
let opened: Gguf | undefined;

function source({ signal }: JobOptions) {
  if (!opened) throw new Error("the worker has no file");
  return memoryHere(opened, signal);
}

export const MEMORY_JOBS = {
  /** Opens the file whose memory is computed from then on. */
  async open(file: HeaderFile): Promise<void> {
    opened = await openHeader(file);
  },

  /** Answers when the calls before have ended, or were interrupted. */
  becomeFree: () => undefined,

  memory: (options: MemoryOptions | undefined, asking: JobOptions) => source(asking).memory(options),
  memories: (list: readonly MemoryOptions[], asking: JobOptions) => source(asking).memories(list),
  fit: (options: FitOptions, asking: JobOptions) => source(asking).fit(options),
  largestContexts: (list: readonly LargestContextOptions[], asking: JobOptions) => source(asking).largestContexts(list),
};

export type MemoryJobs = typeof MEMORY_JOBS;
