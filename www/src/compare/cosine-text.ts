import type { ValueDifference } from "gguf-wasm/full";

/** Below this distance from 1, the distance itself is written: similar tensors differ in digits for which a table has no room. */
const CLOSE = 1e-4;

/** The cosine of two tensors: "0.998211", or "1 − 2.3e-7". Only for equal values it is "1"; "≈ 1" if it cannot be told from 1. */
export function cosineText({ cosine, nmse }: Pick<ValueDifference, "cosine" | "nmse">): string | undefined {
  if (cosine === undefined || Number.isNaN(cosine)) return undefined;
  const distance = 1 - Math.abs(cosine);
  const end = cosine < 0 ? "-1" : "1";
  if (distance >= CLOSE) return cosine.toFixed(6);
  // Rounding can make the cosine of equal tensors larger than 1.
  if (distance <= 0) return nmse === 0 ? end : `≈ ${end}`;
  return `${end} ${cosine < 0 ? "+" : "−"} ${distance.toExponential(1)}`;
}
