import type { GgufSources, OpenOptions } from "gguf-wasm";

/** What `Gguf.open` needs for a file of which only the header and the size are known. No data can be read. */
export function headerSource(
  header: Uint8Array,
  size: number | undefined,
): [source: GgufSources["custom"], options: OpenOptions] {
  const read = () => Promise.reject(new Error("the data of the file is not known"));
  return [{ read, size }, { header }];
}
