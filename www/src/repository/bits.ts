/** The bits per weight of the files of a repository. */

import type { FileTypeInfo, GgmlTypeInfo } from "gguf-wasm/explain";
import type { RepositoryFile } from "gguf-wasm/full";

export interface Bits {
  readonly value: number;
  /** The type that most tensors have, if the bits are those of this type. Undefined if they follow from the size of the file. */
  readonly ofType: string | undefined;
}

/** The bits of each type that a file's name can have. */
export type TypeBits = ReadonlyMap<string, Bits>;

/** The bits of the types of tensors and of files. A file type has the bits of the type of most of its tensors. */
export function typeBits(fileTypes: readonly FileTypeInfo[], tensorTypes: readonly GgmlTypeInfo[]): TypeBits {
  const bits = new Map<string, Bits>();
  for (const { name, blockSize, typeSize } of tensorTypes)
    if (blockSize > 0) bits.set(name, { value: (8 * typeSize) / blockSize, ofType: name });
  for (const { name, tensorType } of fileTypes) {
    const known = bits.get(tensorType);
    if (known) bits.set(name, known);
  }
  return bits;
}

/** The bits per weight of a file: from its size and the number of parameters, else from the type in its name. */
export function bitsOf({ bitsPerWeight, encoding }: RepositoryFile, known: TypeBits): Bits | undefined {
  if (bitsPerWeight !== undefined) return { value: bitsPerWeight, ofType: undefined };
  // Other programs add endings: Q4_K_XL is a mix like Q4_K_M.
  for (let name = encoding ?? ""; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("_")))) {
    const bits = known.get(name);
    if (bits) return bits;
  }
  return undefined;
}
