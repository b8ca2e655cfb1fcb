import type { LitElement, ReactiveController } from "lit";

type Work<Progress> = (signal: AbortSignal, report: (progress: Progress | undefined) => void) => Promise<void>;

/**
 * The search of a table. A new search stops the previous one. A search stops when the table leaves the document, and starts again when the
 * table is back.
 */
export class TableSearch<Progress> implements ReactiveController {
  readonly #host: LitElement;
  #running: { work: Work<Progress>; abort: AbortController } | undefined;
  #progress: Progress | undefined;
  /** Resolves when the search has ended or was stopped. */
  ended: Promise<void> = Promise.resolve();

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** What the search has reported last. Undefined if none runs. */
  get progress(): Progress | undefined {
    return this.#progress;
  }

  /** Starts a search. `work` throws the reason of its signal once it is aborted. */
  start(work: Work<Progress>): void {
    this.#running?.abort.abort();
    this.#progress = undefined;
    const running = { work, abort: new AbortController() };
    this.#running = running;
    this.ended = this.#run(running);
  }

  async #run(running: { work: Work<Progress>; abort: AbortController }): Promise<void> {
    const { signal } = running.abort;
    try {
      await running.work(signal, (progress) => {
        if (!signal.aborted) this.#become(progress);
      });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (signal.aborted) return;
    this.#running = undefined;
    this.#become(undefined);
  }

  #become(progress: Progress | undefined): void {
    if (progress === this.#progress) return;
    this.#progress = progress;
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    if (this.#running?.abort.signal.aborted) this.start(this.#running.work);
  }

  hostDisconnected(): void {
    this.#running?.abort.abort();
  }
}
