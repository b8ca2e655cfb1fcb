import type { GgmlTypeInfo } from "gguf-wasm/explain";
import { formatInteger } from "../ui/numbers.ts";

/**
 * The content of a block of each type, or of a number if the type has no blocks, after ggml-common.h. `d` is the scale of a block, `m` its
 * minimum, and `q` the stored number of a weight. The sizes of the blocks are not repeated here: the package has them.
 */
const CONTENTS: Readonly<Record<string, string>> = {
  F64: "a float with 1 sign bit, 11 exponent bits and 52 fraction bits",
  F32: "a float with 1 sign bit, 8 exponent bits and 23 fraction bits",
  F16: "a float with 1 sign bit, 5 exponent bits and 10 fraction bits; the largest number is 65,504",
  BF16: "the upper half of a 32-bit float: 1 sign bit, 8 exponent bits and 7 fraction bits",
  I8: "a signed integer",
  I16: "a signed integer",
  I32: "a signed integer",
  I64: "a signed integer",
  Q4_0: "an f16 scale d, and 4 bits for each weight; a weight is d × (q − 8)",
  Q4_1: "an f16 scale d, an f16 minimum m, and 4 bits for each weight; a weight is d × q + m",
  Q5_0: "an f16 scale d, and 5 bits for each weight, of which the fifth bits are stored separately in 4 bytes; a weight is d × (q − 16)",
  Q5_1: "an f16 scale d, an f16 minimum m, and 5 bits for each weight, of which the fifth bits are stored separately in 4 bytes; a weight is d × q + m",
  Q8_0: "an f16 scale d, and a signed byte for each weight; a weight is d × q",
  Q8_1: "an f16 scale d, the f16 sum of the block for faster products, and a signed byte for each weight; a weight is d × q",
  Q2_K: "16 groups of 16 weights, each with a 4-bit scale and a 4-bit minimum, two f16 factors for the scales and minimums, and 2 bits for each weight",
  Q3_K: "16 groups of 16 weights, each with a 6-bit scale, an f16 factor for the scales, and 3 bits for each weight, of which the third bits are stored separately",
  Q4_K: "8 groups of 32 weights, each with a 6-bit scale and a 6-bit minimum, two f16 factors for the scales and minimums, and 4 bits for each weight",
  Q5_K: "8 groups of 32 weights, each with a 6-bit scale and a 6-bit minimum, two f16 factors for the scales and minimums, and 5 bits for each weight, of which the fifth bits are stored separately",
  Q6_K: "16 groups of 16 weights, each with a signed 8-bit scale, an f16 factor for the scales, and 6 bits for each weight, of which the upper two bits are stored separately",
  Q8_K: "a 32-bit float scale, a signed byte for each weight, and the sums of 16 groups of 16 weights; the type is for intermediate results, not for files",
  IQ1_S:
    "every 8 weights are one of 2,048 patterns of −1, 0 and 1; 8 groups of 32 weights, each with a 3-bit scale and a common shift; an f16 factor for the scales",
  IQ1_M:
    "every 8 weights are one of 2,048 patterns of −1, 0 and 1 with a shift; 16 groups of 16 weights, each with a 3-bit scale; an f16 factor whose bits are stored among the scales",
  IQ2_XXS:
    "every 8 weights are one of 256 patterns with 7 bits for the signs; 8 groups of 32 weights, each with a 4-bit scale; an f16 factor for the scales",
  IQ2_XS:
    "every 8 weights are one of 512 patterns with 7 bits for the signs; 16 groups of 16 weights, each with a 4-bit scale; an f16 factor for the scales",
  IQ2_S:
    "every 8 weights are one of 1,024 patterns with a bit for each sign; 16 groups of 16 weights, each with a 4-bit scale; an f16 factor for the scales",
  IQ3_XXS:
    "every 4 weights are one of 256 patterns, and every 8 weights have 7 bits for the signs; 8 groups of 32 weights, each with a 4-bit scale; an f16 factor for the scales",
  IQ3_S:
    "every 4 weights are one of 512 patterns with a bit for each sign; 8 groups of 32 weights, each with a 4-bit scale; an f16 factor for the scales",
  IQ4_NL: "an f16 scale, and 4 bits for each weight, which choose one of 16 unevenly spaced numbers",
  IQ4_XS:
    "8 groups of 32 weights, each with a 6-bit scale, an f16 factor for the scales, and 4 bits for each weight, which choose one of 16 unevenly spaced numbers",
  TQ1_0:
    "an f16 scale d, and a digit with three values for each weight; a weight is −d, 0 or d. A byte holds five weights, because 3⁵ is less than 256; the last 16 weights take a byte for every four",
  TQ2_0: "an f16 scale d, and 2 bits for each weight; a weight is −d, 0 or d",
  MXFP4:
    "a scale in one byte, which is a power of two, and 4-bit floats with 1 sign bit, 2 exponent bits and 1 fraction bit",
  NVFP4:
    "4 groups of 16 weights, each with an unsigned 8-bit float as its scale, and 4-bit floats with 1 sign bit, 2 exponent bits and 1 fraction bit",
  Q1_0: "an f16 scale d, and 1 bit for each weight; a weight is −d or d",
  Q2_0: "an f16 scale d, and 2 bits for each weight; a weight is −d, 0, d or 2d",
};

/** The layout of a type in words; undefined if the type is not described here, or if ggml has removed it. */
export function blockLayout({ name, blockSize, typeSize }: GgmlTypeInfo): string | undefined {
  const content = Object.hasOwn(CONTENTS, name) ? CONTENTS[name] : undefined;
  if (content === undefined || blockSize === 0) return undefined;
  const unit =
    blockSize === 1
      ? `Numbers of ${formatInteger(typeSize * 8)} bits`
      : `Blocks of ${formatInteger(blockSize)} weights in ${formatInteger(typeSize)} bytes`;
  return `${unit}: ${content}.`;
}
