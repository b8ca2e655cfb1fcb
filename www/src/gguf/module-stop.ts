/**
 * Stops of WebAssembly modules. A module ends with a trap when its program has a bug, or reaches beyond its memory. All failures of the page
 * go through `failureOf`, which reports those that are stops, so that the viewer can offer to start again what has stopped.
 */

/** The code of the failure. A worker sends it, too. */
export const STOPPED = "stopped";

type Listener = (message: string) => void;

const LISTENERS = new Set<Listener>();

/** Whether an error says that a module has stopped, on the page or in a worker. */
export function isStop(error: unknown): boolean {
  return (
    error instanceof WebAssembly.RuntimeError || (error instanceof Error && "code" in error && error.code === STOPPED)
  );
}

/** Tells the listeners about an error if it is a stop. In a worker there are none: the page gets the failure. */
export function reportStop(error: unknown): void {
  if (!isStop(error)) return;
  for (const listener of LISTENERS) listener((error as Error).message);
}

const onError = ({ error }: ErrorEvent) => reportStop(error);
const onRejection = ({ reason }: PromiseRejectionEvent) => reportStop(reason);

/** Calls a function after each stop, also after one that nobody has caught. Returns what ends that. */
export function watchStops(listener: Listener): () => void {
  if (LISTENERS.size === 0) {
    addEventListener("error", onError);
    addEventListener("unhandledrejection", onRejection);
  }
  LISTENERS.add(listener);
  return () => {
    LISTENERS.delete(listener);
    if (LISTENERS.size > 0) return;
    removeEventListener("error", onError);
    removeEventListener("unhandledrejection", onRejection);
  };
}
