import type { GgmlTypeInfo, TensorInfo } from "gguf-wasm";
import { formatCount, formatInteger } from "../ui/numbers.ts";

/** Why the values of a tensor cannot be shown; undefined if they can. */
export function whyUnavailable(
  tensor: Pick<TensorInfo, "type" | "typeId" | "dimensions" | "elementCount" | "byteLength">,
  info: GgmlTypeInfo | undefined,
): string | undefined {
  if (!info)
    return `Its values cannot be shown: type ${tensor.typeId} is none that this page knows, so how numbers are stored in its bytes is not known. It may be newer than this page.`;
  if (info.blockSize === 0)
    return `Its values cannot be shown: ggml has removed the type ${info.name}, and how it stored numbers is no longer described. Files made since have another type.`;
  if (tensor.elementCount === 0) return "It has no elements.";
  if (tensor.byteLength === undefined) {
    const length = tensor.dimensions[0] ?? 1;
    return length % info.blockSize === 0
      ? "Its values cannot be shown: its header says more elements than any file could hold."
      : `Its values cannot be shown: a row of ${formatCount(length, "element")} is not made of whole blocks of ${formatInteger(info.blockSize)}, which no file of this type may have.`;
  }
  return undefined;
}
