/** How long a template must rest while a person types, in milliseconds. */
const TYPING_DELAY = 250;

/** Waits until a person has stopped typing. Rejects if the signal aborts. */
export function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, TYPING_DELAY);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

/** An aborted request needs no answer. */
export function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
}
