/** `gguf-wasm/full`: what edits, compares, splits, exports and hashes files, and asks hubs. It is loaded when a person does that. */

import type { Gguf } from "gguf-wasm/explain";
import type * as full from "gguf-wasm/full/init";
import { loadModule } from "../ui/load-module.ts";
import { lazyEntry } from "./start-module.ts";
import { takenOver } from "./taken-over.ts";

/** An open file of `gguf-wasm/full`. */
export type FullGguf = full.Gguf;

export const FULL = lazyEntry(
  loadModule(() => import("gguf-wasm/full/init")),
  new URL("gguf-wasm/full/gguf_wasm_full_bg.wasm", import.meta.url),
);

/** Fetches and starts `gguf-wasm/full`. */
export const loadFull = FULL.load;

/** Whether a file is open in `gguf-wasm/full`. */
export function isFull(gguf: Gguf): boolean {
  const started = FULL.started();
  return started !== undefined && gguf instanceof started.Gguf;
}

/** Gives an open file in `gguf-wasm/full`. It is valid until `freeFile`. */
export const fullGguf = takenOver<FullGguf>(loadFull);
