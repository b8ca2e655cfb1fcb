/** The file types as points of size and error, and the numbers in words. */

import type { ErrorEstimate, MixError } from "gguf-wasm/convert";
import { formatError } from "../../gguf/nmse.ts";

/** A file type of the curve. */
export interface QualityPoint {
  readonly name: string;
  /** The size of the new file in bytes. */
  readonly size: number;
  /** The error: with an importance matrix, the one that counts by importance. */
  readonly error: number;
  /** The error without the importance matrix, if both were measured. */
  readonly without: number | undefined;
  /** Whether no smaller file type, and none of the same size, has as small an error. */
  readonly isBest: boolean;
}

/** The file types of an estimate that lose something, by size. */
export function qualityPoints({ fileTypes }: Pick<ErrorEstimate, "fileTypes">): QualityPoint[] {
  let least = Infinity;
  return (
    [...fileTypes]
      .map((type) => ({
        name: type.name,
        size: type.size,
        error: errorOf(type),
        without: type.weightedErrorWithoutImportance,
      }))
      .filter(({ error }) => error > 0)
      // Two file types can make the same file: MXFP4_MOE of a model without experts is Q8_0. The short name is the usual one.
      .sort((a, b) => a.size - b.size || a.error - b.error || a.name.length - b.name.length)
      .map((point) => {
        const isBest = point.error < least;
        least = Math.min(least, point.error);
        return { ...point, isBest };
      })
  );
}

/** The file type with the least error that is not larger than `bytes`. Undefined if all are larger. */
export function bestWithin(points: readonly QualityPoint[], bytes: number): QualityPoint | undefined {
  return points.findLast(({ size, isBest }) => isBest && size <= bytes);
}

/** The error of a file that counts: by importance, if there is any. */
export function errorOf({
  weightedError,
  normalisedError,
}: Pick<MixError, "weightedError" | "normalisedError">): number {
  return weightedError ?? normalisedError;
}

/** The file types that the slider goes through: the best ones, and the chosen one. */
export function sliderPoints(points: readonly QualityPoint[], chosen: string): QualityPoint[] {
  return points.filter(({ name, isBest }) => isBest || name === chosen);
}

/**
 * The errors of tensors with the types of a plan, by position. Tensors whose type was not tried are left out. `kind` says how the weights
 * of a tensor count: each the same, as when errors are measured, or by importance if there is any.
 */
export function plannedErrors(
  { tensors }: Pick<ErrorEstimate, "tensors">,
  planned: readonly { readonly newType: string }[],
  kind: "equal" | "importance" = "importance",
): Map<number, number> {
  const errors = new Map<number, number>();
  for (const [row, { newType }] of planned.entries()) {
    const error = tensors[row]?.types.find(({ type }) => type === newType);
    if (error) errors.set(row, kind === "equal" ? error.normalisedError : errorOf(error));
  }
  return errors;
}

/** The mean of the errors of tensors, in which each weight counts the same. Undefined if the error of a tensor is not known. */
export function meanError(
  tensors: readonly { readonly elementCount: number }[],
  errors: ReadonlyMap<number, number>,
): number | undefined {
  if (tensors.some((_, row) => !errors.has(row))) return undefined;
  const total = tensors.reduce((sum, { elementCount }) => sum + elementCount, 0);
  const lost = tensors.reduce((sum, { elementCount }, row) => sum + elementCount * (errors.get(row) ?? 0), 0);
  return total > 0 ? lost / total : 0;
}

/** The tensors of a plan with the numbers of their weights. */
export function elementCounts({
  tensors,
}: {
  readonly tensors: readonly { readonly dimensions: readonly number[] }[];
}): { readonly elementCount: number }[] {
  return tensors.map(({ dimensions }) => ({ elementCount: dimensions.reduce((product, one) => product * one, 1) }));
}

/** "Error over all rows: 0.00671, estimated before: 0.00668." "" as long as not all tensors are measured. */
export function measuredWords(
  tensors: readonly { readonly elementCount: number }[],
  measured: ReadonlyMap<number, number>,
  estimated: ReadonlyMap<number, number> | undefined,
): string {
  const error = meanError(tensors, measured);
  if (error === undefined) return "";
  const before = estimated && meanError(tensors, estimated);
  const words = before === undefined ? "" : `, estimated before: ${formatError(before)}`;
  return `Error (NMSE) over all rows: ${formatError(error)}${words}.`;
}

/** How much smaller an error becomes, as a percentage. */
export function savedText(before: number, after: number): string {
  const share = before > 0 ? Math.round((1 - after / before) * 100) : 0;
  return share >= 0 ? `${share} % smaller` : `${-share} % larger`;
}
