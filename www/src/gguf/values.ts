/** `gguf-wasm`, which reads the values of tensors. */

import type { Gguf } from "gguf-wasm/explain";
import type * as values from "gguf-wasm/init";
import { loadModule } from "../ui/load-module.ts";
import { FULL, fullGguf } from "./full.ts";
import { lazyEntry } from "./start-module.ts";
import { takenOver } from "./taken-over.ts";

/** An open file whose values can be read. */
export type ValuesGguf = Pick<values.Gguf, "tensors" | "read" | "preview" | "statistics" | "toNpy">;

export const VALUES = lazyEntry(
  loadModule(() => import("gguf-wasm/init")),
  new URL("gguf-wasm/gguf_wasm_bg.wasm", import.meta.url),
);

const inValues = takenOver<values.Gguf>(VALUES.load);

/** An open file whose values can be read. It is valid until `freeFile`. */
export function valuesGguf(gguf: Gguf): Promise<ValuesGguf> {
  return FULL.started() ? fullGguf(gguf) : inValues(gguf);
}
