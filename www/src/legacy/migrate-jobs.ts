/** What is computed of a legacy model in a worker: its new file, and how much values change. */

import type { LegacyAnswers, LegacyModel, ReadProgress } from "gguf-wasm/convert";
import * as convert from "gguf-wasm/convert/init";
import type { LegacyOpening } from "../gguf/opened-model.ts";
import { moduleStarter } from "../gguf/start-module.ts";
import type { JobOptions } from "../worker/serve.ts";

/** The worker converts itself: it starts no other workers. */
const loadConvert = moduleStarter(convert);

let model: LegacyModel | undefined;
let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;

function plan(answers: LegacyAnswers) {
  if (!model) throw new Error("the worker has no model");
  return model.migrate(answers);
}

export const MIGRATE_JOBS = {
  /** Opens the model that the worker has from then on. */
  async open({ source, options }: LegacyOpening): Promise<void> {
    const { openLegacy } = await loadConvert();
    model = await openLegacy(source, options);
  },

  /** Compares the values before and after. */
  exactness(answers: LegacyAnswers, { signal, onProgress }: JobOptions) {
    return plan(answers).exactness({ signal, onProgress: (progress: ReadProgress) => onProgress(progress) });
  },

  /** Begins the new file. */
  async begin(answers: LegacyAnswers): Promise<void> {
    await reader?.cancel();
    reader = plan(answers).stream().getReader();
  },

  /** The next bytes of the new file. Undefined after its end. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return (await reader?.read())?.value;
  },

  /** Ends the new file before it is complete. */
  async end(): Promise<void> {
    await reader?.cancel();
    reader = undefined;
  },
};

export type MigrateJobs = typeof MIGRATE_JOBS;
