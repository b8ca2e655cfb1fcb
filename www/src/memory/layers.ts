/** The memory of each layer. */

import type { MemoryEstimate } from "gguf-wasm/explain";

/** A row of the table by layer. Sizes are in bytes. */
export interface LayerMemory {
  readonly title: string;
  readonly device: string;
  readonly weights: number;
  readonly cache: number;
  readonly state: number;
}

/** The input, the layers and the output. Empty if the layers are not known. */
export function layerMemories(
  { weights, caches = [], state }: MemoryEstimate,
  gpuLayers: number,
  cpuExperts: number,
): LayerMemory[] {
  if (weights === undefined || weights.layerBytes.length === 0) return [];
  const count = weights.layerBytes.length;
  const cache = new Map<number, number>();
  for (const { layerIndices, layerBytes } of caches)
    for (const [at, layer] of layerIndices.entries()) cache.set(layer, (cache.get(layer) ?? 0) + (layerBytes[at] ?? 0));
  const withState = new Set(state?.layerIndices);
  const stateBytes = state ? state.bytes / Math.max(1, withState.size) : 0;
  // The last layers are on the GPU, and the output counts as one more.
  const firstOnGpu = count + 1 - gpuLayers;
  const layers = weights.layerBytes.map((bytes, layer) => ({
    title: String(layer),
    device: layer < firstOnGpu ? "CPU" : layer < cpuExperts ? "GPU, experts CPU" : "GPU",
    weights: bytes,
    cache: cache.get(layer) ?? 0,
    state: withState.has(layer) ? stateBytes : 0,
  }));
  const onGpu = gpuLayers > 0;
  return [
    { title: "Input", device: "CPU", weights: weights.input, cache: 0, state: 0 },
    ...layers,
    {
      title: "Output",
      device: onGpu ? "GPU" : "CPU",
      weights: weights.output + (onGpu ? weights.tiedOutput : 0),
      cache: 0,
      state: 0,
    },
  ];
}
