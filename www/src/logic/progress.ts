import type { OpenProgress } from "gguf-wasm";

/** What the reader tells, and its estimate of the header's size where it makes one. */
export type Progress = OpenProgress & { headerEstimate?: number };

/** How much of the header is there, from 0 to 1, by the best measure known; undefined where none is. */
export function progressShare(progress: Progress): number | undefined {
  const { bytesRead, headerEstimate, metadataRead, metadataCount, tensorsRead, tensorCount } = progress;
  if (headerEstimate !== undefined && headerEstimate > 0) return Math.min(1, bytesRead / headerEstimate);
  const items = (metadataCount ?? 0) + (tensorCount ?? 0);
  if (items > 0) return Math.min(1, (metadataRead + tensorsRead) / items);
  return undefined;
}
