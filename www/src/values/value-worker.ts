/** The worker that reads values with the main module. */

import { loadLibrary } from "../gguf/library.ts";
import { giveLibrary } from "../gguf/started-library.ts";
import { serveValues } from "./value-jobs.ts";

serveValues((module) => {
  giveLibrary(module);
  return loadLibrary();
});
