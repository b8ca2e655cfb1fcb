import type { LitElement, ReactiveController } from "lit";
import { announce } from "./announce.ts";

/** How far a task is, in bytes. */
export interface TaskProgress {
  done: number;
  total: number;
  /** What is being done, such as the name of a file. */
  about?: string;
}

export type LongTaskState<T> =
  | { readonly name: "idle" }
  | {
      readonly name: "running";
      readonly progress: TaskProgress | undefined;
      /** The milliseconds since the first progress. */
      readonly elapsed: number;
      readonly isCancelling: boolean;
    }
  | { readonly name: "done"; readonly value: T }
  | { readonly name: "failed"; readonly error: unknown; readonly isCancelled: boolean };

/** Screen readers are told the progress so many times. */
const ANNOUNCED_PARTS = 4;

/** A task of an element that takes long: its progress, its result, and its cancellation. It ends when the element leaves the document. */
export class LongTask<T> implements ReactiveController {
  state: LongTaskState<T> = { name: "idle" };
  readonly #host: LitElement;
  #abort: AbortController | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  get isRunning(): boolean {
    return this.state.name === "running";
  }

  hostDisconnected(): void {
    this.#abort?.abort();
  }

  /** Starts the task. A result of `undefined` returns to the idle state. Never rejects. */
  async run(
    work: (signal: AbortSignal, report: (progress: TaskProgress) => void) => Promise<T | undefined>,
  ): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const become = (state: LongTaskState<T>) => {
      if (this.#abort === abort) this.#become(state);
    };
    become({ name: "running", progress: undefined, elapsed: 0, isCancelling: false });
    let measured: TaskProgress & { readonly at: number } = { done: 0, total: 0, at: performance.now() };
    let announced = 0;
    try {
      const value = await work(abort.signal, (progress) => {
        // Another file begins.
        if (progress.about !== measured.about || progress.done < measured.done) {
          measured = { ...progress, at: performance.now() };
          announced = 0;
        }
        become({
          name: "running",
          progress,
          elapsed: performance.now() - measured.at,
          isCancelling: abort.signal.aborted,
        });
        const part = Math.floor((ANNOUNCED_PARTS * progress.done) / Math.max(1, progress.total));
        if (part <= announced || part >= ANNOUNCED_PARTS || this.#abort !== abort) return;
        announced = part;
        announce(this.#host, `${(part / ANNOUNCED_PARTS) * 100} % done`);
      });
      become(value === undefined ? { name: "idle" } : { name: "done", value });
    } catch (error) {
      const isCurrent = this.#abort === abort;
      become({ name: "failed", error, isCancelled: abort.signal.aborted });
      if (isCurrent && abort.signal.aborted) announce(this.#host, "Cancelled");
    }
  }

  /** Asks the task to stop. It has stopped when its state is `failed`, or `done` if it was too late. */
  readonly cancel = () => {
    const { state } = this;
    if (state.name !== "running") return;
    this.#abort?.abort();
    this.#become({ ...state, isCancelling: true });
  };

  /** Cancels the task and forgets its result. */
  reset(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.#become({ name: "idle" });
  }

  #become(state: LongTaskState<T>): void {
    this.state = state;
    const host = this.#host;
    host.requestUpdate();
    // The button that cancels is removed. The focus moves to the button that starts the task.
    const root = host.renderRoot as ShadowRoot | undefined;
    if (state.name === "running" || !root?.activeElement?.closest(".task")) return;
    void host.updateComplete.then(() => root.querySelector<HTMLElement>(".buttons button")?.focus());
  }
}
