import type { Gguf } from "gguf-wasm/full";
import { loadLibrary } from "../gguf/library.ts";
import { giveLibrary } from "../gguf/started-library.ts";
import { type HeaderFile, headerSource } from "./header-source.ts";

/** Opens a file of which only the header is known, in a worker of the main module. */
export async function openHeader({ header, size, module }: HeaderFile): Promise<Gguf> {
  giveLibrary(module);
  const { Gguf } = await loadLibrary();
  return Gguf.open(...headerSource(header, size));
}
