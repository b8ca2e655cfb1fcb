/** The numbers of flags, beside the title of the panel and in its heading. */

import type { FoundFlag } from "gguf-wasm/common/template-flags.js";
import { formatCount } from "../ui/numbers.ts";

/** The numbers of errors and of warnings, without those that are 0. */
export function flagCounts(flags: readonly FoundFlag[]): { severity: "error" | "warning"; count: number }[] {
  return (["error", "warning"] as const)
    .map((severity) => ({ severity, count: flags.filter((flag) => flag.severity === severity).length }))
    .filter(({ count }) => count > 0);
}

/** The numbers in words: "1 error and 2 warnings". */
export function flagWords(flags: readonly FoundFlag[]): string {
  return flagCounts(flags)
    .map(({ severity, count }) => formatCount(count, severity))
    .join(" and ");
}
