/** The worker that reads values with the main module. */

import { loadLibrary } from "../gguf/library.ts";
import { serveValues } from "./value-jobs.ts";

serveValues(loadLibrary);
