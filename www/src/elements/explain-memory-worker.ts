/** The worker for the memory of models with many tensors, for `<gguf-memory>`. */

import { headerSource } from "../worker/header-source.ts";
import { memoryJobs } from "../worker/memory-jobs.ts";
import { serve } from "../worker/serve.ts";
import { explainModule } from "./explain-module.ts";

const { give, load } = explainModule();

serve(
  memoryJobs(async ({ header, size, module }) => {
    give(module);
    const { Gguf } = await load();
    return Gguf.open(...headerSource(header, size));
  }),
);
