/** How much of the tensors' data a comparison reads. */

/** The choices besides everything, in bytes of both files together. */
export const SAMPLES: readonly number[] = [32 * 2 ** 20, 256 * 2 ** 20];

/** The most bytes that are read of both files together, or everything. */
export type Amount = number | "whole";

/** The choices for two files with `total` bytes of tensor data. */
export function amountsFor(total: number): Amount[] {
  return [...SAMPLES.filter((sample) => sample < total), "whole"];
}

/** The choice that is set at first: local files are read whole, and of downloads a sample. */
export function firstAmount(total: number, isRemote: boolean): Amount {
  const [first = "whole"] = amountsFor(total);
  return isRemote ? first : "whole";
}
