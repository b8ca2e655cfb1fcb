import * as convert from "gguf-wasm/convert/init";
import { moduleStarter } from "../gguf/start-module.ts";
import { startWorker, startWorkerOfOtherOrigin } from "../ui/module-worker.ts";
import workerUrl from "./convert-worker.ts?worker&url";

const ADDRESS = new URL(workerUrl, import.meta.url);

/** Fetches and starts the module that converts models. Its workers are started as all workers of the page: see `ui/module-worker.ts`. */
export const loadConvert = moduleStarter(convert, () => {
  const start = ADDRESS.origin === location.origin ? startWorker : startWorkerOfOtherOrigin;
  convert.startWorkersWith(() => start(ADDRESS.href, "gguf-convert"));
});
