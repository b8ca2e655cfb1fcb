/** The worker that reads values for `<gguf-tensor>`. */

import { serveValues } from "../values/value-jobs.ts";
import { valuesModule } from "./values-module.ts";

const { give, load } = valuesModule();

serveValues((module) => {
  give(module);
  return load();
});
