/** The worker that writes the export of a large header. The page ends it after the response, or when the export is cancelled. */

import { failureOf } from "../gguf/failure.ts";
import { loadLibrary } from "../gguf/library.ts";
import { exportKinds } from "./export-files.ts";
import type { ExportRequest, FromExportWorker } from "./export-messages.ts";

/** The part of a worker's global scope that is used here. TypeScript's libraries for pages and workers exclude each other. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ExportRequest>) => void) | null;
  postMessage(message: FromExportWorker): void;
}

const scope = self as unknown as WorkerScope;

scope.onmessage = ({ data }) => {
  write(data).then(
    (written) => scope.postMessage({ written }),
    (error: unknown) => scope.postMessage({ failure: failureOf(error) }),
  );
};
scope.postMessage("ready");

async function write({ header, fileName, title }: ExportRequest): Promise<Blob> {
  const { Gguf } = await loadLibrary();
  const gguf = await Gguf.open(header);
  const kind = exportKinds(gguf.metadata).find((known) => known.title === title);
  if (!kind) throw new Error(`the worker has no export “${title}”`);
  return new Blob([kind.write(gguf, fileName)], { type: kind.type });
}
