// Uses the API of `gguf-wasm/reader` in a strict TypeScript program. It is type-checked but not run.

import * as main from "gguf-wasm";
import {
  Gguf,
  MetadataArray,
  ggmlTypes,
  type GgmlTypeInfo,
  type GgufError,
  type MetadataEntry,
  type MetadataValue,
  type TensorExtent,
  type TensorInfo,
} from "gguf-wasm/reader";
import { init, initSync } from "gguf-wasm/reader/init";
import * as inline from "gguf-wasm/reader/inline";
import { fileSource } from "gguf-wasm/reader/node";
import * as reader from "gguf-wasm/reader";

/** The main module exports everything that the reader exports. */
type NotInMain = Exclude<keyof typeof reader, keyof typeof main>;
/** The main module's `Gguf` has all members of the reader's `Gguf`. */
type MembersNotInMain = Exclude<keyof Gguf, keyof main.Gguf>;
/** The members of the main module's `Gguf` that the reader does not have. */
type MembersNotInReader = Exclude<keyof main.Gguf, keyof Gguf>;
/** The functions and classes of the main module that the reader does not have. */
type NotInReader = Exclude<keyof typeof main, keyof typeof reader>;

const nothing: NotInMain[] & never[] = [];
const noMembers: MembersNotInMain[] & never[] = [];
const members: Record<MembersNotInReader, true> = {
  read: true,
  preview: true,
  statistics: true,
  fileType: true,
  bitsPerWeight: true,
  validate: true,
  kind: true,
  classification: true,
  suggestFileName: true,
  memory: true,
  largestContext: true,
  specialTokens: true,
  tokenizer: true,
  edit: true,
  split: true,
  hash: true,
  toMarkdown: true,
  tensorsToCsv: true,
  tokensToCsv: true,
  chatTemplates: true,
  toNpy: true,
};
const exports: Record<NotInReader, true> = {
  dequantize: true,
  keys: true,
  keyInfo: true,
  architectures: true,
  architectureInfo: true,
  fileTypes: true,
  tensorRole: true,
  fileKinds: true,
  tokenizerModels: true,
  parseFileName: true,
  Editor: true,
  EditPlan: true,
  HeaderPlan: true,
  GgufWriter: true,
  GgufSet: true,
  Tokenizer: true,
  Hashes: true,
  NpyFile: true,
  manifestAlgorithms: true,
  compare: true,
  Comparison: true,
  listRepository: true,
  parseRepository: true,
  shardName: true,
  textHunks: true,
};

export async function open(source: string | Blob): Promise<string[]> {
  const gguf: Gguf = await Gguf.open(source, { signal: AbortSignal.timeout(1000), limits: { headerBytes: 1 << 20 } });
  const architecture: MetadataValue | undefined = gguf.metadata.get("general.architecture");
  const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
  const texts = tokens instanceof MetadataArray ? tokens.toArray() : [];
  const entry: MetadataEntry | undefined = gguf.entries[0];
  const tensor: TensorInfo | undefined = gguf.tensors[0];
  const extent: TensorExtent | undefined = tensor && gguf.extent(tensor);
  const bytes: Uint8Array<ArrayBuffer> | undefined = tensor && (await gguf.readBytes(tensor, { start: 0, end: 32 }));
  const types: readonly GgmlTypeInfo[] = ggmlTypes();
  // @ts-expect-error: the reader does not read values.
  void gguf.read;
  // @ts-expect-error: the reader does not edit.
  void gguf.edit;
  gguf.free();
  return [
    String(architecture),
    ...texts.map(String),
    entry?.key ?? "",
    String(extent?.end),
    String(bytes),
    types.join(),
  ];
}

export function codeOf(error: GgufError): string {
  return error.code;
}

export const all = [nothing, noMembers, members, exports, init, initSync, inline.Gguf, fileSource];
