/** Writes exports: those of large headers in a worker, so that the page stays responsive and the export can be cancelled. */

import type { Gguf } from "gguf-wasm/explain";
import type { OriginalTensor } from "gguf-wasm/full";
import { fullGguf } from "../gguf/full.ts";
import type { ExportKind } from "../worker/export-files.ts";
import type { HeaderJobs } from "../worker/header-jobs.ts";
import { HEADER_SCRIPT } from "../worker/header-script.ts";
import { headerFile } from "../worker/header-file.ts";
import { LARGE_HEADER, runInWorker } from "../worker/worker-client.ts";

/**
 * The content of an exported file.
 * @throws the reason of `signal` once it is aborted
 */
export async function writeExport(kind: ExportKind, gguf: Gguf, fileName: string, signal: AbortSignal): Promise<Blob> {
  signal.throwIfAborted();
  if (gguf.headerSize > LARGE_HEADER) {
    // For a model in a format before GGUF, this is the header of the GGUF file that shows it.
    const { originals } = gguf as { originals?: readonly OriginalTensor[] };
    const request = { ...headerFile(gguf), fileName, title: kind.title, originals };
    const written = await runInWorker<HeaderJobs, "export">(HEADER_SCRIPT, "export", request, signal);
    if (written) return written.response;
  }
  return new Blob([kind.write(await fullGguf(gguf), fileName)], { type: kind.type });
}
