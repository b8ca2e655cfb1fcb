import { loadLibrary } from "../gguf/library.ts";
import { loadReader } from "../gguf/reader.ts";

/** Fetches and starts the reader, and then `gguf-wasm/explain`. A failure is reported when a file is opened. */
export async function preloadModules(): Promise<void> {
  await loadReader().catch(() => undefined);
  await loadLibrary().catch(() => undefined);
}
