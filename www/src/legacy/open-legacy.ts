/** Opens models in the formats before GGUF. Only the magic of a file leads here, because this loads the module that converts. */

import type { GgufSource } from "gguf-wasm";
import type { LegacyFamily, LegacyModel, LegacyOptions } from "gguf-wasm/convert";
import { loadConvert } from "../convert/convert-module.ts";
import { loadLibrary } from "../gguf/library.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { legacyView } from "./legacy-view.ts";

/** The name of a part after the first: `model.bin.1`. */
const PART_NUMBER = /\.(\d+)$/;

export type LegacyOpening = Omit<LegacyOptions, "family"> & { family?: LegacyFamily | undefined };

/** Opens a model. Of a list of files, the order of the parts is that of the numbers in their names. */
export async function openLegacyModel(
  source: GgufSource | readonly GgufSource[],
  { family, ...options }: LegacyOpening,
): Promise<OpenedModel> {
  const [{ openLegacy, legacyTypes }, { Gguf }] = await Promise.all([loadConvert(), loadLibrary()]);
  const parts = Array.isArray(source) ? inOrder(source as readonly GgufSource[]) : (source as GgufSource);
  const model: LegacyModel = await openLegacy(parts, { ...options, ...(family && { family }) });
  const exact = await Gguf.open(model.asGguf());
  return {
    gguf: legacyView(exact, model),
    set: undefined,
    // The values can be read through the module that converts only.
    sources: [undefined],
    legacy: { model, types: legacyTypes() },
    free: () => {
      exact.free();
      model.gguf.free();
    },
  };
}

function inOrder(sources: readonly GgufSource[]): GgufSource[] {
  const number = (source: GgufSource) => Number(PART_NUMBER.exec(source instanceof File ? source.name : "")?.[1] ?? 0);
  return sources.toSorted((a, b) => number(a) - number(b));
}
