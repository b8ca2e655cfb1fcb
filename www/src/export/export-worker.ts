/** The worker that writes the export of a large header. The page ends it after the response, or when the export is cancelled. */

import { loadLibrary } from "../gguf/library.ts";
import { respond } from "../gguf/worker-task.ts";
import { exportKinds } from "./export-files.ts";
import type { ExportRequest } from "./export-request.ts";

respond(async ({ header, fileName, title }: ExportRequest): Promise<Blob> => {
  const { Gguf } = await loadLibrary();
  const gguf = await Gguf.open(header);
  const kind = exportKinds(gguf.metadata).find((known) => known.title === title);
  if (!kind) throw new Error(`the worker has no export “${title}”`);
  return new Blob([kind.write(gguf, fileName)], { type: kind.type });
});
