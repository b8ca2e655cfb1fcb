/** The memory of the user's machine, which is chosen once for all models. */

/** In GiB. */
export interface Machine {
  /** The memory of the graphics card; 0 without one. If GPU and CPU share one memory, all of it. */
  readonly gpu: number;
  /** The main memory. */
  readonly main: number;
  /** Whether GPU and CPU share one memory. */
  readonly shared: boolean;
}

export const GPU_SIZES: readonly number[] = [0, 4, 6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 80, 96];
export const MAIN_SIZES: readonly number[] = [8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512];
/** The sizes of one memory for GPU and CPU. */
export const SHARED_SIZES: readonly number[] = [8, 16, 18, 24, 32, 36, 48, 64, 96, 128, 192, 256, 512];

const KEY = "machine";

/** The chosen machine. Undefined until a person has chosen one, and if the browser forbids storage. */
export function readMachine(): Machine | undefined {
  try {
    const { gpu, main, shared } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record<string, unknown>>;
    const isShared = shared === true;
    const sizes = isShared ? SHARED_SIZES : GPU_SIZES;
    if (typeof gpu !== "number" || typeof main !== "number" || !sizes.includes(gpu) || !MAIN_SIZES.includes(main))
      return undefined;
    return { gpu, main, shared: isShared };
  } catch {
    return undefined;
  }
}

/** Stores the machine. The choice lasts until the page is closed if the browser forbids storage. */
export function storeMachine(machine: Machine): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(machine));
  } catch {
    // See above.
  }
}
