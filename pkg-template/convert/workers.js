// How a page starts workers. Vite, webpack, Rollup and Parcel recognise this form of `new Worker`. There are no `blob:` URLs, which
// a Content-Security-Policy may forbid.

import { WorkerPool } from "./worker-pool.js";

/** The most workers that are started if the caller gives no number. */
const MOST = 8;

/** Starts a worker in the way of the program. @type {(() => Worker) | undefined} */
let startOwn;

/** @type {typeof import("./init.js").startWorkersWith} */
export function startWorkersWith(start) {
  startOwn = /** @type {(() => Worker) | undefined} */ (start);
}

/** @type {import("./worker-pool.js").StartWorker} */
function startWorker(onMessage, onFailure) {
  const worker = startOwn ? startOwn() : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    // Without a message, the script could not be loaded.
    onFailure(new Error(event.message || "its script could not be loaded, or the page may not start workers"));
  };
  worker.onmessageerror = () => onFailure(new Error("a message could not be read"));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    end: () => worker.terminate(),
    hold() {},
  };
}

export const workers = {
  /** Hosts that have no `Worker` convert on the calling thread. */
  defaultCount: () => (typeof Worker === "function" ? Math.min(MOST, navigator.hardwareConcurrency || 1) : 0),

  /**
   * @param {number} count
   * @param {object} module
   * @param {AbortSignal} signal
   */
  start: (count, module, signal) => WorkerPool.start(startWorker, count, module, signal),
};
