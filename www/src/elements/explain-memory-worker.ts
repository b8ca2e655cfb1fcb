/** The worker for the memory of models with many tensors, for `<gguf-memory>`. */

import type { HeaderFile } from "../worker/header-source.ts";
import { headerSource } from "../worker/header-source.ts";
import { memoryJobs } from "../worker/memory-jobs.ts";
import { serve } from "../worker/serve.ts";
import { giveExplain, loadExplain } from "./explain-entry.ts";

async function openHeader({ header, size, module }: HeaderFile) {
  giveExplain(module);
  const { Gguf } = await loadExplain();
  return Gguf.open(...headerSource(header, size));
}

serve(memoryJobs(openHeader));
