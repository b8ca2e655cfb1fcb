/** Checks files: those with large headers in a worker, so that the page stays responsive and the checks can be cancelled. */

import type { Gguf } from "gguf-wasm";
import { LARGE_HEADER, runInWorker } from "../gguf/worker-task.ts";
import type { CheckedHeader, ChecksRequest } from "./checks-request.ts";
import workerUrl from "./checks-worker.ts?worker&url";

/** Whether a file is checked in a worker. */
export function takesLong({ headerSize }: Pick<Gguf, "headerSize">): boolean {
  return headerSize > LARGE_HEADER;
}

/**
 * Checks a large header. Undefined if the page cannot start a worker.
 * @throws the reason of `signal` once it is aborted
 */
export async function checkInWorker(request: ChecksRequest, signal: AbortSignal): Promise<CheckedHeader | undefined> {
  const script = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-checks" };
  const checked = await runInWorker<ChecksRequest, CheckedHeader>(script, request, signal);
  return checked?.response;
}
