/** The memory of the user's machine, which is chosen once for all models. */

import { readChoice, storeChoice } from "../ui/choices.ts";
import { MOST_BANDWIDTH } from "./bandwidths.ts";

/** In GiB, and GB/s. */
export interface Machine {
  /** The memory of the graphics card; 0 without one. If GPU and CPU share one memory, all of it. */
  readonly gpu: number;
  /** The main memory. Undefined until a person has chosen one: `USUAL_MAIN` is then assumed. */
  readonly main: number | undefined;
  /** Whether GPU and CPU share one memory. */
  readonly shared: boolean;
  /** The bandwidth of the graphics card, or of the shared memory. Undefined until a person has chosen one. */
  readonly gpuRate: number | undefined;
  /** The bandwidth of the main memory. Undefined until a person has chosen one. */
  readonly mainRate: number | undefined;
}

/** The GiB of a GPU that llama.cpp leaves free: its option `--fit-target`. */
export const RESERVE = 1;

export const GPU_SIZES: readonly number[] = [0, 4, 6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 80, 96];
/** The main memory in GiB that is assumed if a person has chosen a graphics card only. */
export const USUAL_MAIN = 32;
export const MAIN_SIZES: readonly number[] = [8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512];
/** The sizes of one memory for GPU and CPU. */
export const SHARED_SIZES: readonly number[] = [8, 16, 18, 24, 32, 36, 48, 64, 96, 128, 192, 256, 512];

const KEY = "machine";

/** The chosen machine. Undefined until a person has chosen one. */
export function readMachine(): Machine | undefined {
  try {
    const stored = JSON.parse(readChoice(KEY) ?? "{}") as Partial<Record<string, unknown>>;
    const gpu = stored["gpu"];
    const main = MAIN_SIZES.find((size) => size === stored["main"]);
    const shared = stored["shared"] === true;
    const sizes = shared ? SHARED_SIZES : GPU_SIZES;
    if (typeof gpu !== "number" || !sizes.includes(gpu)) return undefined;
    return { gpu, main, shared, gpuRate: rateOf(stored["gpuRate"]), mainRate: rateOf(stored["mainRate"]) };
  } catch {
    return undefined;
  }
}

/** Keeps the machine for the files that are opened later. */
export function storeMachine(machine: Machine): void {
  storeChoice(KEY, JSON.stringify(machine));
}

function rateOf(stored: unknown): number | undefined {
  return typeof stored === "number" && stored > 0 && stored <= MOST_BANDWIDTH ? stored : undefined;
}
