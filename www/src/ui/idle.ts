/** The longest time that a task waits until the page is idle, in milliseconds. */
const LONGEST_WAIT = 600;

/** Resolves when the page is idle, for work that takes longer than a frame of the screen. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari does not have this function.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT });
    else setTimeout(resolve, 100);
  });
}
