import * as values from "gguf-wasm/init";
import { moduleStarter } from "../gguf/start-module.ts";
import type { Library } from "../gguf/started-library.ts";

/** What `gguf-wasm` has of the API of `gguf-wasm/full`. */
type Main = Pick<Library, "Gguf" | "ggmlTypes" | "parseShardName">;

// The API is the same as that of `gguf-wasm/full`, without what only other panels use.
const entry = values as unknown as Main & typeof values;

let isStarted = false;

/** Fetches and starts `gguf-wasm`, which reads headers and values. */
export const loadValues = moduleStarter(entry, () => {
  isStarted = true;
});

/** `gguf-wasm`, if it is started. */
export function startedValues(): Main | undefined {
  return isStarted ? entry : undefined;
}
