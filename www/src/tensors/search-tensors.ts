/** The filter of the tensor table by text. */

import type { TensorInfo } from "gguf-wasm/explain";
import { inPieces } from "../ui/in-pieces.ts";
import { filterWords, tensorMatcher, type TensorFilter } from "./tensor-rows.ts";

/** The most tensors that are searched at once. The search of more tensors has pauses. */
const MOST_AT_ONCE = 4000;

export interface SearchReports {
  readonly found: (found: readonly TensorInfo[]) => void;
  /** How much is searched, if there are many tensors. Undefined when all are. */
  readonly percent: (percent: number | undefined) => void;
}

/**
 * Finds the tensors that match the text of a filter, in file order. The matches among few tensors are reported at once. Many tensors are
 * searched in pieces, and the matches are reported at the end. `before` has the matches of the same text before an edit: they are shown
 * until the new ones are found.
 * @throws the reason of `signal` once it is aborted
 */
export async function searchTensors(
  tensors: readonly TensorInfo[],
  filter: Pick<TensorFilter, "text" | "roleOf">,
  before: readonly TensorInfo[],
  signal: AbortSignal,
  report: SearchReports,
): Promise<void> {
  if (filterWords(filter.text).length === 0) {
    report.found(tensors);
    return;
  }
  const matches = tensorMatcher(filter);
  if (tensors.length <= MOST_AT_ONCE) {
    report.found(tensors.filter(matches));
    return;
  }
  const kept = new Set(before.map(({ index }) => index));
  report.found(kept.size === 0 ? [] : tensors.filter(({ index }) => kept.has(index)));
  report.percent(0);
  const found: TensorInfo[] = [];
  await inPieces(
    tensors.length,
    signal,
    (from, to) => {
      for (const tensor of tensors.slice(from, to)) if (matches(tensor)) found.push(tensor);
    },
    (done) => report.percent(Math.floor((100 * done) / tensors.length)),
  );
  report.percent(undefined);
  report.found(found);
}
