/** The new file of a model before it is written: as the conversion gives it, or quantised in the same pass. */

import type { Gguf } from "gguf-wasm";
import type { ConversionPlan } from "gguf-wasm/convert";
import { loadConvert } from "../convert/convert-module.ts";
import { convertedName } from "../convert/file-name.ts";
import { FIRST_SETTINGS, requantizeOptions } from "../convert/settings.ts";
import type { WritablePlan } from "../convert/write-converted.ts";
import { baseName } from "../gguf/base-name.ts";
import { loadLibrary } from "../gguf/library.ts";
import { conversionOptions, isQuantised, type ModelChoices } from "./choices.ts";
import type { PlannedModel } from "./model-folder.ts";
import type { ModelWorker } from "./model-worker.ts";

export interface PlannedFile {
  readonly planned: PlannedModel;
  /** The header of the new file. */
  readonly header: Gguf;
  /** The plan of quantising it, if it is quantised. */
  readonly quantised: ConversionPlan | undefined;
  /** What writes the file. */
  readonly plan: WritablePlan;
  readonly fileName: string;
  free(): void;
}

/** Plans a file. */
export async function planFile(worker: ModelWorker, choices: ModelChoices, signal: AbortSignal): Promise<PlannedFile> {
  const planned = await worker.plan(conversionOptions(choices), signal);
  let gguf: Gguf | undefined;
  let header: Gguf | undefined;
  let quantised: ConversionPlan | undefined;
  const free = () => {
    quantised?.free();
    if (header !== gguf) header?.free();
    gguf?.free();
    worker.release(planned);
  };
  try {
    const { Gguf } = await loadLibrary();
    // The file of the conversion, as if it were written.
    gguf = await Gguf.open(worker.source(planned), { signal });
    header = gguf;
    const { target, imatrix } = choices;
    if (isQuantised(choices)) {
      const { requantize } = await loadConvert();
      quantised = await requantize(gguf, requantizeOptions({ ...FIRST_SETTINGS, target, imatrix }));
      header = await Gguf.open(quantised.headerBytes());
    }
    signal.throwIfAborted();
    return {
      planned,
      header,
      quantised,
      plan: quantised ?? ownPlan(worker, planned, gguf),
      fileName: quantised ? convertedName(baseName(planned.suggestedName), target) : planned.suggestedName,
      free,
    };
  } catch (error) {
    free();
    throw error;
  }
}

/** The plan of a file that the conversion writes itself. */
function ownPlan(worker: ModelWorker, planned: PlannedModel, { tensors }: Gguf): WritablePlan {
  const { size } = planned;
  const ends = tensors.map(({ fileOffset, byteLength }) => (fileOffset ?? 0) + (byteLength ?? 0));
  return {
    size,
    files: [{ size }],
    tensors,
    layout: () => tensors,
    stream: ({ start, signal, onProgress }) =>
      worker.stream(planned, {
        start,
        signal,
        onProgress: (position) =>
          onProgress({
            bytesWritten: position,
            totalBytes: size,
            tensorsDone: ends.filter((end) => end <= position).length,
            tensorCount: tensors.length,
            quality: [],
          }),
      }),
  };
}
