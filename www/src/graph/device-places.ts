/** Which tensors are on the GPU of the person's machine, with the settings with which most of the model is. */

import type { Gguf, TensorInfo } from "gguf-wasm/explain";
import { usualMemory } from "../gguf/usual-memory.ts";
import { readMachine, RESERVE, USUAL_MAIN } from "../memory/machine.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { memorySource } from "../worker/file-memory.ts";
import { placesOf } from "./gpu-layers.ts";

const GIB = 2 ** 30;
/** The context for which the settings are found, in tokens. */
const CONTEXT = 8192;

export interface DevicePlaces {
  readonly isOnGpu: (tensor: TensorInfo) => boolean;
  /** What the places are for: "12 GB: 20 of 33 layers on the GPU". */
  readonly words: string;
}

/** What is on the devices, or a sentence that says why it is not known. */
export async function devicePlaces(gguf: Gguf, signal: AbortSignal): Promise<DevicePlaces | string> {
  const machine = readMachine();
  if (machine === undefined) return "Choose your GPU memory in Summary to see what of the model is on the GPU.";
  const { gpu, main = USUAL_MAIN } = machine;
  const layers = usualMemory(gguf).weights?.layerBytes.length;
  const { choices } = await memorySource(gguf, signal).fit({
    gpuBytes: Math.max(0, gpu - RESERVE) * GIB,
    machineBytes: main * GIB,
    leastContext: Math.min(CONTEXT, trainedContext(gguf)),
  });
  const [best] = choices;
  if (layers === undefined || best === undefined)
    return "It is not known what of the model would be on the GPU: no settings fit into your memory.";
  const { gpuLayers, cpuExperts } = best;
  const words =
    gpuLayers === 0
      ? "everything on the CPU"
      : `${formatInteger(Math.min(gpuLayers, layers + 1))} of ${formatCount(layers + 1, "layer")} on the GPU${
          cpuExperts > 0 ? `, experts of ${formatCount(cpuExperts, "layer")} on the CPU` : ""
        }`;
  return { isOnGpu: placesOf(layers, gpuLayers, cpuExperts), words: `${formatInteger(gpu)} GB: ${words}` };
}

function trainedContext({ metadata }: Gguf): number {
  const trained = Number(metadata.get(`${String(metadata.get("general.architecture"))}.context_length`));
  return trained > 0 ? trained : CONTEXT;
}
