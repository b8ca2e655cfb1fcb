/** The worker for the memory of models with many tensors. The page ends it with the file. */

import { MEMORY_JOBS } from "./memory-jobs.ts";
import { serve } from "./serve.ts";

serve(MEMORY_JOBS);
