/** Opens models in the formats before GGUF. Only the magic of a file leads here, because this loads the module that converts. */

import type { GgufSource } from "gguf-wasm/explain";
import type { LegacyFamily, LegacyModel, LegacyOptions } from "gguf-wasm/convert";
import { loadConvert } from "../convert/convert-module.ts";
import { type FullGguf, loadFull } from "../gguf/full.ts";
import type { OpenedModel, StoredFile } from "../gguf/opened-model.ts";
import { legacyView } from "./legacy-view.ts";

/** The name of a part after the first: `model.bin.1`. */
const PART_NUMBER = /\.(\d+)$/;

export type LegacyOpenOptions = Omit<LegacyOptions, "family"> & { family?: LegacyFamily | undefined };

/** Opens a model. Of a list of files, the order of the parts is that of the numbers in their names. */
export async function openLegacyModel(
  source: GgufSource | readonly GgufSource[],
  { family, ...options }: LegacyOpenOptions,
): Promise<OpenedModel> {
  const [{ openLegacy, legacyTypes }, { Gguf }] = await Promise.all([loadConvert(), loadFull()]);
  const parts = Array.isArray(source) ? inOrder(source as readonly GgufSource[]) : (source as GgufSource);
  const model: LegacyModel = await openLegacy(parts, { ...options, ...(family && { family }) });
  const exact = await Gguf.open(model.asGguf());
  const { retries, headers } = options;
  const opening = {
    ...(family && { family }),
    ...(retries !== undefined && { retries }),
    ...(headers && { headers: [...new Headers(headers)] }),
  };
  const stored = await storedFiles(parts, model, (part) => Gguf.open(part, { ...options, header: EMPTY_HEADER }));
  return {
    gguf: legacyView(exact, model),
    set: undefined,
    // The values can be read through the module that converts only.
    sources: [undefined],
    legacy: { model, opening: { source: parts, options: opening }, types: legacyTypes() },
    stored,
    free: () => {
      exact.free();
      model.gguf.free();
      for (const { gguf } of stored) gguf.free();
    },
  };
}

/** The header of a GGUF file without entries and tensors: magic, version 3, two counts. */
const EMPTY_HEADER = new Uint8Array([0x47, 0x47, 0x55, 0x46, 3, ...new Uint8Array(19)]);

/** The files of a model. Nothing is read of them. */
function storedFiles(
  source: GgufSource | readonly GgufSource[],
  { parts, fileName = "" }: LegacyModel,
  open: (part: GgufSource) => Promise<FullGguf>,
): Promise<StoredFile[]> {
  const files = parts.map(async (_, at) => {
    const part = Array.isArray(source) ? (source as readonly GgufSource[])[at] : partBeside(source as GgufSource, at);
    const name = part instanceof File ? part.name : `${fileName}${at === 0 ? "" : `.${at}`}`;
    return { name, gguf: await open(part as GgufSource), source: part as GgufSource };
  });
  return Promise.all(files);
}

/** The part with a number beside the first one: `model.bin.1?download=true` of `model.bin?download=true`. */
function partBeside(first: GgufSource, number: number): GgufSource {
  if (number === 0 || !(typeof first === "string" || first instanceof URL)) return first;
  const url = new URL(first);
  url.pathname += `.${number}`;
  return url.href;
}

function inOrder(sources: readonly GgufSource[]): GgufSource[] {
  const number = (source: GgufSource) => Number(PART_NUMBER.exec(source instanceof File ? source.name : "")?.[1] ?? 0);
  return sources.toSorted((a, b) => number(a) - number(b));
}
