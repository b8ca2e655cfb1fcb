import type { Gguf } from "gguf-wasm/explain";
import { FULL } from "../gguf/full.ts";
import { compiledLibrary } from "../gguf/started-library.ts";
import type { HeaderFile } from "./header-source.ts";

/** The bytes of headers. Several workers need them, and those of 5 MB take 20 ms to make. */
const HEADERS = new WeakMap<Gguf, Uint8Array<ArrayBuffer>>();
/** Larger headers are made for each worker, so that they are not in memory twice. */
const MOST_KEPT = 32 << 20;

/** What a worker needs to open the header of an open file. */
export function headerFile(gguf: Gguf): HeaderFile {
  const header = HEADERS.get(gguf) ?? gguf.headerBytes();
  if (header.byteLength <= MOST_KEPT) HEADERS.set(gguf, header);
  return { header, size: gguf.fileSize, modules: { library: compiledLibrary(), full: FULL.compiled() } };
}
