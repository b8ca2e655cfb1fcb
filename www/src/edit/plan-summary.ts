import type { EditPlan, Finding } from "gguf-wasm";
import { formatBytes, formatCount } from "../ui/numbers.ts";

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
  /** How many tensors of the original stay, and how many do not. */
  kept: number;
  removed: number;
  errors: readonly Finding[];
  warnings: readonly Finding[];
}

type Plan = Pick<EditPlan, "size" | "inPlace" | "findings"> & {
  patches(): readonly { bytes: { length: number } }[] | undefined;
  segments(): readonly { kind: string }[];
};

/** The file that a plan is a change of. */
interface Original {
  size: number;
  /** Of its tensors, how many stay, and how many do not. */
  kept: number;
  removed: number;
}

export function planSummary(plan: Plan, original: Original): PlanSummary {
  const patches = plan.patches() ?? [];
  return {
    inPlace: plan.inPlace,
    size: plan.size,
    growth: plan.size - original.size,
    rewritten: patches.reduce((sum, patch) => sum + patch.bytes.length, 0),
    places: patches.length,
    swaps: plan.segments().some((segment) => segment.kind === "swap"),
    kept: original.kept,
    removed: original.removed,
    errors: plan.findings.filter((finding) => finding.severity === "error"),
    warnings: plan.findings.filter((finding) => finding.severity === "warning"),
  };
}

/** How much is written, in a sentence. */
export function planSentence(summary: PlanSummary): string {
  if (summary.inPlace) {
    if (summary.rewritten === 0) return "Nothing in the file changes.";
    const data = summary.kept === 0 ? "" : "; the tensors’ data stays where it is";
    return `${formatBytes(summary.rewritten)} of ${formatBytes(summary.size)} change, in ${formatCount(summary.places, "place")}${data}.`;
  }
  const growth =
    summary.growth === 0
      ? "the same size as the original"
      : `${formatBytes(Math.abs(summary.growth))} ${summary.growth > 0 ? "more" : "less"} than the original`;
  return `A new file of ${formatBytes(summary.size)} is written, ${growth}${dataClause(summary)}.`;
}

/** What becomes of the tensors' data where a new file is written. */
function dataClause({ kept, removed, swaps }: PlanSummary): string {
  if (kept === 0) return removed === 0 ? "" : ": no tensor stays";
  const data = removed === 0 ? "the tensors’ data" : "the data of the tensors that stay";
  return `: ${data} ${swaps ? "is written in the other byte order" : "moves, unchanged"}`;
}
