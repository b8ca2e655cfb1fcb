// Uses the API of `gguf-wasm` in a strict TypeScript program. It is type-checked but not run.

import * as full from "gguf-wasm/full";
import { dequantize, Gguf, type NpyFile, type OtherEntry, type TensorPreview, type TensorStatistics } from "gguf-wasm";
import { init, initSync } from "gguf-wasm/init";
import * as inline from "gguf-wasm/inline";
import { fileSource } from "gguf-wasm/node";
import * as main from "gguf-wasm";
import * as reader from "gguf-wasm/reader";

/** `gguf-wasm/full` exports everything that the main entry exports, and the main entry everything that the reader exports. */
type NotInFull = Exclude<keyof typeof main, keyof typeof full>;
type NotInMain = Exclude<keyof typeof reader, keyof typeof main>;

const nothing: NotInFull[] & NotInMain[] & never[] = [];

export async function values(source: Blob): Promise<number> {
  const gguf: Gguf = await Gguf.open(source);
  const values: Float32Array = await gguf.read("output.weight", { start: 0, end: 32 });
  const preview: TensorPreview = await gguf.preview("output.weight");
  const statistics: TensorStatistics = await gguf.statistics("output.weight");
  const npy: NpyFile = gguf.toNpy("output.weight");
  const elsewhere: OtherEntry<"gguf-wasm/explain"> = gguf.validate;
  const kind: OtherEntry<"gguf-wasm/explain"> | undefined = gguf.kind;
  // @ts-expect-error: this entry does not check files.
  gguf.validate();
  // @ts-expect-error: this entry does not edit.
  gguf.edit();
  // @ts-expect-error: this entry hashes nothing.
  await gguf.hash();
  return preview.rows + statistics.count + npy.size + values.length + [elsewhere, kind].length;
}

/** Every file of a larger entry can be used as one of a smaller entry. */
export async function smaller(source: Blob): Promise<reader.Gguf[]> {
  const all: Gguf = await full.Gguf.open(source);
  return [all, await Gguf.open(source)];
}

export const all = [nothing, dequantize, init, initSync, inline.Gguf, fileSource];
