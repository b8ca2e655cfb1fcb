/**
 * The colour of each tensor type, also of Q4_2 and Q4_3 in models before GGUF: the colour of its bits per weight. Types with the same bits
 * have the same colour. The names beside the colours tell them apart.
 */

import { bitsColour, type ThemeColours } from "./bits-colours.ts";

/** The bits per weight of each type: the bytes of a block times 8, divided by its elements. */
export const TYPE_BITS: Readonly<Record<string, number>> = {
  F64: 64,
  F32: 32,
  F16: 16,
  BF16: 16,
  I8: 8,
  I16: 16,
  I32: 32,
  I64: 64,
  Q8_0: 8.5,
  Q8_1: 9,
  Q8_K: 9.125,
  Q6_K: 6.5625,
  Q5_0: 5.5,
  Q5_1: 6,
  Q5_K: 5.5,
  Q4_0: 4.5,
  Q4_1: 5,
  Q4_2: 5,
  Q4_3: 6,
  Q4_K: 4.5,
  MXFP4: 4.25,
  NVFP4: 4.5,
  IQ4_NL: 4.5,
  IQ4_XS: 4.25,
  Q3_K: 3.4375,
  IQ3_XXS: 3.0625,
  IQ3_S: 3.4375,
  Q2_K: 2.625,
  Q2_0: 2.25,
  TQ2_0: 2.0625,
  IQ2_XXS: 2.0625,
  IQ2_XS: 2.3125,
  IQ2_S: 2.5625,
  Q1_0: 1.125,
  TQ1_0: 1.6875,
  IQ1_S: 1.5625,
  IQ1_M: 1.75,
};

/** The colours by type. */
export const TYPE_COLOURS: Readonly<Record<string, ThemeColours>> = Object.fromEntries(
  Object.entries(TYPE_BITS).map(([type, bits]) => [type, bitsColour(bits)]),
);

/** The colour of types that are not in the table. */
export const OTHER_COLOUR = ["#878787", "#e1e1e1"] as const;

/** The name of the colour of a type: the type itself, for a block layout before GGUF (`Q4_0_V1`) the type that it became, or "other". */
export function colourName(type: string): string {
  const name = type.replace(/_V\d+$/, "");
  return Object.hasOwn(TYPE_COLOURS, name) ? name : "other";
}
