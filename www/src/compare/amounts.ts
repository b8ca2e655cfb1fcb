/** How much of the tensors' data a comparison reads. */

/** The choices besides everything, in bytes of both files together. */
export const SAMPLES: readonly number[] = [32 * 2 ** 20, 256 * 2 ** 20];

/** The most bytes that are read of both files together, or everything. */
export type Amount = number | "whole";

/** The choices for two files with `total` bytes of tensor data. */
export function amountsFor(total: number): Amount[] {
  return [...SAMPLES.filter((sample) => sample < total), "whole"];
}

/** The most bytes of both files together whose values are compared at once: of local files, and of downloads. */
const AT_ONCE = { local: 32 * 2 ** 20, remote: 8 * 2 ** 20 };

/** How much is read without being asked for. */
export function amountAtOnce(total: number, isRemote: boolean): Amount {
  const most = AT_ONCE[isRemote ? "remote" : "local"];
  return total <= most ? "whole" : most;
}

/** The choice that is set at first: local files are read whole, and of downloads a sample. */
export function firstAmount(total: number, isRemote: boolean): Amount {
  const [first = "whole"] = amountsFor(total);
  return isRemote ? first : "whole";
}
