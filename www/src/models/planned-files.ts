/** The new files of a model before they are written: the model of the text, its projector, or both. */

import { isPassing } from "../convert/resumption.ts";
import type { WritablePlan } from "../convert/write-converted.ts";
import { type Failure, failureOf } from "../gguf/failure.ts";
import type { FileChoice, ModelChoices } from "./choices.ts";
import type { ModelWorker } from "./model-worker.ts";
import { planModel, planProjector, type PlannedFile } from "./planned-file.ts";

export interface PlannedFiles {
  readonly model: PlannedFile | undefined;
  readonly projector: PlannedFile | undefined;
  /** Why there is no projector, although it was wanted. */
  readonly refusal: Failure | undefined;
  /** The files: the model first. */
  readonly list: readonly PlannedFile[];
  /** What writes them, one after the other. */
  readonly plan: WritablePlan;
  free(): void;
}

/**
 * Plans the files. If both are wanted and no projector can be made of the model, the model is planned alone.
 *
 * @param files Which files the model can have and the person wants.
 */
export async function planFiles(
  worker: ModelWorker,
  files: FileChoice,
  choices: ModelChoices,
  signal: AbortSignal,
): Promise<PlannedFiles> {
  let model: PlannedFile | undefined;
  let projector: PlannedFile | undefined;
  let refusal: Failure | undefined;
  const free = () => {
    model?.free();
    projector?.free();
  };
  try {
    if (files !== "projector") model = await planModel(worker, choices, signal);
    if (files !== "model") {
      try {
        projector = await planProjector(worker, choices, signal);
      } catch (error) {
        // A failure of the network says nothing about the projector.
        if (!model || signal.aborted || isPassing(error)) throw error;
        refusal = failureOf(error);
      }
    }
    const list = [model, projector].filter((file) => file !== undefined);
    return { model, projector, refusal, list, plan: joinedPlan(list.map(({ plan }) => plan)), free };
  } catch (error) {
    free();
    throw error;
  }
}

/** Several plans as one, whose files are written one after the other. */
function joinedPlan(plans: readonly WritablePlan[]): WritablePlan {
  const [only] = plans;
  if (only && plans.length === 1) return only;
  const places = plans.flatMap((plan) => plan.files.map((_, file) => ({ plan, file })));
  const placeOf = (file: number) => {
    const place = places[file];
    if (!place) throw new RangeError(`there is no file ${file}`);
    return place;
  };
  return {
    size: plans.reduce((sum, { size }) => sum + size, 0),
    files: plans.flatMap(({ files }) => files),
    tensors: { length: plans.reduce((sum, { tensors }) => sum + tensors.length, 0) },
    layout(at) {
      const { plan, file } = placeOf(at);
      return plan.layout(file);
    },
    stream({ file: at, ...options }) {
      const { plan, file } = placeOf(at);
      return plan.stream({ ...options, file });
    },
  };
}
