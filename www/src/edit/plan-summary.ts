import type { EditPlan } from "gguf-wasm/full";
import { formatBytes, formatCount } from "../ui/numbers.ts";

/** A summary of an edit plan. */
export interface PlanSummary {
  inPlace: boolean;
  size: number;
  /** The size of the new file minus the size of the original. */
  growth: number;
  /** The number of bytes to write if the file can be changed in place. */
  rewritten: number;
  places: number;
  /** Whether tensor data is written in the other byte order. */
  swaps: boolean;
  /** The number of tensors of the original that are kept, and that are removed. */
  kept: number;
  removed: number;
}

type Plan = Pick<EditPlan, "size" | "inPlace"> & {
  patches(): readonly { bytes: { length: number } }[] | undefined;
  segments(): readonly { kind: string }[];
};

/** The original file of an edit plan. */
interface Original {
  size: number;
  /** The number of tensors that are kept, and that are removed. */
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
  };
}

/** The size of the change in a sentence. */
export function planSentence(summary: PlanSummary): string {
  if (summary.inPlace) {
    if (summary.rewritten === 0) return "The file does not change.";
    const data = summary.kept === 0 ? "" : " Tensor data does not change.";
    return `${formatBytes(summary.rewritten)} of ${formatBytes(summary.size)} change, in ${formatCount(summary.places, "place")}.${data}`;
  }
  const growth =
    summary.growth === 0
      ? "the same size as the original"
      : `${formatBytes(Math.abs(summary.growth))} ${summary.growth > 0 ? "larger" : "smaller"} than the original`;
  return `The new file is ${formatBytes(summary.size)}, ${growth}.${dataSentence(summary)}`;
}

/** The effect of a new file on tensor data, as a sentence after a space; "" if the file has no tensors. */
function dataSentence({ kept, removed, swaps }: PlanSummary): string {
  if (kept === 0) return removed === 0 ? "" : " All tensors are removed.";
  const data = removed === 0 ? "Tensor data" : "The data of the remaining tensors";
  return ` ${data} ${swaps ? "is converted to the other byte order" : "is copied unchanged"}.`;
}
