/** The worker: opens the files of the page with the headers that the page has read, and reads values for requests. */

import * as values from "gguf-wasm/init";
import { lazyEntry } from "../gguf/start-module.ts";
import type { ValuesGguf } from "../gguf/values.ts";
import { type JobOptions, serve } from "../worker/serve.ts";
import { readValues } from "./read-values.ts";
import type { FileToOpen, ValueQuestion, ValueResponse } from "./value-messages.ts";

/** The scripts are in those of the worker: bundlers of other pages copy the script of a worker, but nothing that it imports. */
const VALUES = lazyEntry(() => Promise.resolve(values), new URL("gguf-wasm/gguf_wasm_bg.wasm", import.meta.url));

/** The number of retries, as for opening: a person is waiting. */
const RETRIES = 3;

/** The files of the model, by their numbers. */
const files = new Map<number, ValuesGguf>();

const JOBS = {
  async open({ file, source, headers, header, module }: FileToOpen): Promise<void> {
    VALUES.give(module);
    const { Gguf } = await VALUES.load();
    const options = { header, retries: RETRIES, ...(headers.length > 0 ? { headers } : {}) };
    files.set(file, await Gguf.open(source as string, options));
  },

  read({ file, question }: ValueQuestion, { signal, onProgress }: JobOptions): Promise<ValueResponse> {
    const gguf = files.get(file);
    if (!gguf) throw new Error("no file is open");
    return readValues(gguf, question, { signal, onProgress: (progress) => onProgress({ ...progress }) });
  },
};

export type ValueJobs = typeof JOBS;

/** The buffers of a response. They are transferred, not copied. */
function buffersOf(found: unknown): Transferable[] {
  if (ArrayBuffer.isView(found)) return [found.buffer as ArrayBuffer];
  const { mean, min, max } = (found ?? {}) as Partial<Record<"mean" | "min" | "max", unknown>>;
  if (!(mean instanceof Float32Array)) return [];
  return [...new Set([mean, min, max].map((cells) => (cells as Float32Array).buffer as ArrayBuffer))];
}

serve(JOBS, buffersOf);
