import workerUrl from "./header-worker.ts?worker&url";
import type { WorkerScript } from "./worker-client.ts";

/** The script of the worker for large headers. */
export const HEADER_SCRIPT: WorkerScript = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-header" };
