/// <reference lib="esnext.disposable" />
import type { NodeFileHandle, NodeStream } from "./local-files.js";

declare module "./gguf_wasm.js" {
  interface GgufSources {
    /** A `FileHandle` of `node:fs/promises`. The caller closes it. */
    fileHandle: NodeFileHandle;
    /** A `Readable` of `node:stream`. It is read up to the end of the header, and then destroyed. */
    nodeStream: NodeStream;
  }
}

export * from "./gguf_wasm_api.js";
export { fileSource, type FileSource } from "./file-source.js";
export type { NodeFileHandle, NodeStream } from "./local-files.js";
