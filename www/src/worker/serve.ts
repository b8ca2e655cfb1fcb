/** The worker's side of `WorkerClient`: answers the requests of the page. */

import { type Failure, failureOf } from "../gguf/failure.ts";

/** What a worker can do, by name. A job is aborted when the page does not wait for it any more. */
export type Jobs = Record<string, (request: never, asking: JobOptions) => unknown>;

export interface JobOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: unknown) => void;
}

/** What the page sends. Requests are told apart by their ids. */
export type ToWorker =
  { readonly id: number; readonly job: string; readonly request: unknown } | { readonly cancel: number };

/** What the worker sends: that it has started, and the progress and the result of each request. */
export type FromWorker =
  | "ready"
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly response: unknown }
  | { readonly id: number; readonly failure: Failure };

/** The part of a worker's global scope that is used here. TypeScript's libraries for pages and workers exclude each other. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

/** Does jobs for the page. `buffersOf` are the buffers of a response, which are transferred and not copied. */
export function serve(jobs: Jobs, buffersOf: (response: unknown) => Transferable[] = () => []): void {
  const scope = self as unknown as WorkerScope;
  const running = new Map<number, AbortController>();
  const reply = async ({ id, job, request }: Extract<ToWorker, { id: number }>) => {
    const abort = new AbortController();
    running.set(id, abort);
    const { signal } = abort;
    try {
      const work = jobs[job];
      if (!work) throw new Error(`the worker has no job “${job}”`);
      const onProgress = (progress: unknown) => scope.postMessage({ id, progress });
      const response = await work(request as never, { signal, onProgress });
      if (!signal.aborted) scope.postMessage({ id, response }, buffersOf(response));
    } catch (error) {
      // A cancelled request expects no response.
      if (!signal.aborted) scope.postMessage({ id, failure: failureOf(error) });
    } finally {
      running.delete(id);
    }
  };
  scope.onmessage = ({ data }) => {
    if ("cancel" in data) running.get(data.cancel)?.abort();
    else void reply(data);
  };
  scope.postMessage("ready");
}
