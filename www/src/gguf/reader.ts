import * as reader from "gguf-wasm/reader/init";
import { moduleStarter } from "./start-module.ts";

/** An open file of the reader. */
export type ReaderGguf = reader.Gguf;

let isStarted = false;

/** Fetches and starts the reader, which shows headers. It is a seventh of `gguf-wasm/full`. */
export const loadReader = moduleStarter(reader, () => {
  isStarted = true;
});

/** The reader, if it is started. */
export function startedReader(): typeof reader | undefined {
  return isStarted ? reader : undefined;
}
