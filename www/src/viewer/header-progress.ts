import type { OpenProgress } from "gguf-wasm/explain";

/** The fraction of the header that has been read, from 0 to 1; undefined until the number of entries has been read. */
export function headerProgress({ bytesRead, headerEstimate, metadataCount }: OpenProgress): number | undefined {
  if (metadataCount === undefined || headerEstimate <= 0) return undefined;
  return Math.min(1, bytesRead / headerEstimate);
}
