import type { TensorStatistics } from "gguf-wasm";

/** A bar of a histogram: how many numbers lie in `start..end`. */
export interface Bar {
  start: number;
  end: number;
  count: number;
}

/** A histogram in at most `most` bars: neighbouring bins together where there are more. */
export function bars({ start, width, counts }: TensorStatistics["histogram"], most: number): Bar[] {
  const joined = Math.max(1, Math.ceil(counts.length / most));
  const found: Bar[] = [];
  for (let first = 0; first < counts.length; first += joined) {
    const last = Math.min(first + joined, counts.length);
    let count = 0;
    for (let i = first; i < last; i += 1) count += counts[i] ?? 0;
    const edge = (bin: number) => 2 * (start / 2 + bin * (width / 2));
    found.push({ start: edge(first), end: edge(last), count });
  }
  return found;
}

/** How high a bar is, from 0 to 1. Logarithmic ones still tell 0 from 1. */
export function barHeight(count: number, most: number, logarithmic: boolean): number {
  if (most <= 0 || count <= 0) return 0;
  return logarithmic ? Math.log10(1 + count) / Math.log10(1 + most) : count / most;
}
