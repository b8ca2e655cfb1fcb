/**
 * `gguf-wasm/full` in workers. Its scripts are in those of the worker: bundlers of other pages copy the script of a worker, but nothing that
 * it imports.
 */

import * as full from "gguf-wasm/full/init";
import type { FullGguf } from "../gguf/full.ts";
import { lazyEntry } from "../gguf/start-module.ts";
import { type HeaderFile, headerSource } from "./header-source.ts";

export const FULL = lazyEntry(
  () => Promise.resolve(full),
  new URL("gguf-wasm/full/gguf_wasm_full_bg.wasm", import.meta.url),
);

/** Opens a file of which only the header is known, in `gguf-wasm/full`. */
export async function openFullHeader({ header, size, modules }: HeaderFile): Promise<FullGguf> {
  FULL.give(modules?.full);
  const { Gguf } = await FULL.load();
  return Gguf.open(...headerSource(header, size));
}
