/**
 * THE table of how ggml's types store what they store: one sentence a type, after ggml-common.h. `d` is a block's scale, `m` its minimum, `q` what
 * is stored of a weight.
 */
const LAYOUTS = new Map<string, string>([
  ["F32", "Each number as a 32-bit float: 1 sign, 8 exponent and 23 fraction bits."],
  ["F64", "Each number as a 64-bit float: 1 sign, 11 exponent and 52 fraction bits."],
  ["F16", "Each number as a 16-bit float: 1 sign, 5 exponent and 10 fraction bits, so nothing beyond ±65,504."],
  ["BF16", "Each number as the upper half of a 32-bit float: 1 sign, 8 exponent and 7 fraction bits."],
  ["I8", "Each number as a signed integer of 1 byte."],
  ["I16", "Each number as a signed integer of 2 bytes."],
  ["I32", "Each number as a signed integer of 4 bytes."],
  ["I64", "Each number as a signed integer of 8 bytes."],
  ["Q4_0", "Blocks of 32 weights in 18 bytes: an f16 scale d and 4 bits a weight, read as d × (q − 8)."],
  [
    "Q4_1",
    "Blocks of 32 weights in 20 bytes: an f16 scale d, an f16 minimum m and 4 bits a weight, read as d × q + m.",
  ],
  [
    "Q5_0",
    "Blocks of 32 weights in 22 bytes: an f16 scale d and 5 bits a weight, the fifth bits apart in 4 bytes, read as d × (q − 16).",
  ],
  [
    "Q5_1",
    "Blocks of 32 weights in 24 bytes: an f16 scale d, an f16 minimum m and 5 bits a weight, the fifth bits apart in 4 bytes, read as d × q + m.",
  ],
  ["Q8_0", "Blocks of 32 weights in 34 bytes: an f16 scale d and a signed byte a weight, read as d × q."],
  [
    "Q8_1",
    "Blocks of 32 weights in 36 bytes: an f16 scale d, the f16 sum of the block for faster products, and a signed byte a weight, read as d × q.",
  ],
  [
    "Q2_K",
    "Super-blocks of 256 weights in 84 bytes: 16 groups of 16 with a 4-bit scale and a 4-bit minimum each, two f16 factors for these, 2 bits a weight.",
  ],
  [
    "Q3_K",
    "Super-blocks of 256 weights in 110 bytes: 16 groups of 16 with a 6-bit scale each, an f16 factor for these, 3 bits a weight, the third bits apart.",
  ],
  [
    "Q4_K",
    "Super-blocks of 256 weights in 144 bytes: 8 groups of 32 with a 6-bit scale and a 6-bit minimum each, two f16 factors for these, 4 bits a weight.",
  ],
  [
    "Q5_K",
    "Super-blocks of 256 weights in 176 bytes: 8 groups of 32 with a 6-bit scale and a 6-bit minimum each, two f16 factors for these, 5 bits a weight, the fifth bits apart.",
  ],
  [
    "Q6_K",
    "Super-blocks of 256 weights in 210 bytes: 16 groups of 16 with a signed 8-bit scale each, an f16 factor for these, 6 bits a weight, the upper two bits apart.",
  ],
  [
    "Q8_K",
    "Super-blocks of 256 weights in 292 bytes: a 32-bit float scale, a signed byte a weight, and the sums of 16 groups of 16; meant for intermediate results, not for files.",
  ],
  [
    "IQ1_S",
    "Super-blocks of 256 weights in 50 bytes: every 8 weights are one of 2,048 patterns of −1, 0 and 1; 8 groups of 32 with a 3-bit scale and a common shift each; an f16 factor.",
  ],
  [
    "IQ1_M",
    "Super-blocks of 256 weights in 56 bytes: every 8 weights are one of 2,048 patterns of −1, 0 and 1 and have a shift; 16 groups of 16 with a 3-bit scale each; an f16 factor whose bits lie among the scales.",
  ],
  [
    "IQ2_XXS",
    "Super-blocks of 256 weights in 66 bytes: every 8 weights are one of 256 patterns with 7 bits for the signs; 8 groups of 32 with a 4-bit scale each; an f16 factor.",
  ],
  [
    "IQ2_XS",
    "Super-blocks of 256 weights in 74 bytes: every 8 weights are one of 512 patterns with 7 bits for the signs; 16 groups of 16 with a 4-bit scale each; an f16 factor.",
  ],
  [
    "IQ2_S",
    "Super-blocks of 256 weights in 82 bytes: every 8 weights are one of 1,024 patterns with a bit for each sign; 16 groups of 16 with a 4-bit scale each; an f16 factor.",
  ],
  [
    "IQ3_XXS",
    "Super-blocks of 256 weights in 98 bytes: every 4 weights are one of 256 patterns, every 8 have 7 bits for the signs; 8 groups of 32 with a 4-bit scale each; an f16 factor.",
  ],
  [
    "IQ3_S",
    "Super-blocks of 256 weights in 110 bytes: every 4 weights are one of 512 patterns with a bit for each sign; 8 groups of 32 with a 4-bit scale each; an f16 factor.",
  ],
  [
    "IQ4_NL",
    "Blocks of 32 weights in 18 bytes: an f16 scale and 4 bits a weight, which choose one of 16 unevenly spaced numbers.",
  ],
  [
    "IQ4_XS",
    "Super-blocks of 256 weights in 136 bytes: 8 groups of 32 with a 6-bit scale each, an f16 factor for these, and 4 bits a weight, which choose one of 16 unevenly spaced numbers.",
  ],
  [
    "TQ1_0",
    "Blocks of 256 weights in 54 bytes: each is −d, 0 or d, five to a byte because 3⁵ is below 256, the last 16 four to a byte; an f16 scale d.",
  ],
  ["TQ2_0", "Blocks of 256 weights in 66 bytes: each is −d, 0 or d, in 2 bits; an f16 scale d."],
  [
    "MXFP4",
    "Blocks of 32 weights in 17 bytes: a scale that is a power of two, in a byte, and 4-bit floats of 1 sign, 2 exponent and 1 fraction bit.",
  ],
  [
    "NVFP4",
    "Blocks of 64 weights in 36 bytes: 4 groups of 16 with a scale each, an unsigned 8-bit float, and 4-bit floats of 1 sign, 2 exponent and 1 fraction bit.",
  ],
  ["Q1_0", "Blocks of 128 weights in 18 bytes: each is −d or d, in 1 bit; an f16 scale d."],
  ["Q2_0", "Blocks of 64 weights in 18 bytes: each is −d, 0, d or 2d, in 2 bits; an f16 scale d."],
]);

/** How a type stores its elements, in words; undefined for a type that nobody has described. */
export function blockLayout(type: string): string | undefined {
  return LAYOUTS.get(type);
}
