/** A new file of a model before it is written: as the conversion gives it, or quantized in the same pass. */

import type { Finding, Gguf } from "gguf-wasm/explain";
import type { ConversionPlan } from "gguf-wasm/convert";
import { loadConvert } from "../convert/convert-module.ts";
import { convertedName } from "../convert/file-name.ts";
import { type ConvertSettings, FIRST_SETTINGS, requantizeOptions } from "../convert/settings.ts";
import type { WritablePlan } from "../convert/write-converted.ts";
import { baseName } from "../gguf/base-name.ts";
import { loadLibrary } from "../gguf/library.ts";
import { conversionOptions, isQuantized, type ModelChoices, projectorOptions } from "./choices.ts";
import type { PlannedModel } from "./model-folder.ts";
import type { ModelWorker } from "./model-worker.ts";

export interface PlannedFile {
  readonly planned: PlannedModel;
  /** All findings of the checks of the file before it is quantized. */
  readonly findings: readonly Finding[];
  /** The header of the new file. */
  readonly header: Gguf;
  /** The plan of quantizing it, if it is quantized. */
  readonly quantized: ConversionPlan | undefined;
  /** What writes the file. */
  readonly plan: WritablePlan;
  readonly fileName: string;
  free(): void;
}

/** Plans the file with the model of the text. */
export async function planModel(worker: ModelWorker, choices: ModelChoices, signal: AbortSignal): Promise<PlannedFile> {
  const planned = await worker.plan(conversionOptions(choices), signal);
  const { target, imatrix } = choices;
  const settings = isQuantized(choices) ? { ...FIRST_SETTINGS, target, imatrix } : undefined;
  return openPlanned(worker, planned, settings, signal);
}

/** Plans the file with the projector. */
export async function planProjector(
  worker: ModelWorker,
  choices: ModelChoices,
  signal: AbortSignal,
): Promise<PlannedFile> {
  const planned = await worker.plan(projectorOptions(choices), signal);
  return openPlanned(worker, planned, undefined, signal);
}

/** Opens a planned file as if it were written, and plans to quantize it if there are settings for that. */
async function openPlanned(
  worker: ModelWorker,
  planned: PlannedModel,
  settings: ConvertSettings | undefined,
  signal: AbortSignal,
): Promise<PlannedFile> {
  let gguf: Gguf | undefined;
  let header: Gguf | undefined;
  let quantized: ConversionPlan | undefined;
  const free = () => {
    quantized?.free();
    if (header !== gguf) header?.free();
    gguf?.free();
    worker.release(planned);
  };
  try {
    const { Gguf } = await loadLibrary();
    gguf = await Gguf.open(worker.source(planned), { signal });
    header = gguf;
    if (settings) {
      const { requantize } = await loadConvert();
      quantized = await requantize(gguf, requantizeOptions(settings));
      header = await Gguf.open(quantized.headerBytes());
    }
    signal.throwIfAborted();
    return {
      planned,
      findings: gguf.validate(),
      header,
      quantized,
      plan: quantized ?? ownPlan(worker, planned, gguf),
      fileName:
        quantized && settings ? convertedName(baseName(planned.suggestedName), settings.target) : planned.suggestedName,
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
