/** Checks files: those with large headers in a worker, so that the page stays responsive and the checks can be cancelled. */

import type { Finding, Gguf } from "gguf-wasm";
import { LARGE_HEADER, runInWorker } from "../gguf/worker-task.ts";
import type { ChecksRequest } from "./checks-request.ts";
import workerUrl from "./checks-worker.ts?worker&url";
import { findingsOf } from "./findings-of-file.ts";

/** Whether a file is checked in a worker. */
export function takesLong(gguf: Gguf): boolean {
  return gguf.headerSize > LARGE_HEADER;
}

/**
 * The findings about a file with a large header. The name is "" if it is not known.
 * @throws the reason of `signal` once it is aborted
 */
export async function checkInWorker(gguf: Gguf, fileName: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const script = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-checks" };
  const request = { header: gguf.headerBytes(), size: gguf.fileSize, fileName };
  const checked = await runInWorker<ChecksRequest, readonly Finding[]>(script, request, signal);
  return checked?.response ?? findingsOf(gguf, fileName);
}
