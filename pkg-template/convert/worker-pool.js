// Workers that convert rows of tensors. The workers of every host are used in the same way: `workers.js` and `workers.node.js`
// say how they are started.

import { GgufError } from "../gguf-error.js";

/** @import { GgufErrorCode } from "gguf-wasm" */

/**
 * A worker of the host.
 *
 * @typedef {object} HostWorker
 * @property {(message: unknown, transfer: ArrayBuffer[]) => void} post
 * @property {() => void} end Ends the worker at once.
 * @property {(isBusy: boolean) => void} hold Whether the host waits for the worker before it ends.
 */

/**
 * Starts a worker. `onMessage` gets its messages. `onFailure` gets the reason if the worker cannot be started, or if it ends.
 *
 * @typedef {(onMessage: (data: any) => void, onFailure: (reason: unknown) => void) => HostWorker} StartWorker
 */

/**
 * A job: what it is posted as, and who waits for its outcome.
 *
 * @typedef {object} Job
 * @property {{ rows: Uint8Array<ArrayBuffer> }} message
 * @property {string} tensor
 * @property {(outcome: object) => void} resolve
 * @property {(error: unknown) => void} reject
 */

const ADVICE = "Convert again with fewer workers, or with workers: 0";

/** A thread of the pool. */
class Thread {
  /** @type {HostWorker} */
  #worker;
  /** @type {Job | undefined} The job that it does. */
  job;
  /** Is called when the module has started. @type {(() => void) | undefined} */
  onReady;

  /**
   * @param {StartWorker} startWorker
   * @param {object} module The compiled WebAssembly module.
   * @param {(answer: any) => void} onAnswer
   * @param {(reason: unknown) => void} onFailure
   */
  constructor(startWorker, module, onAnswer, onFailure) {
    this.#worker = startWorker(onAnswer, onFailure);
    try {
      this.#worker.post({ module }, []);
    } catch (error) {
      this.#worker.end();
      throw error;
    }
  }

  /** @param {Job} job */
  begin(job) {
    this.job = job;
    this.#worker.hold(true);
    this.#worker.post(job.message, [job.message.rows.buffer]);
  }

  /** Takes the job that is done, if there is one. */
  take() {
    const { job } = this;
    this.job = undefined;
    this.#worker.hold(false);
    return job;
  }

  end() {
    this.#worker.end();
  }
}

/** Workers that do jobs, each of them one after the other. They are started when there is work for them. */
export class WorkerPool {
  #startWorker;
  #module;
  #count;
  /** @type {Set<Thread>} */
  #threads = new Set();
  /** @type {Thread[]} */
  #idle = [];
  /** @type {Job[]} */
  #waiting = [];
  /** @type {unknown} */
  #failure;

  /**
   * @param {StartWorker} startWorker
   * @param {number} count
   * @param {object} module
   */
  constructor(startWorker, count, module) {
    this.#startWorker = startWorker;
    this.#count = count;
    this.#module = module;
  }

  /**
   * A pool whose first worker is ready.
   *
   * @param {StartWorker} startWorker
   * @param {number} count The most workers.
   * @param {object} module The compiled WebAssembly module: a worker does not load it again.
   * @param {AbortSignal} signal Ends the workers while the first one starts.
   */
  static async start(startWorker, count, module, signal) {
    const pool = new WorkerPool(startWorker, count, module);
    try {
      await new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        const first = pool.#add(reject);
        first.onReady = () => {
          pool.#free(first);
          resolve(first);
        };
      });
    } catch (error) {
      pool.end();
      const { message } = /** @type {Partial<Error>} */ (error);
      throw new GgufError("worker-failed", `no worker could be started: ${message ?? error}. ${ADVICE}`, {
        cause: error,
      });
    }
    return pool;
  }

  /**
   * Does a job in a worker. The memory of its rows is transferred.
   *
   * @param {Job["message"]} message
   * @param {string} tensor The name of the tensor, for messages.
   * @returns {Promise<object>} The outcome.
   */
  run(message, tensor) {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#waiting.push({ message, tensor, resolve, reject });
      this.#assign();
    });
  }

  /** Ends all workers. Jobs that are not done are rejected. */
  end() {
    this.#fail(new GgufError("worker-failed", "the workers have been ended"));
  }

  /** Gives waiting jobs to idle workers. */
  #assign() {
    while (this.#waiting.length > 0) {
      if (this.#idle.length === 0 && this.#threads.size < this.#count) this.#addIdle();
      const thread = this.#idle.pop();
      const job = thread && this.#waiting.shift();
      if (!thread || !job) return;
      try {
        thread.begin(job);
      } catch (error) {
        this.#threadFailed(thread, error);
      }
    }
  }

  #addIdle() {
    try {
      this.#idle.push(this.#add(() => {}));
    } catch (error) {
      // The workers that have started do the work.
      if (this.#threads.size === 0) this.#fail(error);
      this.#count = this.#threads.size;
    }
  }

  /**
   * Starts a worker.
   *
   * @param {(reason: unknown) => void} onStartFailure
   */
  #add(onStartFailure) {
    /** @type {Thread} */
    const thread = new Thread(
      this.#startWorker,
      this.#module,
      (answer) => this.#answered(thread, answer),
      (reason) => {
        onStartFailure(reason);
        this.#threadFailed(thread, reason);
      },
    );
    this.#threads.add(thread);
    return thread;
  }

  /**
   * @param {Thread} thread
   * @param {{ isReady?: true, outcome?: object, error?: import("./worker-jobs.js").PostedError }} answer
   */
  #answered(thread, { isReady, outcome, error }) {
    // Only the first worker is waited for. The others get jobs before they are ready.
    if (isReady) return thread.onReady?.();
    const job = this.#free(thread);
    if (error) job?.reject(errorOf(error, job.tensor));
    else job?.resolve(outcome ?? {});
    this.#assign();
  }

  /** Makes a worker idle. Returns the job that it has done. @param {Thread} thread */
  #free(thread) {
    this.#idle.push(thread);
    return thread.take();
  }

  /**
   * @param {Thread} thread
   * @param {unknown} reason
   */
  #threadFailed(thread, reason) {
    const tensor = thread?.job?.tensor;
    const { message } = /** @type {Partial<Error>} */ (reason);
    const where = tensor ? ` while it converted tensor ${JSON.stringify(tensor)}` : "";
    const text = `a worker has ended${where}: ${message ?? reason}. ${ADVICE}`;
    this.#fail(new GgufError("worker-failed", text, { cause: reason }));
  }

  /** @param {unknown} failure */
  #fail(failure) {
    if (this.#failure) return;
    this.#failure = failure;
    const jobs = [...[...this.#threads].map(({ job }) => job), ...this.#waiting];
    for (const thread of this.#threads) thread.end();
    this.#threads.clear();
    this.#idle = [];
    this.#waiting = [];
    for (const job of jobs) job?.reject(failure);
  }
}

/**
 * The error of a job. Those of the package keep their codes.
 *
 * @param {import("./worker-jobs.js").PostedError} error
 * @param {string} tensor
 */
function errorOf({ message, code, offset }, tensor) {
  if (!code) {
    const where = `a worker failed while it converted tensor ${JSON.stringify(tensor)}`;
    return new GgufError("worker-failed", `${where}: ${message}. ${ADVICE}`);
  }
  const own = new GgufError(/** @type {GgufErrorCode} */ (code), `${message} (tensor ${JSON.stringify(tensor)})`);
  return offset === undefined ? own : Object.assign(own, { offset });
}
