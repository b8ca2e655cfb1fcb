/** The worker that converts models in the layout of Hugging Face. */

import { serve } from "../worker/serve.ts";
import { MODELS_JOBS } from "./models-jobs.ts";

serve(MODELS_JOBS, (response) => (response instanceof Uint8Array ? [response.buffer] : []));
