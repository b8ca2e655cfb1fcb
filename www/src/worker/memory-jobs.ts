/** What the worker for the memory does. */

import type { FitOptions, Gguf, LargestContextOptions, MemoryOptions } from "gguf-wasm";
import { type HeaderFile, openHeader } from "./header-source.ts";
import { memoryUnlessRefused } from "./memory-source.ts";

/** The file of the worker, once it is opened. */
let opened: Gguf | undefined;

function openedFile(): Gguf {
  if (!opened) throw new Error("the worker has no file");
  return opened;
}

export const MEMORY_JOBS = {
  /** Opens the file whose memory is computed from then on. */
  async open(file: HeaderFile): Promise<void> {
    opened = await openHeader(file);
  },

  memory: (options: MemoryOptions | undefined) => openedFile().memory(options),
  memories: (list: readonly MemoryOptions[]) => list.map((options) => memoryUnlessRefused(openedFile(), options)),
  fit: (options: FitOptions) => openedFile().fit(options),
  largestContext: (options: LargestContextOptions) => openedFile().largestContext(options),
};

export type MemoryJobs = typeof MEMORY_JOBS;
