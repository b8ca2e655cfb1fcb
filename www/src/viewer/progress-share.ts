import type { OpenProgress } from "gguf-wasm";

/** How much of the header is there, from 0 to 1; undefined until the file has said how much is in it. */
export function progressShare({ bytesRead, headerEstimate, metadataCount }: OpenProgress): number | undefined {
  if (metadataCount === undefined || headerEstimate <= 0) return undefined;
  return Math.min(1, bytesRead / headerEstimate);
}
