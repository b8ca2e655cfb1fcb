/** Writes exports: those of large headers in a worker, so that the page stays responsive and the export can be cancelled. */

import type { Gguf } from "gguf-wasm";
import { LARGE_HEADER, runInWorker } from "../gguf/worker-task.ts";
import type { ExportKind } from "./export-files.ts";
import type { ExportRequest } from "./export-request.ts";
import workerUrl from "./export-worker.ts?worker&url";

/**
 * The content of an exported file.
 * @throws the reason of `signal` once it is aborted
 */
export async function writeExport(kind: ExportKind, gguf: Gguf, fileName: string, signal: AbortSignal): Promise<Blob> {
  signal.throwIfAborted();
  if (gguf.headerSize > LARGE_HEADER) {
    const script = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-export" };
    const request = { header: gguf.headerBytes(), fileName, title: kind.title };
    const written = await runInWorker<ExportRequest, Blob>(script, request, signal);
    if (written) return written.response;
  }
  return new Blob([kind.write(gguf, fileName)], { type: kind.type });
}
