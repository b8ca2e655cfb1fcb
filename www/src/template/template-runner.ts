import { compiledModule } from "../gguf/start-module.ts";
import { WorkerClient } from "../worker/worker-client.ts";
import type { TemplateProblem, TemplateRequests } from "./template-messages.ts";
import type { TemplateJobs } from "./template-worker.ts";
import workerUrl from "./template-worker.ts?worker&url";

/** How long the worker may take to start, in milliseconds. Its script and its module are loaded over the network. */
const START_LIMIT = 20_000;

/**
 * How long the worker may take for a request, in milliseconds. The limits of the engine end a template within a second; a slow machine needs
 * more.
 */
const TIME_LIMIT = 10_000;

type Client = WorkerClient<TemplateJobs>;
type Kind = keyof TemplateRequests;

/** A request that has no response yet. */
interface PendingRequest {
  readonly kind: Kind;
  readonly request: TemplateRequests[Kind]["request"];
  readonly signal: AbortSignal;
  readonly resolve: (response: never) => void;
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

/** The module of the worker. It is fetched and compiled once, also if workers are ended. */
let compiling: Promise<WebAssembly.Module> | undefined;

function compiled(): Promise<WebAssembly.Module> {
  const address = new URL("gguf-wasm/template/gguf_wasm_template_bg.wasm", import.meta.url);
  return (compiling ??= compiledModule(address).catch((error: unknown) => {
    compiling = undefined;
    throw error;
  }));
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
  run<K extends Kind>(
    kind: K,
    request: TemplateRequests[K]["request"],
    signal: AbortSignal,
  ): Promise<TemplateRequests[K]["response"]> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      this.#queue.push({ kind, request, signal, resolve, reject });
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
        pending.resolve((await this.#respond(pending)) as never);
      } catch (error) {
        pending.reject(error);
      }
    }
    this.#isRunning = false;
  }

  async #respond({ kind, request }: PendingRequest): Promise<unknown> {
    const starting = (this.#worker ??= startedWorker(this.#stopping.signal));
    let worker: Client | undefined;
    try {
      worker = await starting;
      if (!worker) throw new Error("the worker did not start");
      const limit = new TimeLimit(TIME_LIMIT, `It was not done after ${TIME_LIMIT / 1000} seconds.`);
      return await limit.of(worker.request(kind, request as never, { signal: limit.signal }));
    } catch (error) {
      worker?.stop();
      if (this.#worker === starting) this.#worker = undefined;
      if (error instanceof RunnerError) throw error;
      const message = worker
        ? `The renderer has failed: ${error instanceof Error ? error.message : String(error)}`
        : "The renderer could not be started. Check the connection, and reload the page.";
      throw new RunnerError({ kind: "worker", message });
    }
  }
}

/** Starts a worker, which ends when the signal aborts. Undefined if it cannot be started. */
async function startedWorker(stopping: AbortSignal): Promise<Client | undefined> {
  const script = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-template" };
  const limit = new TimeLimit(START_LIMIT, "The renderer did not start.");
  stopping.addEventListener("abort", () => limit.abort(stopping.reason));
  return limit.of(
    (async () => {
      // The module is fetched while the script is.
      const module = compiled();
      module.catch(() => undefined);
      const worker = await WorkerClient.start<TemplateJobs>(script, limit.signal);
      if (!worker) return undefined;
      worker.endWith(stopping);
      try {
        await worker.request("start", await module, { signal: limit.signal });
        return worker;
      } catch (error) {
        worker.stop();
        throw error;
      }
    })(),
  );
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
