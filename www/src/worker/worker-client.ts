/** Workers that do jobs for the page, so that it stays responsive. `serve` is the worker's side. */

import { errorFrom } from "../gguf/failure.ts";
import { startWorker, startWorkerOfOtherOrigin } from "../ui/module-worker.ts";
import type { FromWorker, Jobs, ToWorker } from "./serve.ts";

/** Work on a header with more bytes is done in a worker. On a smaller one, it takes less time than a worker takes to start. */
export const LARGE_HEADER = 2 ** 20;

/** The script of a worker, and the name that developer tools show. */
export interface WorkerScript {
  readonly address: string;
  readonly name: string;
}

interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: never) => void) | undefined;
}

/** A request that has no response yet. */
interface PendingRequest {
  readonly resolve: (response: never) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: ((progress: never) => void) | undefined;
}

/** A running worker. */
export class WorkerClient<J extends Jobs> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingRequest>();
  #last = 0;
  /** Why the worker does nothing any more. */
  #end: { readonly reason: unknown } | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#onMessage(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop(errorFrom({ code: "stopped", message: event.message }));
    };
  }

  /**
   * Starts a worker. Undefined if the page cannot start it: workers are not allowed, or the script does not load.
   * @throws the reason of `signal` once it is aborted
   */
  static async start<J extends Jobs>(
    { address, name }: WorkerScript,
    signal?: AbortSignal,
  ): Promise<WorkerClient<J> | undefined> {
    for (const make of [startWorker, startWorkerOfOtherOrigin]) {
      signal?.throwIfAborted();
      const worker = await whenReady(() => make(address, name), signal);
      if (worker) return new WorkerClient<J>(worker);
    }
    return undefined;
  }

  /**
   * Asks the worker to do a job. An aborted job is cancelled in the worker if it waits for something.
   * @throws the error of the job, the reason of `signal` once it is aborted, or a `DataCloneError`
   */
  request<Name extends keyof J & string>(
    job: Name,
    request: Parameters<J[Name]>[0],
    { signal, onProgress }: RequestOptions = {},
  ): Promise<Awaited<ReturnType<J[Name]>>> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#end) throw this.#end.reason;
      this.#last += 1;
      const id = this.#last;
      this.#post({ id, job, request });
      this.#pending.set(id, { resolve, reject, onProgress });
      const cancel = () => {
        if (!this.#pending.delete(id)) return;
        this.#post({ cancel: id });
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Whether the worker does nothing any more: it was stopped, or has failed. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Ends the worker when a signal aborts. */
  endWith(signal: AbortSignal): void {
    const end = () => this.stop(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  }

  /** Ends the worker. Requests without a response are rejected with the reason. */
  stop(reason: unknown = new DOMException("the worker was ended", "AbortError")): void {
    this.#end ??= { reason };
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #onMessage(message: FromWorker): void {
    if (message === "ready") return;
    const pending = this.#pending.get(message.id);
    if ("progress" in message) {
      pending?.onProgress?.(message.progress as never);
      return;
    }
    this.#pending.delete(message.id);
    if ("response" in message) {
      pending?.resolve(message.response as never);
      return;
    }
    const error = errorFrom(message.failure);
    pending?.reject(error);
    // The memory of a module that has stopped cannot be relied on. The next request needs another worker.
    if (message.failure.code === "stopped") this.stop(error);
  }
}

/** A worker that has started. Undefined if it cannot be started in this way. */
function whenReady(make: () => Worker, signal: AbortSignal | undefined): Promise<Worker | undefined> {
  return new Promise((resolve, reject) => {
    let worker: Worker;
    try {
      worker = make();
    } catch {
      resolve(undefined);
      return;
    }
    const settle = (started: boolean) => {
      signal?.removeEventListener("abort", stop);
      if (!started) worker.terminate();
    };
    const stop = () => {
      settle(false);
      reject(signal?.reason as Error);
    };
    worker.onmessage = () => {
      settle(true);
      resolve(worker);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      settle(false);
      resolve(undefined);
    };
    signal?.addEventListener("abort", stop);
  });
}

/**
 * Does one job in a worker of its own, which ends after it. So the job can be cancelled whatever it does. Undefined if the page cannot start
 * the worker.
 * @throws the error of the job, or the reason of `signal` once it is aborted
 */
export async function runInWorker<J extends Jobs, Name extends keyof J & string>(
  script: WorkerScript,
  job: Name,
  request: Parameters<J[Name]>[0],
  signal?: AbortSignal,
): Promise<{ readonly response: Awaited<ReturnType<J[Name]>> } | undefined> {
  const worker = await WorkerClient.start<J>(script, signal);
  try {
    return worker && { response: await worker.request(job, request, { signal }) };
  } finally {
    worker?.stop();
  }
}
