import type { Gguf, GgufSource } from "gguf-wasm/explain";

/** A file with tensor data. */
export interface ValueFile {
  readonly gguf: Gguf;
  /** Undefined if the file can be read only through `gguf`. */
  readonly source: GgufSource | undefined;
}

/** The place of a tensor: its file, and its index in this file. */
export interface TensorPlace {
  readonly file: ValueFile;
  readonly tensor: number;
}

/** The files of a model, and the place of each tensor. */
export interface ValueFiles {
  readonly files: readonly ValueFile[];
  /** The place of the tensor that has an index in the model. Undefined if there is no such tensor. */
  place(tensor: number): TensorPlace | undefined;
}

/** The files of a model that is one file. */
export function singleFile(gguf: Gguf, source: GgufSource | undefined): ValueFiles {
  const file = { gguf, source };
  return { files: [file], place: (tensor) => ({ file, tensor }) };
}
