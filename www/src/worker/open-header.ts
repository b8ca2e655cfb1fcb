/** Opens headers in a worker. */

import type { Gguf } from "gguf-wasm/explain";
import { loadLibrary } from "../gguf/library.ts";
import { giveLibrary } from "../gguf/started-library.ts";
import { type HeaderFile, headerSource } from "./header-source.ts";

/** Opens a file of which only the header is known. */
export async function openHeader({ header, size, modules }: HeaderFile): Promise<Gguf> {
  giveLibrary(modules?.library);
  const { Gguf } = await loadLibrary();
  return Gguf.open(...headerSource(header, size));
}
