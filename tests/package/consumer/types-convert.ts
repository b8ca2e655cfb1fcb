// Uses the API of `gguf-wasm/convert` in a strict TypeScript program. It is type-checked but not run.

import * as main from "gguf-wasm/full";
import {
  Gguf,
  openImatrix,
  requantize,
  type ConversionFinding,
  type ConversionPlan,
  type ConversionProgress,
  type ConversionTensor,
  type FileTypeEstimate,
  type Imatrix,
  type RequantizeOptions,
} from "gguf-wasm/convert";
import { init } from "gguf-wasm/convert/init";
import { fileSource } from "gguf-wasm/convert/node";
import * as reader from "gguf-wasm/reader";

export async function quantize(source: Blob, target: FileSystemFileHandle, signal: AbortSignal): Promise<number> {
  const imatrix: Imatrix = await openImatrix(source, { fileName: "model.imatrix.gguf", signal });
  const options: RequantizeOptions = {
    type: "Q4_K_M",
    imatrix,
    tensorTypes: ["attn_v=q8_0", { pattern: "ffn", type: "Q6_K" }],
    overrides: [{ key: "general.name", type: "str", value: "New" }],
    pruneLayers: [3],
    workers: undefined,
  };
  // Objects of every entry can be converted.
  await requantize(await main.GgufSet.open([source]), options);
  await requantize([await reader.Gguf.open(source), await main.Gguf.open(source)], options);
  const plan: ConversionPlan = await requantize(await Gguf.open(source), options);
  const tensor: ConversionTensor | undefined = plan.tensors[0];
  if (tensor) plan.setType(tensor, tensor.fallbackFrom);
  plan.setType("output.weight", undefined);
  const count: number = plan.setTypes("ffn_down", "Q6_K");
  const best: FileTypeEstimate | undefined = plan.largestFileType(8e9);
  const errors: ConversionFinding[] = plan.findings.filter(({ severity }) => severity === "error");
  const onProgress = ({ bytesWritten, quality }: ConversionProgress) =>
    console.log(
      bytesWritten,
      quality.map(({ normalisedError }) => normalisedError),
    );
  const [first] = plan.layout();
  await plan.stream({ start: first?.position, onProgress, signal }).cancel();
  await plan.writeTo(target, { onProgress, signal });
  // @ts-expect-error: a type is needed.
  await requantize(await Gguf.open(source), {});
  // @ts-expect-error: this entry does not edit.
  (await Gguf.open(source)).edit();
  return count + errors.length + (best?.size ?? 0);
}

export const all = [init, fileSource];
