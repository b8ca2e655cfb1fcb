// How Node.js, Deno and Bun start worker threads.

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { WorkerPool } from "./worker-pool.js";

/** The most workers that are started if the caller gives no number. */
const MOST = 8;

/** @type {import("./worker-pool.js").StartWorker} */
function startWorker(onMessage, onFailure) {
  // Options of the process, such as `--test`, are not for the worker.
  const worker = new Worker(new URL("./worker.node.js", import.meta.url), { execArgv: [] });
  worker.on("message", onMessage);
  worker.on("error", onFailure);
  worker.on("messageerror", onFailure);
  worker.on("exit", (code) => onFailure(new Error(`it ended with exit code ${code}`)));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    end: () => void worker.terminate(),
    // A process ends although it has workers that wait for jobs.
    hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
  };
}

export const workers = {
  defaultCount: () => Math.min(MOST, availableParallelism()),

  /**
   * @param {number} count
   * @param {object} module
   * @param {AbortSignal} signal
   */
  start: (count, module, signal) => WorkerPool.start(startWorker, count, module, signal),
};
