/**
 * Work on a large header in a worker, so that the page stays responsive and the work can be cancelled. A worker does one task: it gets one
 * request, and ends after its response.
 */

import { startWorker, startWorkerOfOtherOrigin } from "../ui/module-worker.ts";
import { type Failure, failureOf } from "./failure.ts";

/** Work on a header with more bytes is done in a worker. On a smaller one, it takes less time than a worker takes to start. */
export const LARGE_HEADER = 2 ** 20;

/** What the worker sends: that it has started, and the response. */
type FromWorker<Response> = "ready" | { readonly response: Response } | { readonly failure: Failure };

/** The part of a worker's global scope that is used here. TypeScript's libraries for pages and workers exclude each other. */
interface WorkerScope<Request, Response> {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(message: FromWorker<Response>): void;
}

/** The page does not allow workers, or the script of the worker did not load. */
class WorkerUnavailable extends Error {}

/** The script of a worker, and the name that developer tools show. */
interface WorkerScript {
  readonly address: string;
  readonly name: string;
}

/**
 * Sends a request to a new worker and returns the response. Undefined if the page cannot start the worker.
 * @throws what the worker failed with, or the reason of `signal` once it is aborted
 */
export async function runInWorker<Request, Response>(
  { address, name }: WorkerScript,
  request: Request,
  signal: AbortSignal,
): Promise<{ readonly response: Response } | undefined> {
  for (const make of [startWorker, startWorkerOfOtherOrigin]) {
    signal.throwIfAborted();
    try {
      return { response: await requestOf(() => make(address, name), request, signal) };
    } catch (error) {
      if (!(error instanceof WorkerUnavailable)) throw error;
    }
  }
  return undefined;
}

function requestOf<Request, Response>(make: () => Worker, request: Request, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    let worker: Worker;
    try {
      worker = make();
    } catch (cause) {
      reject(new WorkerUnavailable("a worker is not allowed", { cause }));
      return;
    }
    const stop = () => end(() => reject(signal.reason as Error));
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", stop);
      worker.terminate();
      settle();
    };
    let isReady = false;
    worker.onmessage = ({ data }: MessageEvent<FromWorker<Response>>) => {
      if (data === "ready") {
        isReady = true;
        worker.postMessage(request);
      } else if ("response" in data) end(() => resolve(data.response));
      else end(() => reject(Object.assign(new Error(data.failure.message), data.failure, { name: "GgufError" })));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(() =>
        reject(
          isReady
            ? Object.assign(new Error(event.message), { name: "GgufError", code: "engine" })
            : new WorkerUnavailable("the worker did not load"),
        ),
      );
    };
    signal.addEventListener("abort", stop);
  });
}

/** Called in the worker: responds to the request of the page. */
export function respond<Request, Response>(work: (request: Request) => Promise<Response>): void {
  const scope = self as unknown as WorkerScope<Request, Response>;
  scope.onmessage = ({ data }) => {
    work(data).then(
      (response) => scope.postMessage({ response }),
      (error: unknown) => scope.postMessage({ failure: failureOf(error) }),
    );
  };
  scope.postMessage("ready");
}
