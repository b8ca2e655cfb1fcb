/** Migrates a model in a worker, so that the page stays responsive. If there can be no worker, the page does the work. */

import type { LegacyAnswers, MigrationExactness, MigrationPlan } from "gguf-wasm/convert";
import type { LegacyOpening } from "../gguf/opened-model.ts";
import { type WorkerScript, WorkerClient } from "../worker/worker-client.ts";
import type { MigrateJobs } from "./migrate-jobs.ts";
import workerUrl from "./migrate-worker.ts?worker&url";

const SCRIPT: WorkerScript = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-migrate" };

/** A plan of the page, and the answers from which the worker makes the same plan. */
export interface AnsweredPlan {
  readonly plan: MigrationPlan;
  readonly answers: LegacyAnswers;
}

interface Options {
  readonly signal: AbortSignal;
  /** Gets the number of bytes that are done. */
  readonly onProgress: (done: number, total: number) => void;
}

export class MigrationWorker {
  readonly #opening: LegacyOpening;
  /** All calls share the worker. An aborted call must not end the start of the worker, because a later call may wait for it. */
  #client: Promise<WorkerClient<MigrateJobs> | undefined> | undefined;
  #ending = new AbortController();

  constructor(opening: LegacyOpening) {
    this.#opening = opening;
  }

  /** How much values change. */
  async exactness({ plan, answers }: AnsweredPlan, { signal, onProgress }: Options): Promise<MigrationExactness> {
    const report = ({ bytesRead, totalBytes }: { bytesRead: number; totalBytes: number }) =>
      onProgress(bytesRead, totalBytes);
    signal.throwIfAborted();
    const client = await this.#ready();
    signal.throwIfAborted();
    if (!client) return plan.exactness({ signal, onProgress: report });
    return client.request("exactness", answers, { signal, onProgress: report });
  }

  /** The bytes of the new file. */
  stream(answered: AnsweredPlan, { signal, onProgress }: Options): ReadableStream<Uint8Array<ArrayBuffer>> {
    const { size } = answered.plan;
    let written = 0;
    let pieces: Pieces | undefined;
    return new ReadableStream({
      pull: async (controller) => {
        pieces ??= await this.#pieces(answered, signal);
        const piece = await pieces.next();
        if (!piece) {
          controller.close();
          return;
        }
        written += piece.length;
        onProgress(written, size);
        controller.enqueue(piece);
      },
      cancel: () => pieces?.end(),
    });
  }

  /** Ends the worker. It is started again when it is needed. */
  stop(): void {
    this.#ending.abort(new DOMException("the worker was ended", "AbortError"));
    this.#ending = new AbortController();
    this.#client = undefined;
  }

  async #pieces({ plan, answers }: AnsweredPlan, signal: AbortSignal): Promise<Pieces> {
    signal.throwIfAborted();
    const client = await this.#ready();
    signal.throwIfAborted();
    if (!client) {
      const reader = plan.stream({ signal }).getReader();
      return { next: async () => (await reader.read()).value, end: () => reader.cancel() };
    }
    await client.request("begin", answers, { signal });
    return {
      next: () => client.request("next", undefined as never, { signal }),
      end: () => client.request("end", undefined as never),
    };
  }

  /** The worker with the model. One that has stopped is replaced. Undefined if the page cannot start it, or cannot give it the source. */
  async #ready(): Promise<WorkerClient<MigrateJobs> | undefined> {
    const known = this.#client;
    if ((await known?.catch(() => undefined))?.hasEnded && this.#client === known) this.#client = undefined;
    const client = (this.#client ??= this.#start(this.#ending.signal));
    client.catch(() => {
      if (this.#client === client) this.#client = undefined;
    });
    return client;
  }

  async #start(ending: AbortSignal): Promise<WorkerClient<MigrateJobs> | undefined> {
    const client = await WorkerClient.start<MigrateJobs>(SCRIPT, ending);
    client?.endWith(ending);
    try {
      await client?.request("open", this.#opening, { signal: ending });
      return client;
    } catch (error) {
      client?.stop();
      // An object with functions cannot be posted.
      if (error instanceof DOMException && error.name === "DataCloneError") return undefined;
      throw error;
    }
  }
}

/** The pieces of a new file. */
interface Pieces {
  readonly next: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
  readonly end: () => Promise<void>;
}
