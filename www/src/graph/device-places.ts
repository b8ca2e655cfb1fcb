/** Which tensors are on the GPU of the person's machine, with the settings with which most of the model is. */

import type { Gguf, TensorInfo } from "gguf-wasm/explain";
import { findFit } from "../memory/fit.ts";
import { machineWords, readMachine } from "../memory/machine.ts";
import { cpuExperts, gpuLayers, modelFacts, mostGpuLayers } from "../memory/settings.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { memorySource } from "../worker/file-memory.ts";
import { placesOf } from "./gpu-layers.ts";

export interface DevicePlaces {
  readonly isOnGpu: (tensor: TensorInfo) => boolean;
  /** What the places are for: "12 GB: 20 of 33 layers on the GPU". */
  readonly words: string;
}

/** What is on the devices, or a sentence that says why it is not known. */
export async function devicePlaces(gguf: Gguf, signal: AbortSignal): Promise<DevicePlaces | string> {
  const machine = readMachine();
  const own = machineWords(machine);
  if (own === undefined) return "Choose your GPU memory in Summary to see what of the model is on the GPU.";
  const facts = modelFacts(gguf);
  const fit = await findFit(memorySource(gguf, signal), facts, machine);
  const [best] = fit?.ways ?? [];
  if (facts.layerCount === 0 || best === undefined)
    return "It is not known what of the model would be on the GPU: no settings fit into your memory.";
  const [layers, experts] = [gpuLayers(best.state, facts), cpuExperts(best.state, facts)];
  const words =
    layers === 0
      ? "everything on the CPU"
      : `${formatInteger(layers)} of ${formatCount(mostGpuLayers(facts), "layer")} on the GPU${
          experts > 0 ? `, experts of ${formatCount(experts, "layer")} on the CPU` : ""
        }`;
  return { isOnGpu: placesOf(facts.layerCount, layers, experts), words: `${own}: ${words}` };
}
