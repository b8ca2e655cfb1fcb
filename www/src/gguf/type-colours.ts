/**
 * The colour of each tensor type, also of Q4_2 and Q4_3 in models before GGUF, in the light and in the dark theme. The hue follows the bits
 * per weight: grey and muted for plain numbers, blue for 8 bits over green for 4 to red for 1, purple for codebooks. Types of one size differ in lightness. Every colour has a
 * contrast of 3 to 1 with the surfaces of its theme, and no two are closer than 0.05 in OKLab.
 */
export const TYPE_COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  F64: ["#5f5f5f", "#b1b1b1"],
  F32: ["#383838", "#808080"],
  F16: ["#63719d", "#b9c9f9"],
  BF16: ["#815140", "#d9a38f"],
  I8: ["#9e815f", "#fbdbb6"],
  I16: ["#4a4d34", "#979c80"],
  I32: ["#70775d", "#c7cfb2"],
  I64: ["#74906d", "#cdecc6"],
  Q8_0: ["#032c89", "#4b7bdf"],
  Q8_1: ["#3e57ad", "#91aefe"],
  Q8_K: ["#003a63", "#4b85b9"],
  Q6_K: ["#00688e", "#56bef0"],
  Q5_0: ["#00555d", "#39aab6"],
  Q5_1: ["#1d98a0", "#8af5fd"],
  Q5_K: ["#026f5d", "#6ec4af"],
  Q4_0: ["#05a069", "#80ffc0"],
  Q4_1: ["#5b6604", "#acba66"],
  Q4_2: ["#308454", "#5ade8a"],
  Q4_3: ["#2a9606", "#c6d200"],
  Q4_K: ["#005c00", "#5baf55"],
  MXFP4: ["#2f3f00", "#728b3c"],
  NVFP4: ["#759424", "#cdf186"],
  IQ4_NL: ["#452760", "#8f70af"],
  IQ4_XS: ["#503393", "#9c84ec"],
  Q3_K: ["#9f850c", "#fce076"],
  IQ3_XXS: ["#ab6ea8", "#fed0fb"],
  IQ3_S: ["#813d95", "#d891ef"],
  Q2_K: ["#a06403", "#febc70"],
  Q2_0: ["#693f00", "#cc872f"],
  TQ2_0: ["#602100", "#c36033"],
  IQ2_XXS: ["#9b3064", "#f986b7"],
  IQ2_XS: ["#630052", "#b7589f"],
  IQ2_S: ["#713052", "#c77ea1"],
  Q1_0: ["#9f3a04", "#fd8f64"],
  TQ1_0: ["#6d011f", "#c95462"],
  IQ1_S: ["#ad5262", "#ffb2bd"],
  IQ1_M: ["#8f0213", "#ef6660"],
};

/** The colour of types that are not in the table. */
export const OTHER_COLOUR = ["#878787", "#e1e1e1"] as const;

/** The name of the colour of a type: the type itself, for a block layout before GGUF (`Q4_0_V1`) the type that it became, or "other". */
export function colourName(type: string): string {
  const name = type.replace(/_V\d+$/, "");
  return Object.hasOwn(TYPE_COLOURS, name) ? name : "other";
}
