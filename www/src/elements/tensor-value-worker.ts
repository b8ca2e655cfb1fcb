/** The worker that reads values for `<gguf-tensor>`. */

import { serveValues } from "../values/value-jobs.ts";
import { loadValues } from "./values-entry.ts";

serveValues(loadValues);
