/** The answer of a comparison in words and numbers: size, bits per weight, context on the person's card, and error. */

import type { TensorInfo } from "gguf-wasm/explain";
import { formatError } from "../gguf/nmse.ts";
import { formatBytes, formatInteger } from "../ui/numbers.ts";
import type { CardContexts } from "./card-context.ts";
import type { Pairs } from "./errors/tensor-errors.ts";

/** The figures of one side. */
export interface SideFigures {
  /** The bytes of the file, or of all shards. Undefined if not known. */
  readonly size: number | undefined;
  /** Undefined if not known. */
  readonly bits: number | undefined;
}

/** The errors of the tensors of both files whose values differ. */
export interface ErrorFigures {
  readonly median: number;
  readonly largest: number;
  /** The tensor with the largest error. */
  readonly name: string;
  readonly isSampled: boolean;
}

/** "B is 812 MB larger, with 4.89 → 5.70 bits per weight." "" if neither is known. */
export function sizeWords(a: SideFigures, b: SideFigures): string {
  const bits = bitWords(a.bits, b.bits);
  if (a.size === undefined || b.size === undefined) return bits === "" ? "" : `B has ${bits}.`;
  const more = b.size - a.size;
  const size =
    more === 0
      ? `Both files have ${formatBytes(a.size)}`
      : `B is ${formatBytes(Math.abs(more))} ${more > 0 ? "larger" : "smaller"}`;
  return bits === "" ? `${size}.` : `${size}, with ${bits}.`;
}

/** "4.89 → 5.70 bits per weight", "4.89 bits per weight in both"; "" if one is not known. */
function bitWords(a: number | undefined, b: number | undefined): string {
  if (a === undefined || b === undefined) return "";
  const [from, to] = [a.toFixed(2), b.toFixed(2)];
  return from === to ? `${from} bits per weight in both` : `${from} → ${to} bits per weight`;
}

/** "On your 12 GB card: 52,480 → 38,144 tokens of context." "" if it is not known. */
export function contextWords({ card, a, b }: CardContexts): string {
  if (a === undefined || b === undefined) return "";
  if (a === "none" && b === "none") return `Neither fits whole on your ${card}.`;
  if (a === "none" || b === "none") {
    const [fits, other, context] = a === "none" ? ["B", "A", b] : ["A", "B", a];
    return `On your ${card}, ${fits} has ${formatInteger(Number(context))} tokens of context; ${other} does not fit whole.`;
  }
  return a === b
    ? `On your ${card}, both have ${formatInteger(a)} tokens of context.`
    : `On your ${card}: ${formatInteger(a)} → ${formatInteger(b)} tokens of context.`;
}

/** "Error of B against A (NMSE): 0.0021 in the median tensor, 0.013 in blk.0.attn_k.weight at most." */
export function errorSentence({ median, largest, name, isSampled }: ErrorFigures): string {
  const sample = isSampled ? ", of a sample" : "";
  return median === largest
    ? `Error of B against A (NMSE${sample}): ${formatError(largest)} in ${name}.`
    : `Error of B against A (NMSE${sample}): ${formatError(median)} in the median tensor, at most ${formatError(largest)} in ${name}.`;
}

/** The errors of the tensors that differ. Undefined if none is known. */
export function errorFigures(pairs: Pairs | undefined, tensors: readonly TensorInfo[]): ErrorFigures | undefined {
  const found = [...(pairs?.values() ?? [])]
    .flatMap(({ a, values }) => (values && values.nmse > 0 ? [{ a, values }] : []))
    .sort((one, other) => one.values.nmse - other.values.nmse);
  const [middle, last] = [found[found.length >> 1], found.at(-1)];
  if (!middle || !last) return undefined;
  return {
    median: middle.values.nmse,
    largest: last.values.nmse,
    name: tensors[last.a]?.name ?? "",
    isSampled: found.some(({ values }) => values.isSampled),
  };
}
