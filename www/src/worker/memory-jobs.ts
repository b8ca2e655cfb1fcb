/** What the worker for the memory does. */

import type { FitOptions, Gguf, LargestContextOptions, MemoryOptions } from "gguf-wasm/explain";
import type { HeaderFile } from "./header-source.ts";
import { memoryHere } from "./memory-source.ts";
import { openHeader } from "./open-header.ts";
import type { JobOptions } from "./serve.ts";

/** The options of a search as the worker gets them: with the header of the second file. */
export type SentContextOptions = Omit<LargestContextOptions, "draft"> & { readonly draft?: HeaderFile | undefined };

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
  async largestContexts(list: readonly SentContextOptions[], asking: JobOptions) {
    const opened = await Promise.all(
      list.map(async ({ draft, ...options }) => (draft ? { ...options, draft: await openHeader(draft) } : options)),
    );
    try {
      return await source(asking).largestContexts(opened);
    } finally {
      for (const { draft } of opened as readonly LargestContextOptions[]) draft?.free();
    }
  },
};

export type MemoryJobs = typeof MEMORY_JOBS;
