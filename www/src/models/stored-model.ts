/** The stored tensors of a model in the layout of Hugging Face, as the viewer shows them. */

import type { Gguf } from "gguf-wasm/explain";
import type { HubModel } from "gguf-wasm/models";
import { loadLibrary } from "../gguf/library.ts";
import type { SelfOpening } from "../gguf/model-source.ts";
import type { ModelOpening } from "./model-folder.ts";
import { openFolder } from "./open-folder.ts";

/** The stored tensors as a source of the viewer. */
export function storedModel(opening: ModelOpening, name: string): SelfOpening {
  return {
    name,
    async openModel(signal) {
      const [model, { Gguf }] = await Promise.all([openFolder(opening, signal), loadLibrary()]);
      const computed = model.gguf;
      const exact = Gguf.from(computed);
      return {
        gguf: storedView(exact, model),
        set: undefined,
        // The values can be read through the module that converts only.
        sources: [undefined],
        isSafetensors: true,
        free: () => {
          exact.free();
          computed.free();
          model.free();
        },
      };
    },
  };
}

/** The stored tensors: an object of the main module, which reads their values, without the places of a file that is nowhere. */
function storedView(exact: Gguf, model: HubModel): Gguf {
  const { parts, className, tensors: stored } = model;
  const fileSize = parts.reduce((sum, { size = 0 }) => sum + size, 0);
  const tensors = exact.tensors.map((tensor) => ({ ...tensor, fileOffset: undefined }));
  const left = stored.filter(({ viewType }) => viewType === undefined);
  const converted = stored.filter(({ viewType, dataType }) => viewType !== undefined && viewType !== dataType);
  const view = {
    tensors,
    tensor: (name: string) => tensors.find((tensor) => tensor.name === name),
    fileSize,
    requiredSize: fileSize,
    headerSize: undefined,
    dataOffset: undefined,
    format: "safetensors",
    ownFacts: [
      ...(className === undefined ? [] : [{ label: "Class", value: className }]),
      { label: "Files", value: String(parts.length) },
      ...(converted.length === 0 ? [] : [{ label: "Shown as F32", value: countsOf(converted) }]),
      ...(left.length === 0 ? [] : [{ label: "Not shown", value: countsOf(left) }]),
    ],
    classification: {
      ...exact.classification,
      kind: "safetensors",
      title: "Stored tensors",
      description:
        "The tensors of a model in safetensors, under their own names, with their own values. Offsets are those of this view, which is nowhere stored. Go back to convert the model to GGUF.",
      evidence: [],
    },
  };
  return Object.create(
    exact,
    Object.fromEntries(Object.entries(view).map(([name, value]) => [name, { value, enumerable: true }])),
  ) as Gguf;
}

/** How many tensors of each type there are: `F8_E4M3 (14)`. */
function countsOf(tensors: HubModel["tensors"]): string {
  const counts = new Map<string, number>();
  for (const { dataType } of tensors) counts.set(dataType, (counts.get(dataType) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${type} (${count})`).join(", ");
}
