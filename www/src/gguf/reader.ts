import * as reader from "gguf-wasm/reader/init";
import { loadLibrary } from "./library.ts";
import { moduleStarter } from "./start-module.ts";

/** An open file of the reader. */
export type ReaderGguf = reader.Gguf;

/** Fetches and starts the reader, which shows headers. It is a quarter of `gguf-wasm/explain`. */
export const loadReader = moduleStarter(reader);

/** Fetches and starts the reader, and then `gguf-wasm/explain`. A failure is reported when a file is opened. */
export async function preloadModules(): Promise<void> {
  await loadReader().catch(() => undefined);
  await loadLibrary().catch(() => undefined);
}
