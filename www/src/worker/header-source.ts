import type { Gguf, GgufSources, OpenOptions } from "gguf-wasm/explain";
import { FULL } from "../gguf/full.ts";
import { compiledLibrary } from "../gguf/started-library.ts";

/** A file of which only the header is known. No data can be read. */
export interface HeaderFile {
  readonly header: Uint8Array<ArrayBuffer>;
  /** The size of the file, which the checks compare with the header. Undefined if it is not known. */
  readonly size: number | undefined;
  /** The compiled modules of the page. Absent or undefined: the worker fetches the one that it needs. */
  readonly modules?: Partial<Record<"library" | "full", WebAssembly.Module | undefined>>;
}

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

/** What `Gguf.open` needs for a file of which only the header and the size are known. No data can be read. */
export function headerSource(
  header: Uint8Array,
  size: number | undefined,
): [source: GgufSources["custom"], options: OpenOptions] {
  const read = () => Promise.reject(new Error("the data of the file is not known"));
  return [{ read, size }, { header }];
}
