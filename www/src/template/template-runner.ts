import { WorkerClient } from "../worker/worker-client.ts";
import type { TemplateProblem, TemplateRequest, TemplateResponse, TemplateResponses } from "./template-messages.ts";
import type { TemplateJobs } from "./template-worker.ts";
import workerUrl from "./template-worker.ts?worker&url";
import { timeLimit, timeMessage } from "./time-limit.ts";

/** How long the worker may take to start, in milliseconds. Its script is loaded over the network. */
const START_LIMIT = 20_000;

type Client = WorkerClient<TemplateJobs>;

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
  #worker: Promise<Client | undefined> | undefined;
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
    this.#stopping.abort(new Error("the runner was stopped"));
    this.#stopping = new AbortController();
    this.#worker = undefined;
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
    const starting = (this.#worker ??= startedWorker(this.#stopping.signal));
    let worker: Client | undefined;
    try {
      worker = await starting;
      if (!worker) throw new Error("the worker did not start");
      const limit = new TimeLimit(timeLimit(request), timeMessage(request));
      return await limit.of(worker.request("run", request, { signal: limit.signal }));
    } catch (error) {
      worker?.stop();
      if (this.#worker === starting) this.#worker = undefined;
      if (error instanceof RunnerError) throw error;
      const message = "The renderer could not be started. Check the connection, and reload the page.";
      throw new RunnerError({ kind: "worker", message });
    }
  }
}

/** Starts a worker, which ends when the signal aborts. Undefined if it cannot be started. */
async function startedWorker(stopping: AbortSignal): Promise<Client | undefined> {
  const script = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-template" };
  const limit = new TimeLimit(START_LIMIT, "The renderer did not start.");
  stopping.addEventListener("abort", () => limit.abort(stopping.reason));
  const worker = await limit.of(WorkerClient.start<TemplateJobs>(script, limit.signal));
  worker?.endWith(stopping);
  return worker;
}

/** A signal that aborts with a `RunnerError` unless a promise is settled in time. */
class TimeLimit {
  readonly #abort = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(milliseconds: number, message: string) {
    this.#timer = setTimeout(() => this.abort(new RunnerError({ kind: "time", message })), milliseconds);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  of<T>(promise: Promise<T>): Promise<T> {
    return promise.finally(() => clearTimeout(this.#timer));
  }
}
