/** The error of weights in words: everywhere the normalised mean squared error, with one name and as many digits. */

import { formatMeasured } from "../ui/numbers.ts";

/** The name of a column or an axis. */
export const ERROR_TITLE = "Error (NMSE)";

/** What the error means. */
export const ABOUT_ERROR =
  "The error is the normalised mean squared error (NMSE): the squared differences, divided by the squares of the original weights. Less is better; 0 is no loss.";

/** "0.00231", "5.4e-4". An error is measured in a sample, or differs from tensor to tensor: more digits say nothing. */
export function formatError(error: number): string {
  return formatMeasured(Number.isFinite(error) ? Number(error.toPrecision(3)) : error);
}
