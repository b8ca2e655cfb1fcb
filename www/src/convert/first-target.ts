/** The file types that people choose most, and the one that is chosen first. */

import type { FileTypeEstimate } from "gguf-wasm/convert";

/** What most people use, and what is left if the model is not larger than that. */
const FIRST_CHOICES = ["Q4_K_M", "Q3_K_M", "Q2_K"] as const;

/** The file types that are listed before a person asks for all: one for each size. */
export const COMMON_TYPES: ReadonlySet<string> = new Set([
  "F16",
  "BF16",
  "Q8_0",
  "Q6_K",
  "Q5_K_M",
  "Q4_K_M",
  "IQ4_XS",
  "Q3_K_M",
  "Q2_K",
]);

/**
 * The file type that is chosen first for a model of a size: the first of the usual ones that makes it smaller. If none does, or if the size
 * is not known, it is the usual one.
 */
export function firstTarget(types: readonly FileTypeEstimate[], size: number | undefined): string {
  const smaller = FIRST_CHOICES.find((name) => {
    const type = types.find((one) => one.name === name);
    return type !== undefined && size !== undefined && type.size < size * ENOUGH;
  });
  return smaller ?? FIRST_CHOICES[0];
}

/** A file of the same type may be a few bytes smaller, because its header is written anew. */
const ENOUGH = 0.99;
