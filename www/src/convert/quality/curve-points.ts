/** The file types as points of size and error, and the numbers in words. */

import type { ErrorEstimate, MixError } from "gguf-wasm/convert";

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
  return [...fileTypes]
    .map((type) => ({
      name: type.name,
      size: type.size,
      error: errorOf(type),
      without: type.weightedErrorWithoutImportance,
    }))
    .filter(({ error }) => error > 0)
    .sort((a, b) => a.size - b.size || a.error - b.error)
    .map((point) => {
      const isBest = point.error < least;
      least = Math.min(least, point.error);
      return { ...point, isBest };
    });
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

/** The errors of tensors with the types of a plan, by position. Tensors whose type was not tried are left out. */
export function plannedErrors(
  { tensors }: Pick<ErrorEstimate, "tensors">,
  planned: readonly { readonly newType: string }[],
): Map<number, number> {
  const errors = new Map<number, number>();
  for (const [row, { newType }] of planned.entries()) {
    const error = tensors[row]?.types.find(({ type }) => type === newType);
    if (error) errors.set(row, errorOf(error));
  }
  return errors;
}

/** The mean error of a plan, in which each weight counts the same. Undefined if the type of a tensor was not tried. */
export function plannedError(
  estimate: Pick<ErrorEstimate, "tensors">,
  planned: readonly { readonly newType: string }[],
): number | undefined {
  const errors = plannedErrors(estimate, planned);
  if (errors.size < planned.length) return undefined;
  const total = estimate.tensors.reduce((sum, { elementCount }) => sum + elementCount, 0);
  const lost = estimate.tensors.reduce((sum, { elementCount }, row) => sum + elementCount * (errors.get(row) ?? 0), 0);
  return total > 0 ? lost / total : 0;
}

/** A measured error with two or three significant digits. */
export function errorText(error: number): string {
  if (error === 0) return "0";
  return error >= 0.001 ? error.toFixed(4) : error.toExponential(1);
}

/** How much smaller an error becomes, as a percentage. */
export function savedText(before: number, after: number): string {
  const share = before > 0 ? Math.round((1 - after / before) * 100) : 0;
  return share >= 0 ? `${share} % smaller` : `${-share} % larger`;
}
