/** What the pictures of errors show, in words. */

import { formatError } from "../../gguf/nmse.ts";
import { formatTypes } from "../../summary/quantization-map/words.ts";
import { formatCount } from "../../ui/numbers.ts";
import { largestError, stateOf, type TensorError } from "./tensor-errors.ts";

/** "error 0.00231", "equal", "not compared yet", "not compared: only in A". Of several tensors: their largest error. */
export function errorWords(errors: readonly TensorError[]): string {
  const state = stateOf(errors);
  if (state === "pending") return "not compared yet";
  if (state === "unmeasured")
    return `not compared: ${[...new Set(errors.map(({ reason }) => reason))].slice(0, 3).join("; ")}`;
  const measured = errors.filter((error) => error.state === "measured");
  const largest = largestError(measured) ?? 0;
  const sampled = measured.some(({ isSampled }) => isSampled) ? " in the sample" : "";
  const left = errors.length - measured.length;
  const yet = errors.some((error) => error.state === "pending") ? " yet" : "";
  const others = left === 0 ? "" : `, ${formatCount(left, "tensor")} not compared${yet}`;
  return `${largest === 0 ? "equal" : `error ${formatError(largest)}`}${sampled}${others}`;
}

/** The types of tensors in both files: "F16 and Q4_K", or one if they are the same. */
export function typeWords(errors: readonly TensorError[]): string {
  const typesOf = (side: "tensor" | "other") => [...new Set(errors.flatMap((error) => error[side]?.type ?? []))];
  const [a, b] = [typesOf("tensor"), typesOf("other")].map((types) =>
    types.length > 3 ? `${types.length} types` : formatTypes(types),
  );
  return a === b || b === "" ? (a ?? "") : `${a} in A, ${b} in B`;
}

/** How many tensors were compared, are equal, and could not be compared. */
export function countWords(errors: readonly TensorError[], onlyInB: number): string {
  const count = (state: TensorError["state"]) => errors.filter((error) => error.state === state).length;
  const [measured, pending, unmeasured] = [count("measured"), count("pending"), count("unmeasured")];
  const equal = errors.filter(({ nmse }) => nmse === 0).length;
  const sentences = [
    pending > 0
      ? `${formatCount(measured, "tensor")} of ${measured + pending} compared so far, ${equal} equal.`
      : `${formatCount(measured, "tensor")} compared, ${equal} equal.`,
    unmeasured > 0 ? `${formatCount(unmeasured, "tensor")} of A not compared.` : "",
    onlyInB > 0 ? `${formatCount(onlyInB, "tensor")} only in B.` : "",
  ];
  return sentences.filter(Boolean).join(" ");
}
