/** Converts a model in a worker, so that the page stays responsive. If there can be no worker, the page does the work. */

import type { ModelConversionOptions } from "gguf-wasm/models";
import type { Jobs } from "../worker/serve.ts";
import { type WorkerScript, WorkerClient } from "../worker/worker-client.ts";
import type { ModelDescription, ModelOpening, PlannedModel } from "./model-folder.ts";
import type { ModelsJobs } from "./models-jobs.ts";
import workerUrl from "./models-worker.ts?worker&url";

const SCRIPT: WorkerScript = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-models" };

interface StreamOptions {
  readonly start: number;
  readonly signal: AbortSignal;
  /** Gets the position in the file up to which it is done. */
  readonly onProgress: (position: number) => void;
}

export class ModelWorker {
  #client: Promise<WorkerClient<ModelsJobs> | undefined> | undefined;

  /** The model that was opened last. */
  #opening: ModelOpening | undefined;

  open(opening: ModelOpening, signal: AbortSignal): Promise<ModelDescription> {
    this.#opening = opening;
    return this.#ask("open", opening, signal);
  }

  plan(options: Omit<ModelConversionOptions, "signal">, signal?: AbortSignal): Promise<PlannedModel> {
    return this.#ask("plan", options, signal);
  }

  /** Forgets a plan. With the worker, all plans end. */
  release({ id }: PlannedModel): void {
    if (this.#client) void this.#ask("release", id).catch(() => undefined);
  }

  /** A planned file as a source: its bytes are computed when they are read. */
  source({ id, size }: PlannedModel) {
    return {
      size,
      read: (start: number, end: number, options?: { signal?: AbortSignal }) =>
        this.#ask("read", { id, start, end }, options?.signal) as Promise<Uint8Array<ArrayBuffer>>,
    };
  }

  /** The bytes of a planned file from a position on. */
  stream({ id }: PlannedModel, { start, signal, onProgress }: StreamOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
    let position = start;
    let isBegun = false;
    return new ReadableStream(
      {
        pull: async (controller) => {
          if (!isBegun) await this.#ask("begin", { id, start }, signal);
          isBegun = true;
          const piece = await this.#ask("next", undefined as never, signal);
          if (!piece) return controller.close();
          position += piece.length;
          onProgress(position);
          controller.enqueue(piece);
        },
        cancel: () => this.#ask("end", undefined as never),
      },
      // Nothing is computed before it is wanted.
      { highWaterMark: 0 },
    );
  }

  /** Ends the worker. */
  stop(): void {
    void this.#client?.then((client) => client?.stop()).catch(() => undefined);
    this.#client = undefined;
  }

  /** The worker. One that has stopped is replaced by one that opens the same model. */
  async #started(): Promise<WorkerClient<ModelsJobs> | undefined> {
    const known = this.#client;
    if ((await known)?.hasEnded && this.#client === known) this.#client = this.#startAgain();
    return (this.#client ??= WorkerClient.start<ModelsJobs>(SCRIPT));
  }

  async #startAgain(): Promise<WorkerClient<ModelsJobs> | undefined> {
    const client = await WorkerClient.start<ModelsJobs>(SCRIPT);
    if (this.#opening) await client?.request("open", this.#opening);
    return client;
  }

  async #ask<Name extends keyof ModelsJobs & string>(
    job: Name,
    request: Parameters<ModelsJobs[Name]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<ModelsJobs[Name]>>> {
    const client = await this.#started();
    if (client) return client.request(job, request, { signal });
    const jobs: Jobs = (await import("./models-jobs.ts")).MODELS_JOBS;
    const work = jobs[job] as (request: unknown, asking: object) => Awaited<ReturnType<ModelsJobs[Name]>>;
    return work(request, { signal, onProgress: () => undefined });
  }
}
