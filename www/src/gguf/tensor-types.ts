import type { TensorInfo } from "gguf-wasm";

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

/** Stored bits per weight, over the tensors whose size is known; undefined if there are none. */
export function bitsPerWeight(tensors: readonly TensorInfo[]): number | undefined {
  let bytes = 0;
  let elements = 0;
  for (const tensor of tensors) {
    if (tensor.byteLength === undefined || tensor.elementCount === undefined) continue;
    bytes += tensor.byteLength;
    elements += tensor.elementCount;
  }
  return elements > 0 ? (bytes * 8) / elements : undefined;
}

// The names of llama.cpp's `llama_ftype`, which is not the list of tensor types. 1024 is added if the type is guessed.
const FILE_TYPES = new Map<number, string>([
  [0, "F32"],
  [1, "F16"],
  [2, "Q4_0"],
  [3, "Q4_1"],
  [4, "Q4_1, some F16"],
  [7, "Q8_0"],
  [8, "Q5_0"],
  [9, "Q5_1"],
  [10, "Q2_K"],
  [11, "Q3_K_S"],
  [12, "Q3_K_M"],
  [13, "Q3_K_L"],
  [14, "Q4_K_S"],
  [15, "Q4_K_M"],
  [16, "Q5_K_S"],
  [17, "Q5_K_M"],
  [18, "Q6_K"],
  [19, "IQ2_XXS"],
  [20, "IQ2_XS"],
  [21, "Q2_K_S"],
  [22, "IQ3_XS"],
  [23, "IQ3_XXS"],
  [24, "IQ1_S"],
  [25, "IQ4_NL"],
  [26, "IQ3_S"],
  [27, "IQ3_M"],
  [28, "IQ2_S"],
  [29, "IQ2_M"],
  [30, "IQ4_XS"],
  [31, "IQ1_M"],
  [32, "BF16"],
  [36, "TQ1_0"],
  [37, "TQ2_0"],
  [38, "MXFP4_MOE"],
  [39, "NVFP4"],
  [40, "Q1_0"],
  [41, "Q2_0"],
]);

/** The name of the value of `general.file_type`. Some files store the name itself. */
export function fileTypeName(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  return FILE_TYPES.get(Number(value) & ~1024);
}

/** The type of most weights: the label of a model whose header has no file type. */
export function dominantType(tensors: readonly TensorInfo[]): string | undefined {
  let best: TypeShare | undefined;
  for (const share of typeShares(tensors)) if (!best || share.elements > best.elements) best = share;
  return best?.type;
}
