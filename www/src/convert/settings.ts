/** What a person chooses in the Convert panel, and the options of the package that follow from it. */

import type { Imatrix, RequantizeOptions } from "gguf-wasm/convert";

export interface ConvertSettings {
  /** The name of the file type. */
  readonly target: string;
  /** Whether quantized tensors may be quantized once more. */
  readonly allowRequantize: boolean;
  readonly imatrix: Imatrix | undefined;
  /** Whether all tensors get the main type of the file type. */
  readonly pure: boolean;
  readonly leaveOutputTensor: boolean;
  /** The types of `output.weight` and of the token embeddings; "" for those of the file type. */
  readonly outputTensorType: string;
  readonly tokenEmbeddingType: string;
  /** The typed numbers of the blocks that are left out. */
  readonly pruneLayers: string;
  /** The typed entries of the new file, one in each line. */
  readonly overrides: string;
  /** Whether a set of shards becomes as many files. */
  readonly keepSplit: boolean;
  /** Whether the errors of quantizing are measured. */
  readonly nmse: boolean;
}

/** Q4_K_M is what most people use. */
export const FIRST_SETTINGS: ConvertSettings = {
  target: "Q4_K_M",
  allowRequantize: false,
  imatrix: undefined,
  pure: false,
  leaveOutputTensor: false,
  outputTensorType: "",
  tokenEmbeddingType: "",
  pruneLayers: "",
  overrides: "",
  keepSplit: false,
  nmse: false,
};

/** The typed texts that cannot be read, and why. */
export type SettingProblems = Partial<Record<"pruneLayers" | "overrides", string>>;

const OVERRIDE = /^[^=]+=(?:int:[+-]?\d+|float:\S+|bool:(?:true|false)|str:.*)$/;

export function settingProblems({ pruneLayers, overrides }: ConvertSettings): SettingProblems {
  const wrong = overrideTexts(overrides).find((text) => !OVERRIDE.test(text));
  return {
    ...(/^\s*(?:\d{1,9}\s*(?:,\s*\d{1,9}\s*)*)?$/.test(pruneLayers)
      ? {}
      : { pruneLayers: "Type the numbers of blocks, with commas between them: 3, 7." }),
    ...(wrong === undefined
      ? {}
      : {
          overrides: `“${wrong.slice(0, 80)}” is no entry. Type KEY=TYPE:VALUE; the types are int, float, bool and str.`,
        }),
  };
}

/** The options of the package. The settings must have no problems. */
export function requantizeOptions(settings: ConvertSettings): RequantizeOptions {
  const { target: type, outputTensorType, tokenEmbeddingType, pruneLayers, overrides, imatrix, ...flags } = settings;
  const { allowRequantize, pure, leaveOutputTensor, keepSplit, nmse } = flags;
  return {
    type,
    imatrix,
    allowRequantize,
    pure,
    leaveOutputTensor,
    ...(outputTensorType === "" ? {} : { outputTensorType }),
    ...(tokenEmbeddingType === "" ? {} : { tokenEmbeddingType }),
    pruneLayers: pruneLayers.trim() === "" ? [] : pruneLayers.split(",").map(Number),
    overrides: overrideTexts(overrides),
    keepSplit,
    nmse,
  };
}

/** How many of the rare settings are not the first ones. */
export function rareChoices(settings: ConvertSettings): number {
  const { target, allowRequantize, imatrix, ...rare } = FIRST_SETTINGS;
  return Object.entries(rare).filter(([name, first]) => {
    const value = settings[name as keyof ConvertSettings];
    return typeof value === "string" ? value.trim() !== first : value !== first;
  }).length;
}

function overrideTexts(overrides: string): string[] {
  return overrides
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
