/** The worker that checks a file with a large header. The page ends it after the response, or when the checks are cancelled. */

import { loadLibrary } from "../gguf/library.ts";
import { headerFacts } from "../gguf/shown-file.ts";
import { respond } from "../gguf/worker-task.ts";
import type { CheckedHeader, ChecksRequest } from "./checks-request.ts";
import { findingsOf } from "./findings-of-file.ts";
import { headerSource } from "./header-source.ts";

respond(async ({ header, size, fileName }: ChecksRequest): Promise<CheckedHeader> => {
  const { Gguf } = await loadLibrary();
  const gguf = await Gguf.open(...headerSource(header, size));
  return { findings: findingsOf(gguf, fileName), facts: headerFacts(gguf) };
});
