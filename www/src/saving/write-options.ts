import type { WriteProgress } from "gguf-wasm/full";

/** How a file is written: with progress, until it is cancelled. */
export interface WriteOptions {
  signal: AbortSignal;
  onProgress: (progress: WriteProgress) => void;
}
