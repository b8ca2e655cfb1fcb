import type { EditPlan, Finding } from "gguf-wasm";
import { bytes, counted } from "./format.ts";

/** What writing a plan means, in figures. */
export interface PlanSummary {
  inPlace: boolean;
  size: number;
  /** Bytes more or less than the original has. */
  growth: number;
  /** Bytes that are other than in the original, where that is few. */
  rewritten: number;
  places: number;
  /** Whether tensor data is written in the other byte order. */
  swaps: boolean;
  errors: readonly Finding[];
  warnings: readonly Finding[];
}

type Plan = Pick<EditPlan, "size" | "inPlace" | "findings"> & {
  patches(): readonly { bytes: { length: number } }[] | undefined;
  segments(): readonly { kind: string }[];
};

export function planSummary(plan: Plan, originalSize: number): PlanSummary {
  const patches = plan.patches() ?? [];
  return {
    inPlace: plan.inPlace,
    size: plan.size,
    growth: plan.size - originalSize,
    rewritten: patches.reduce((sum, patch) => sum + patch.bytes.length, 0),
    places: patches.length,
    swaps: plan.segments().some((segment) => segment.kind === "swap"),
    errors: plan.findings.filter((finding) => finding.severity === "error"),
    warnings: plan.findings.filter((finding) => finding.severity === "warning"),
  };
}

/** How much is written, in a sentence. */
export function planSentence(summary: PlanSummary): string {
  if (summary.inPlace) {
    if (summary.rewritten === 0) return "Nothing in the file changes.";
    return `${bytes(summary.rewritten)} of ${bytes(summary.size)} change, in ${counted(summary.places, "place")}; the tensors’ data stays where it is.`;
  }
  const growth =
    summary.growth === 0
      ? "as many as the original"
      : `${bytes(Math.abs(summary.growth))} ${summary.growth > 0 ? "more" : "less"} than the original`;
  return `A new file of ${bytes(summary.size)} is written, ${growth}: ${summary.swaps ? "the tensors’ data is written in the other byte order" : "the tensors’ data moves, unchanged"}.`;
}
