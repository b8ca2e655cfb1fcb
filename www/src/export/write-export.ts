/** Writes exports: those of large headers in a worker, so that the page stays responsive and the export can be cancelled. */

import type { Gguf } from "gguf-wasm";
import { startWorker, startWorkerOfOtherOrigin } from "../ui/module-worker.ts";
import type { ExportKind } from "./export-files.ts";
import type { ExportRequest, FromExportWorker } from "./export-messages.ts";
import workerUrl from "./export-worker.ts?worker&url";

/** A header with more bytes is exported in a worker. The page writes a smaller one in less time than a worker takes to start. */
const LARGE_HEADER = 2 ** 20;

const WORKER_NAME = "gguf-export";
const workerAddress = () => new URL(workerUrl, import.meta.url).href;

/** The page does not allow workers, or the script of the worker did not load. */
class WorkerUnavailable extends Error {}

/**
 * The content of an exported file.
 * @throws the reason of `signal` once it is aborted
 */
export async function writeExport(kind: ExportKind, gguf: Gguf, fileName: string, signal: AbortSignal): Promise<Blob> {
  signal.throwIfAborted();
  if (gguf.headerSize > LARGE_HEADER) {
    const request = { header: gguf.headerBytes(), fileName, title: kind.title };
    for (const make of [startWorker, startWorkerOfOtherOrigin]) {
      try {
        return await inWorker(() => make(workerAddress(), WORKER_NAME), request, signal);
      } catch (error) {
        if (!(error instanceof WorkerUnavailable)) throw error;
      }
    }
  }
  return new Blob([kind.write(gguf, fileName)], { type: kind.type });
}

function inWorker(make: () => Worker, request: ExportRequest, signal: AbortSignal): Promise<Blob> {
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
    worker.onmessage = ({ data }: MessageEvent<FromExportWorker>) => {
      if (data === "ready") {
        isReady = true;
        worker.postMessage(request);
      } else if ("written" in data) end(() => resolve(data.written));
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
