/** What is opened as a model in the layout of Hugging Face. It can be posted to a worker. */

import type { HubModel, ModelPlan } from "gguf-wasm/models";

/** The files of a folder by their paths in it. */
export interface ModelFolder {
  readonly name: string;
  readonly files: Readonly<Record<string, File>>;
}

export type ModelOpening =
  | { readonly folder: ModelFolder }
  /** A repository, as links to this page have it, and the HTTP headers for the hub. */
  | { readonly repository: string; readonly headers: readonly (readonly [string, string])[] };

/** What is known of an opened model. */
export type ModelDescription = Pick<
  HubModel,
  | "name"
  | "className"
  | "architecture"
  | "size"
  | "parts"
  | "dataTypes"
  | "files"
  | "vocabulary"
  | "projector"
  | "obstacles"
> & { readonly tensors: readonly StoredTensor[] };

/** A stored tensor, as far as the plan shows it. */
export type StoredTensor = Pick<HubModel["tensors"][number], "name" | "dataType" | "shape">;

/** What is known of a planned file. */
export interface PlannedModel extends Pick<
  ModelPlan,
  "size" | "type" | "suggestedName" | "tensors" | "droppedTensors" | "defaultedKeys" | "findings"
> {
  /** Names the plan in the worker. */
  readonly id: number;
}

/** Whether the files are those of a LoRA adapter. It is no model of its own. */
export function isAdapter(files: readonly string[]): boolean {
  return files.includes("adapter_config.json");
}

/** What names of the tensors of encoders have in them. */
const ENCODERS = /(?:^|[._])(?:vision|visual|image|vit|audio|speech|sound)(?:[._]|$)/;

/** Whether a stored tensor is of an encoder of images or sound. */
export const isOfEncoder = (name: string): boolean => ENCODERS.test(name);

/** Whether a model reads images or sound, so that it has a projector, whether or not it can be made. */
export function hasEncoders({ projector, tensors }: Pick<ModelDescription, "projector" | "tensors">): boolean {
  return projector !== undefined || tensors.some(({ name }) => isOfEncoder(name));
}
