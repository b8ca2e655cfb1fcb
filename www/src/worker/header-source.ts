import type { GgufSources, OpenOptions } from "gguf-wasm/explain";

/** A file of which only the header is known. No data can be read. */
export interface HeaderFile {
  readonly header: Uint8Array<ArrayBuffer>;
  /** The size of the file, which the checks compare with the header. Undefined if it is not known. */
  readonly size: number | undefined;
  /** The compiled modules of the page. Absent or undefined: the worker fetches the one that it needs. */
  readonly modules?: Partial<Record<"library" | "full", WebAssembly.Module | undefined>>;
}

/** What `Gguf.open` needs for a file of which only the header and the size are known. No data can be read. */
export function headerSource(
  header: Uint8Array,
  size: number | undefined,
): [source: GgufSources["custom"], options: OpenOptions] {
  const read = () => Promise.reject(new Error("the data of the file is not known"));
  return [{ read, size }, { header }];
}
