/** The bytes of the blocks of a model, for the bars of the table. */

import type { TensorInfo } from "gguf-wasm/explain";
import { inPieces } from "../ui/in-pieces.ts";
import { formatPercent } from "../ui/numbers.ts";
import { blockOf } from "./tensor-rows.ts";

/** The bytes of all tensors of each block, by its name; by "" those of the tensors outside blocks. */
export type BlockSizes = ReadonlyMap<string, number>;

/**
 * The bytes of each block. A file may have a million tensors, so this is done in pieces.
 * @throws the reason of `signal` once it is aborted
 */
export async function blockSizes(tensors: readonly TensorInfo[], signal: AbortSignal): Promise<BlockSizes> {
  const sizes = new Map<string, number>();
  await inPieces(tensors.length, signal, (from, to) => {
    for (let at = from; at < to; at += 1) {
      const tensor = tensors[at];
      if (tensor?.byteLength === undefined) continue;
      const block = blockOf(tensor.name);
      sizes.set(block, (sizes.get(block) ?? 0) + tensor.byteLength);
    }
  });
  return sizes;
}

/** The share of a tensor in the bytes of its block. */
export interface BlockShare {
  /** From 0 to 1. */
  readonly part: number;
  /** "24.1% of blk.3", "80.0% outside blocks". */
  readonly words: string;
}

/** The share of a tensor. Undefined if its size is not known. */
export function blockShare(
  { name, byteLength }: Pick<TensorInfo, "name" | "byteLength">,
  sizes: BlockSizes,
): BlockShare | undefined {
  const block = blockOf(name);
  const whole = sizes.get(block) ?? 0;
  if (byteLength === undefined || whole === 0) return undefined;
  const percent = formatPercent(byteLength, whole);
  return { part: byteLength / whole, words: block === "" ? `${percent} outside blocks` : `${percent} of ${block}` };
}
