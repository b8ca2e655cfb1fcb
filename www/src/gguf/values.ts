/** `gguf-wasm`, which reads the values of tensors. */

import type { Gguf } from "gguf-wasm/explain";
import * as values from "gguf-wasm/init";
import { FULL, fullGguf } from "./full.ts";
import { moduleStarter } from "./start-module.ts";
import { takenOver } from "./taken-over.ts";

/** An open file whose values can be read. */
export type ValuesGguf = Pick<values.Gguf, "tensors" | "read" | "preview" | "statistics" | "toNpy">;

/** Fetches and starts `gguf-wasm`. */
export const loadValues = moduleStarter(values);

const inValues = takenOver<values.Gguf>(loadValues);

/** An open file whose values can be read. It is valid until `freeFile`. */
export function valuesGguf(gguf: Gguf): Promise<ValuesGguf> {
  return FULL.started() ? fullGguf(gguf) : inValues(gguf);
}
