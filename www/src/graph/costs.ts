/** What a node of the graph takes: its bytes, its bits per weight, and what is read and computed for a token. */

import type { TensorInfo } from "gguf-wasm/explain";
import type { ModelSource } from "../summary/architecture/model-source.ts";
import type { GraphNode } from "./graph-model.ts";

/** The share of a tensor that is used for one token. */
export type UsedShare = (tensor: TensorInfo) => number;

/** The figures of a node: of all blocks that it stands for. */
export interface Costs {
  readonly elements: number;
  readonly bytes: number;
  /** Undefined without weights. */
  readonly bits: number | undefined;
  /** The bytes of weights that are read for a token. */
  readonly read: number;
  /** The operations with weights for a token: a product with an element counts as two. */
  readonly operations: number;
}

/**
 * Which share of each tensor is used: only some experts, only one row of an embedding, and nothing of a block that guesses one more token:
 * llama.cpp skips it.
 */
export function usedShare({ architecture, metadata, tensors }: ModelSource): UsedShare {
  const number = (name: string) => {
    const value = metadata.get(`${architecture}.${name}`);
    return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
  };
  const [count, used] = [number("expert_count"), number("expert_used_count")];
  const ofExperts = count !== undefined && used !== undefined && count > 0 ? Math.min(1, used / count) : 1;
  const skipped = new Set(tensors.flatMap(({ name }) => /^blk\.\d+\.(?=nextn\.)/.exec(name) ?? []));
  return ({ name, dimensions }) => {
    // An encoder uses all positions for an image.
    if (/^[av]\./.test(name)) return 1;
    if (skipped.size > 0 && skipped.has(/^blk\.\d+\./.exec(name)?.[0] ?? "")) return 0;
    if (/_(?:ch)?exps\.|\.ffn_(?:gate|up|down)\.\d+\./.test(name)) return ofExperts;
    if (/(?:^|\.)(?:token_embd|position_embd|token_types|per_layer_token_embd)\.weight$/.test(name))
      return 1 / Math.max(1, dimensions[1] ?? 1);
    return 1;
  };
}

export function costsOf({ tensors, shared = [], kind }: GraphNode, shareOf: UsedShare): Costs {
  let [elements, bytes, sized, read, operations] = [0, 0, 0, 0, 0];
  for (const tensor of tensors) {
    const { byteLength, elementCount = 0, dimensions } = tensor;
    const share = shareOf(tensor);
    elements += elementCount;
    if (byteLength !== undefined) {
      bytes += byteLength;
      sized += elementCount;
      read += byteLength * share;
    }
    // A row of an embedding is only copied. What an encoder begins with is a product.
    if (kind !== "input" || /(?:patch_embd|conv\w*)[._]/.test(tensor.name))
      operations += (dimensions.length > 1 ? 2 : 1) * elementCount * share;
  }
  for (const tensor of shared) {
    const share = kind === "output" ? 1 : shareOf(tensor);
    read += (tensor.byteLength ?? 0) * share;
    if (kind === "output") operations += 2 * (tensor.elementCount ?? 0);
  }
  return { elements, bytes, bits: sized > 0 ? (8 * bytes) / sized : undefined, read, operations };
}
