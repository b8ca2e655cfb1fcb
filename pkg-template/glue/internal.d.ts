// What the script of each module exports for other files of the package, beside the API.

import type { InitInput, InitOutput, SyncInitInput } from "../start.js";

declare module "../gguf_wasm.js" {
  export function init(source: InitInput | Promise<InitInput>): Promise<InitOutput>;
  export function initSync(module: SyncInitInput): InitOutput;
  export function useLocalFiles(files: object): void;
}

declare module "../convert/gguf_wasm_convert.js" {
  export function init(source: InitInput | Promise<InitInput>): Promise<InitOutput>;
  export function initSync(module: SyncInitInput): InitOutput;
  export function useWorkers(workers: object): void;
  export function runJob(job: object): { bytes?: Uint8Array<ArrayBuffer> };
}
