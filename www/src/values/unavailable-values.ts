import type { GgmlTypeInfo, TensorInfo } from "gguf-wasm/explain";
import { formatCount, formatInteger } from "../ui/numbers.ts";

const BEYOND_END =
  "The values cannot be shown: the file ends before the data of this tensor. The usual cause is an interrupted download. Download the file again.";

/** Why the values of a tensor cannot be shown; undefined if they can. */
export function whyUnavailable(
  tensor: Pick<TensorInfo, "type" | "typeId" | "typeOwner" | "dimensions" | "elementCount" | "byteLength">,
  info: GgmlTypeInfo | undefined,
  isBeyondEnd: boolean,
): string | undefined {
  if (!info && tensor.typeOwner !== undefined) {
    // Another module knows whether the values can be read.
    return isBeyondEnd ? BEYOND_END : undefined;
  }
  if (!info)
    return `The values cannot be shown: this page does not know tensor type ${tensor.typeId}. The type may be newer than this page.`;
  if (info.blockSize === 0)
    return `The values cannot be shown: ggml has removed the type ${info.name} and no longer defines its layout. Look for a newer version of the model.`;
  if (tensor.elementCount === 0) return "The tensor has no elements.";
  if (tensor.byteLength === undefined) {
    const length = tensor.dimensions[0] ?? 1;
    return length % info.blockSize === 0
      ? "The values cannot be shown: the header declares more elements than a file can hold."
      : `The values cannot be shown: a row has ${formatCount(length, "element")}, which is not a multiple of the block size of ${info.name}, ${formatInteger(info.blockSize)}. The file is damaged.`;
  }
  return isBeyondEnd ? BEYOND_END : undefined;
}
