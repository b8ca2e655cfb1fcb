/** The worker for large headers. The page ends it after a job, or when it needs the tokenizer no more. */

import { HEADER_JOBS } from "./header-jobs.ts";
import { serve } from "./serve.ts";

serve(HEADER_JOBS);
