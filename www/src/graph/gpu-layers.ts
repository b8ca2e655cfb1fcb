/** Which tensors llama.cpp puts on the GPU. */

import type { TensorInfo } from "gguf-wasm/explain";

/** As llama.cpp places tensors: the last layers are on the GPU, the output is one more, and the input stays on the CPU. */
export function placesOf(layers: number, gpuLayers: number, cpuExperts: number): (tensor: TensorInfo) => boolean {
  const firstOnGpu = Math.max(0, layers + 1 - gpuLayers);
  return ({ name }) => {
    const block = /^(?:enc\.|dec\.)?blk\.(\d+)\./.exec(name)?.[1];
    if (block === undefined) return !/^(?:token_|position_embd|per_layer_token)/.test(name) && gpuLayers > layers;
    if (/_(?:ch)?exps\./.test(name) && Number(block) < cpuExperts) return false;
    return Number(block) >= firstOnGpu;
  };
}
