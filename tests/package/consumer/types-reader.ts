// Uses the API of `gguf-wasm/reader` in a strict TypeScript program. It is type-checked but not run.

import * as main from "gguf-wasm/full";
import {
  Gguf,
  MetadataArray,
  ggmlTypes,
  type GgmlTypeInfo,
  type GgufError,
  type MetadataEntry,
  type MetadataValue,
  type OtherEntry,
  type TensorExtent,
  type TensorInfo,
} from "gguf-wasm/reader";
import { init, initSync } from "gguf-wasm/reader/init";
import * as inline from "gguf-wasm/reader/inline";
import { fileSource } from "gguf-wasm/reader/node";
import * as reader from "gguf-wasm/reader";

/** `gguf-wasm/full` exports everything that the reader exports. */
type NotInMain = Exclude<keyof typeof reader, keyof typeof main>;
/** Its `Gguf` has all members of the reader's `Gguf`. */
type MembersNotInMain = Exclude<keyof Gguf, keyof main.Gguf>;

const nothing: NotInMain[] & never[] = [];
const noMembers: MembersNotInMain[] & never[] = [];

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
  const read: OtherEntry<"gguf-wasm"> = gguf.read;
  const edit: OtherEntry<"gguf-wasm/editor"> = gguf.edit;
  // @ts-expect-error: the reader does not read values.
  await gguf.read("output.weight");
  // @ts-expect-error: the reader does not edit.
  gguf.edit();
  gguf.free();
  return [
    String(architecture),
    ...texts.map(String),
    entry?.key ?? "",
    String(extent?.end),
    String(bytes),
    types.join(),
    String([read, edit]),
  ];
}

export function codeOf(error: GgufError): string {
  return error.code;
}

export const all = [nothing, noMembers, init, initSync, inline.Gguf, fileSource];
