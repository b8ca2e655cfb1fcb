/** The worker for the memory of models with many tensors. The page ends it with the file. */

import { memoryJobs } from "./memory-jobs.ts";
import { openHeader } from "./open-header.ts";
import { serve } from "./serve.ts";

serve(memoryJobs(openHeader));
