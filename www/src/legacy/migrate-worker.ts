/** The worker that migrates a legacy model. */

import { serve } from "../worker/serve.ts";
import { MIGRATE_JOBS } from "./migrate-jobs.ts";

serve(MIGRATE_JOBS, (response) => (response instanceof Uint8Array ? [response.buffer] : []));
