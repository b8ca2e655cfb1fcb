/** What a person chooses for the conversion of a model, and the options of the package that follow from it. */

import type { ProjectorType } from "gguf-wasm/common/projectors.js";
import type { Imatrix } from "gguf-wasm/convert";
import type { ModelConversionOptions } from "gguf-wasm/models";

/** The types that the conversion writes itself, and what they are good for. */
export const OWN_TYPES = [
  { type: "auto", title: "Auto", advice: "BF16 if the model is stored so, otherwise F16." },
  { type: "f16", title: "F16", advice: "16 bits. Runs everywhere." },
  { type: "bf16", title: "BF16", advice: "16 bits with the range of F32, as most models are trained." },
  { type: "f32", title: "F32", advice: "32 bits. For other tools, twice as large as F16." },
  { type: "q8_0", title: "Q8_0", advice: "8 bits. Hardly differs from F16." },
  { type: "tq1_0", title: "TQ1_0", advice: "For models that were trained with ternary weights." },
  { type: "tq2_0", title: "TQ2_0", advice: "As TQ1_0: faster and larger." },
] as const;

export type OwnType = (typeof OWN_TYPES)[number]["type"];

/** Which files are made of a model that has a projector. */
export const FILE_CHOICES = [
  { files: "both", title: "Model and projector", advice: "Two files, in one pass. For chats with images or sound." },
  { files: "model", title: "Model", advice: "The model of the text. It can be used alone." },
  { files: "projector", title: "Projector", advice: "The encoders of images and sound. Useful only with its model." },
] as const;

export type FileChoice = (typeof FILE_CHOICES)[number]["files"];

export interface ModelChoices {
  /** Which files are made. Without effect if the model has no projector. */
  readonly files: FileChoice;
  /** What the new file is: of a type of `OWN_TYPES`, or quantized to `target`. */
  readonly type: OwnType | "quantized";
  /** The file type of a quantized model. */
  readonly target: string;
  readonly projectorType: ProjectorType;
  readonly imatrix: Imatrix | undefined;
  /** The name of the pre-tokenizer; "" for the one that is found. */
  readonly pre: string;
  /** `general.name`; "" for the one that follows from the model. */
  readonly modelName: string;
  readonly fp8AsQ8: boolean;
  readonly vocabularyOnly: boolean;
}

/** Q4_K_M is what most people use. */
export const FIRST_CHOICES: ModelChoices = {
  files: "both",
  type: "auto",
  target: "Q4_K_M",
  projectorType: "auto",
  imatrix: undefined,
  pre: "",
  modelName: "",
  fp8AsQ8: false,
  vocabularyOnly: false,
};

/** The options of the conversion. A model that is quantized becomes F32 on the way, so that it is rounded once. */
export function conversionOptions(choices: ModelChoices): Omit<ModelConversionOptions, "signal"> {
  const { type, pre, fp8AsQ8, vocabularyOnly } = choices;
  const modelName = choices.modelName.trim();
  return {
    type: type === "quantized" ? "f32" : type,
    ...(pre === "" ? {} : { pre }),
    ...(modelName === "" ? {} : { modelName }),
    // The weights would be quantized twice.
    fp8AsQ8: fp8AsQ8 && type !== "quantized",
    vocabularyOnly,
  };
}

/** The options of the conversion of the projector. */
export function projectorOptions(choices: ModelChoices): Omit<ModelConversionOptions, "signal"> {
  const modelName = choices.modelName.trim();
  return { projector: true, type: choices.projectorType, ...(modelName === "" ? {} : { modelName }) };
}

/** Whether the new file is quantized after the conversion, in the same pass. */
export function isQuantized({ type, vocabularyOnly }: ModelChoices): boolean {
  return type === "quantized" && !vocabularyOnly;
}
