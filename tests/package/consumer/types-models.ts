// Uses the API of `gguf-wasm/models` in a strict TypeScript program. It is type-checked but not run.

import * as main from "gguf-wasm/full";
import { requantize } from "gguf-wasm/convert";
import {
  convertAdapter,
  mergeAdapter,
  openModel,
  type GgufError,
  type HubModel,
  type HubModelObstacle,
  type HubModelTensor,
  type HubModelVocabulary,
  type MergedModel,
  type MergedModelTensor,
  type MergedRows,
  type ModelConversionOptions,
  type ModelPlan,
  type ModelPlanTensor,
  type ModelSource,
} from "gguf-wasm/models";
import { init } from "gguf-wasm/models/init";
import { fileSource } from "gguf-wasm/models/node";

export async function convert(
  files: FileList,
  handle: FileSystemDirectoryHandle,
  target: FileSystemFileHandle,
  signal: AbortSignal,
): Promise<number> {
  const sources: ModelSource[] = [
    [...files],
    new URL("https://example.com/model/"),
    { repository: "owner/name", revision: undefined },
    { "config.json": new Blob(), "model.safetensors": "https://example.com/model.safetensors" },
  ];
  for (const source of sources)
    (await openModel(source, { folderName: "name", headers: { Authorization: "Bearer x" } })).free();
  const model: HubModel = await openModel(handle, { signal });
  const tensor: HubModelTensor | undefined = model.tensors[0];
  const vocabulary: HubModelVocabulary | undefined = model.vocabulary;
  const obstacle: HubModelObstacle | undefined = model.obstacles[0];
  const options: ModelConversionOptions = {
    type: "q8_0",
    pre: vocabulary?.probablePreTokenizers?.[0],
    metadata: { "general.author": "somebody" },
    signal,
  };
  const plan: ModelPlan = await model.convert(options).catch((error: GgufError) => {
    console.log(error.probablePreTokenizers?.join());
    throw error;
  });
  const planned: ModelPlanTensor | undefined = plan.tensors[0];
  const found: number = main.Gguf.from(plan.gguf).validate().length + plan.findings.length;
  await main.Gguf.open(plan);
  await (await requantize(plan.gguf, { type: "Q4_K_M" })).writeTo(target);
  await plan.stream({ start: 5, onProgress: ({ bytesWritten }) => console.log(bytesWritten), signal }).cancel();
  await plan.writeTo(target, { overwrite: true, signal });
  // @ts-expect-error: no such type.
  await model.convert({ type: "q4_0" });
  const adapter: ModelPlan = await convertAdapter(
    { repository: "owner/adapter" },
    { base: handle, type: "f16", signal },
  );
  const merged: MergedModel = mergeAdapter(plan.gguf, await main.Gguf.open(adapter), { scale: 0.5, types: "keep" });
  const rows: MergedRows = await merged.rows("output.weight", 0, 1, { signal });
  const changed: MergedModelTensor | undefined = merged.tensors.find(({ adapters }) => adapters > 0);
  console.log(rows.after[0], changed?.newType);
  await merged.writeTo(target, { overwrite: true, signal });
  // @ts-expect-error: the base model is missing.
  await convertAdapter("https://example.org/adapter/", {});
  // @ts-expect-error: this entry does not edit.
  plan.gguf.edit();
  return found + (tensor?.part ?? 0) + (obstacle?.code.length ?? 0) + (planned?.byteLength ?? 0);
}

export const all = [init, fileSource];
