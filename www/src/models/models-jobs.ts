/** What is done with a model in the layout of Hugging Face in a worker: it is opened, its new file is planned, and its bytes are computed. */

import type { HubModel, ModelConversionOptions, ModelPlan } from "gguf-wasm/models";
import type { JobOptions } from "../worker/serve.ts";
import type { ModelDescription, ModelOpening, PlannedModel } from "./model-folder.ts";
import { openFolder } from "./open-folder.ts";

let model: HubModel | undefined;
/** The plans that the page has not released. */
const plans = new Map<number, ModelPlan>();
let last = 0;
let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;

function planOf(id: number): ModelPlan {
  const plan = plans.get(id);
  if (!plan) throw new Error("the worker has no such plan");
  return plan;
}

export const MODELS_JOBS = {
  /** Opens the model that the worker has from then on. */
  async open(opening: ModelOpening, { signal }: JobOptions): Promise<ModelDescription> {
    const opened = await openFolder(opening, signal);
    model?.free();
    model = opened;
    const { name, className, architecture, size, parts, dataTypes, files, vocabulary, projector, obstacles } = opened;
    return {
      name,
      className,
      architecture,
      size,
      parts,
      dataTypes,
      files,
      vocabulary,
      projector,
      obstacles,
      tensors: opened.tensors.map(({ name, dataType, shape }) => ({ name, dataType, shape })),
    };
  },

  /** Plans a new file. */
  async plan(options: Omit<ModelConversionOptions, "signal">, { signal }: JobOptions): Promise<PlannedModel> {
    if (!model) throw new Error("the worker has no model");
    const plan = await model.convert({ ...options, signal });
    if (signal.aborted) plan.free();
    signal.throwIfAborted();
    last += 1;
    plans.set(last, plan);
    const { size, type, suggestedName, tensors, droppedTensors, defaultedKeys, findings } = plan;
    return { id: last, size, type, suggestedName, tensors, droppedTensors, defaultedKeys, findings };
  },

  /** Bytes of a planned file. */
  read({ id, start, end }: { id: number; start: number; end: number }, { signal }: JobOptions): Promise<Uint8Array> {
    return planOf(id).read(start, end, { signal });
  },

  /** Begins to write a planned file from a position on. */
  async begin({ id, start }: { id: number; start: number }): Promise<void> {
    await reader?.cancel().catch(() => undefined);
    reader = planOf(id).stream({ start }).getReader();
  },

  /** The next bytes of the file that is written. Undefined after its end. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return (await reader?.read())?.value;
  },

  /** Ends a file before it is complete. */
  async end(): Promise<void> {
    await reader?.cancel().catch(() => undefined);
    reader = undefined;
  },

  /** Forgets a plan. */
  release(id: number): void {
    plans.get(id)?.free();
    plans.delete(id);
  },
};

export type ModelsJobs = typeof MODELS_JOBS;
