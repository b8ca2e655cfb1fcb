import { startWorker, startWorkerOfOtherOrigin } from "../ui/module-worker.ts";
import type {
  FromTemplateWorker,
  TemplateProblem,
  TemplateRequest,
  TemplateResponse,
  TemplateResponses,
} from "./template-messages.ts";
import workerUrl from "./template-worker.ts?worker&url";

/** How long a request may take, in milliseconds. A rendering takes less than 50. */
const TIME_LIMIT = 2000;
/** How long the worker may take to start, in milliseconds. Its script is loaded over the network. */
const START_LIMIT = 20_000;

const WORKER_NAME = "gguf-template";
const workerAddress = () => new URL(workerUrl, import.meta.url).href;
const WAYS_TO_START = [startWorker, startWorkerOfOtherOrigin];

/** A request that has no response yet. */
interface PendingRequest {
  readonly request: TemplateRequest;
  readonly signal: AbortSignal;
  readonly resolve: (response: TemplateResponse) => void;
  readonly reject: (reason: unknown) => void;
}

/** A template did not end in time, or the worker could not be started. */
export class RunnerError extends Error {
  readonly problem: TemplateProblem;

  constructor(problem: TemplateProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * Runs templates in a worker, one request after the other. A request that takes too long ends the worker; the next request starts another
 * one.
 */
export class TemplateRunner {
  #worker: Promise<Worker> | undefined;
  readonly #queue: PendingRequest[] = [];
  #isRunning = false;
  #stopping = new AbortController();

  /**
   * Runs a request. Rejects with a `RunnerError`, or with the reason of the signal. An aborted request that runs already keeps the worker
   * busy until it ends.
   */
  run<R extends TemplateRequest>(request: R, signal: AbortSignal): Promise<TemplateResponses[R["kind"]]> {
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      this.#queue.push({ request, signal, resolve: resolve as (response: TemplateResponse) => void, reject });
      void this.#next();
    });
  }

  /** Ends the worker. Later requests start another one. */
  stop(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.then(
      (running) => running.terminate(),
      () => undefined,
    );
  }

  async #next(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let pending = this.#queue.shift(); pending; pending = this.#queue.shift()) {
      if (pending.signal.aborted) continue;
      try {
        pending.resolve(await this.#respond(pending.request));
      } catch (error) {
        pending.reject(error);
      }
    }
    this.#isRunning = false;
  }

  async #respond(request: TemplateRequest): Promise<TemplateResponse> {
    const { signal } = this.#stopping;
    const starting = (this.#worker ??= start(signal));
    try {
      const worker = await starting;
      try {
        const message = await nextMessage(worker, TIME_LIMIT, timeMessage(request), signal, () =>
          worker.postMessage(request),
        );
        if (message === "ready") throw new Error("the worker started twice");
        return message.response;
      } catch (error) {
        worker.terminate();
        throw error;
      }
    } catch (error) {
      if (this.#worker === starting) this.#worker = undefined;
      if (error instanceof RunnerError) throw error;
      const message = "The renderer could not be started. Check the connection, and reload the page.";
      throw new RunnerError({ kind: "worker", message });
    }
  }
}

/** Starts a worker and waits until it is ready. */
async function start(signal: AbortSignal): Promise<Worker> {
  let reason: unknown;
  for (const make of WAYS_TO_START) {
    signal.throwIfAborted();
    let worker: Worker | undefined;
    try {
      const made = make(workerAddress(), WORKER_NAME);
      worker = made;
      await nextMessage(made, START_LIMIT, "The renderer did not start.", signal, () => undefined);
      return made;
    } catch (error) {
      worker?.terminate();
      // The script is late, or nobody waits for it any more. It would not come sooner in another way.
      if (error instanceof RunnerError || signal.aborted) throw error;
      reason = error;
    }
  }
  throw new Error("the worker did not start", { cause: reason });
}

/** What to say if a request takes too long. */
function timeMessage({ kind }: TemplateRequest): string {
  const seconds = TIME_LIMIT / 1000;
  return kind === "syntax"
    ? `The template was not read within ${seconds} seconds.`
    : `The template ran for ${seconds} seconds and was stopped. It may have an endless loop.`;
}

/** The next message of a worker after `send`. Rejects with the message `late` if it takes longer than `limit`, if the script of the worker fails, or if the signal aborts. */
function nextMessage(
  worker: Worker,
  limit: number,
  late: string,
  signal: AbortSignal,
  send: () => void,
): Promise<FromTemplateWorker> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(new RunnerError({ kind: "time", message: late }));
    }, limit);
    const stop = () => {
      end();
      reject(new Error("the runner was stopped"));
    };
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      worker.onmessage = null;
      worker.onerror = null;
    };
    worker.onmessage = ({ data }: MessageEvent<FromTemplateWorker>) => {
      end();
      resolve(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end();
      reject(new Error(event.message || "the worker did not load"));
    };
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    else send();
  });
}
