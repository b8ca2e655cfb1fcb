/** The worker that checks a file with a large header. The page ends it after the response, or when the checks are cancelled. */

import type { Finding } from "gguf-wasm";
import { loadLibrary } from "../gguf/library.ts";
import { respond } from "../gguf/worker-task.ts";
import type { ChecksRequest } from "./checks-request.ts";
import { findingsOf } from "./findings-of-file.ts";
import { headerSource } from "./header-source.ts";

respond(async ({ header, size, fileName }: ChecksRequest): Promise<readonly Finding[]> => {
  const { Gguf } = await loadLibrary();
  const gguf = await Gguf.open(...headerSource(header, size));
  return findingsOf(gguf, fileName);
});
