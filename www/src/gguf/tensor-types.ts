import type { TensorInfo } from "gguf-wasm/explain";
import { fileTypeId } from "./allowed-values.ts";
import { startedLibrary } from "./started-library.ts";

/** The share of one tensor type in a file. */
export interface TypeShare {
  type: string;
  tensors: number;
  elements: number;
  /** The bytes of the tensors whose size is known. */
  bytes: number;
}

/** The share of each type, the type with the most bytes first. */
export function typeShares(tensors: readonly TensorInfo[]): TypeShare[] {
  const shares = new Map<string, TypeShare>();
  for (const tensor of tensors) {
    let share = shares.get(tensor.type);
    if (!share) {
      share = { type: tensor.type, tensors: 0, elements: 0, bytes: 0 };
      shares.set(tensor.type, share);
    }
    share.tensors += 1;
    share.elements += tensor.elementCount ?? 0;
    share.bytes += tensor.byteLength ?? 0;
  }
  return [...shares.values()].sort(
    (a, b) => b.bytes - a.bytes || b.elements - a.elements || (a.type < b.type ? -1 : 1),
  );
}

/** Stored bits per weight, over all tensors; undefined if there are none, or if the size of one is not known. */
export function bitsPerWeight(tensors: readonly TensorInfo[]): number | undefined {
  let bytes = 0;
  let elements = 0;
  for (const tensor of tensors) {
    if (tensor.byteLength === undefined || tensor.elementCount === undefined) return undefined;
    bytes += tensor.byteLength;
    elements += tensor.elementCount;
  }
  return elements > 0 ? (bytes * 8) / elements : undefined;
}

/** The name of the value of `general.file_type`. Some files store the name itself. The main module knows the others. */
export function fileTypeName(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  const types = startedLibrary()?.fileTypes() ?? [];
  return types.find(({ id }) => id === fileTypeId(Number(value)))?.name;
}

/** The program that has tensor types of its own in a file. Undefined if all types are those of ggml. */
export function typesOwner(tensors: readonly TensorInfo[]): string | undefined {
  return tensors.find(({ typeOwner }) => typeOwner !== undefined)?.typeOwner;
}
