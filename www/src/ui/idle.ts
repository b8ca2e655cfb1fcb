import { pause } from "./in-pieces.ts";

/** The longest time that a task waits until the page is idle, in milliseconds. */
const LONGEST_WAIT = 600;

/**
 * Resolves when the page is idle, for work that takes longer than a frame of the screen.
 * @throws the reason of `signal` once it is aborted
 */
export function whenIdle(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    // Safari does not have this function.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT });
    else setTimeout(resolve, 100);
  });
}

/**
 * Resolves after the browser has painted the next frame, so that a person sees the progress of work. Does not resolve while the page is
 * hidden.
 */
export function whenPainted(): Promise<void> {
  return new Promise<void>((resolve) => requestAnimationFrame(() => resolve())).then(pause);
}
