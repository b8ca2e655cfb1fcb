/** Bandwidths of memory in GB/s (10⁹ bytes in a second), as the data sheets of the manufacturers state them. */

export interface Bandwidth {
  readonly name: string;
  readonly rate: number;
}

/** The memory of graphics cards. */
const CARDS: readonly Bandwidth[] = [
  { name: "RTX 4060 Ti", rate: 288 },
  { name: "RTX 3060 12 GB", rate: 360 },
  { name: "RTX 4070", rate: 504 },
  { name: "RX 7800 XT", rate: 624 },
  { name: "RTX 3090", rate: 936 },
  { name: "RX 7900 XTX, RTX 5080", rate: 960 },
  { name: "RTX 4090", rate: 1008 },
  { name: "RTX 5090", rate: 1792 },
  { name: "A100 80 GB SXM", rate: 2039 },
  { name: "H100 SXM", rate: 3350 },
];

/** Main memory with two channels of 64 bits: 16 bytes for each transfer. */
const MAIN: readonly Bandwidth[] = [2400, 3200, 4800, 5600, 6400].map((transfers) => ({
  name: `2 × DDR${transfers < 4000 ? 4 : 5}-${transfers}`,
  rate: (transfers * 16) / 1000,
}));

/** One memory for GPU and CPU. */
const SHARED: readonly Bandwidth[] = [
  { name: "M1", rate: 68 },
  { name: "M2, M3", rate: 100 },
  { name: "M4", rate: 120 },
  { name: "M1 Pro, M2 Pro", rate: 200 },
  { name: "Ryzen AI Max", rate: 256 },
  { name: "M4 Pro, DGX Spark", rate: 273 },
  { name: "M1 Max, M2 Max", rate: 400 },
  { name: "M4 Max, 40 cores", rate: 546 },
  { name: "M1 Ultra, M2 Ultra", rate: 800 },
  { name: "M3 Ultra", rate: 819 },
];

export const BANDWIDTHS = { gpu: CARDS, main: MAIN, shared: SHARED } as const;

/**
 * The most tokens that a model can write in a second, from the bytes that are read for each on the GPU and on the CPU, one device after the
 * other. Undefined if the bandwidth of a device that reads something is not known, and if nothing is read.
 */
export function mostTokens(
  bytes: readonly [number, number],
  bandwidths: readonly [number | undefined, number | undefined],
): number | undefined {
  let seconds = 0;
  for (const [at, read] of bytes.entries()) {
    if (read === 0) continue;
    const rate = bandwidths[at];
    if (rate === undefined) return undefined;
    seconds += read / (rate * 1e9);
  }
  return seconds === 0 ? undefined : 1 / seconds;
}
