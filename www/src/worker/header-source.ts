import type { Gguf, GgufSources, OpenOptions } from "gguf-wasm";
import { compiledLibrary, giveLibrary, loadLibrary } from "../gguf/library.ts";

/** A file of which only the header is known. No data can be read. */
export interface HeaderFile {
  readonly header: Uint8Array<ArrayBuffer>;
  /** The size of the file, which the checks compare with the header. Undefined if it is not known. */
  readonly size: number | undefined;
  /** The compiled main module. Absent or undefined: the worker fetches it. */
  readonly module?: WebAssembly.Module | undefined;
}

const HEADERS = new WeakMap<Gguf, Uint8Array<ArrayBuffer>>();

/**
 * What a worker needs to open the header of an open file. The bytes are kept, because several workers need them, and a header of 5 MB takes
 * 20 ms.
 */
export function headerFile(gguf: Gguf): HeaderFile {
  const header = HEADERS.get(gguf) ?? gguf.headerBytes();
  HEADERS.set(gguf, header);
  return { header, size: gguf.fileSize, module: compiledLibrary() };
}

/** What `Gguf.open` needs for a file of which only the header and the size are known. No data can be read. */
export function headerSource(
  header: Uint8Array,
  size: number | undefined,
): [source: GgufSources["custom"], options: OpenOptions] {
  const read = () => Promise.reject(new Error("the data of the file is not known"));
  return [{ read, size }, { header }];
}

/** Opens a file of which only the header is known. */
export async function openHeader({ header, size, module }: HeaderFile): Promise<Gguf> {
  giveLibrary(module);
  const { Gguf } = await loadLibrary();
  return Gguf.open(...headerSource(header, size));
}
