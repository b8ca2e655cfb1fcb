/** Checks files: those with large headers in a worker, so that the page stays responsive and the checks can be cancelled. */

import type { Gguf } from "gguf-wasm/explain";
import type { GgufSet } from "gguf-wasm/full";
import { filePrograms } from "gguf-wasm/common/programs.js";
import { failureOf } from "../gguf/failure.ts";
import { isFull } from "../gguf/full.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { checksOf } from "../worker/checks-of-file.ts";
import { checksOfSet } from "../worker/checks-of-set.ts";
import type { CheckedHeader, FileToCheck, HeaderJobs, ShardHeader } from "../worker/header-jobs.ts";
import { HEADER_SCRIPT } from "../worker/header-script.ts";
import { headerFile } from "../worker/header-file.ts";
import { LARGE_HEADER, runInWorker } from "../worker/worker-client.ts";
import type { ChecksResult } from "./findings.ts";

type CheckedModel = Pick<OpenedModel, "gguf" | "set">;

/** Models with more tensors are checked in a worker, too: the checks of one whose tensors are all wrong take 20 ms for 2000. */
const MANY_TENSORS = 2000;

/** Whether a file is checked in a worker. */
export function takesLong({ headerSize, tensors }: Pick<Gguf, "headerSize" | "tensors">): boolean {
  return headerSize > LARGE_HEADER || tensors.length > MANY_TENSORS;
}

/**
 * Checks a large header. Undefined if the page cannot start a worker.
 * @throws the reason of `signal` once it is aborted
 */
export async function checkInWorker(file: FileToCheck, signal?: AbortSignal): Promise<CheckedHeader | undefined> {
  return (await runInWorker<HeaderJobs, "check">(HEADER_SCRIPT, "check", file, signal))?.response;
}

/**
 * Checks a large model. The name is "" if it is not known. The findings of a file in `gguf-wasm/full` have fixes. Undefined if the page
 * cannot start a worker.
 * @throws the reason of `signal` once it is aborted
 */
export async function modelInWorker(
  { gguf, set }: CheckedModel,
  fileName: string,
  signal?: AbortSignal,
): Promise<ChecksResult | undefined> {
  if (!set) return checkInWorker({ ...headerFile(gguf), fileName, withFixes: isFull(gguf) }, signal);
  const request = { shards: shardHeaders(set) };
  return (await runInWorker<HeaderJobs, "checkSet">(HEADER_SCRIPT, "checkSet", request, signal))?.response;
}

/** Checks a model on the page. The findings of a file in `gguf-wasm/full` have fixes. */
export function checkHere({ gguf, set }: CheckedModel, fileName: string): ChecksResult {
  return set ? checksOfSet(set) : checksOf(gguf, fileName, filePrograms(gguf));
}

function shardHeaders({ shards }: GgufSet): ShardHeader[] {
  return shards.map(({ name, url, gguf, error }) => ({
    name,
    url,
    file: gguf && headerFile(gguf),
    failure: error && failureOf(error),
  }));
}
