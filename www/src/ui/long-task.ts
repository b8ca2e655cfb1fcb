/** Work that takes long: its progress, its result and its cancellation. */

import type { LitElement, ReactiveController, ReactiveControllerHost } from "lit";
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

/** The work of a task. A result of `undefined` returns to the idle state. */
type Work<T> = (signal: AbortSignal, report: (progress: TaskProgress) => void) => Promise<T | undefined>;

/** A task whose state elements watch. It runs once at a time. */
export class LongTask<T> {
  state: LongTaskState<T> = { name: "idle" };
  readonly #work: Work<T> | undefined;
  readonly #watchers = new Set<() => void>();
  #abort: AbortController | undefined;

  /** `work` is what `start` runs. */
  constructor(work?: Work<T>) {
    this.#work = work;
  }

  get isRunning(): boolean {
    return this.state.name === "running";
  }

  /** The result, if the task is done. */
  get value(): T | undefined {
    return this.state.name === "done" ? this.state.value : undefined;
  }

  watch(watcher: () => void): void {
    this.#watchers.add(watcher);
  }

  unwatch(watcher: () => void): void {
    this.#watchers.delete(watcher);
  }

  /** Runs the work of the task unless it runs or is done. A failed task runs again. */
  start(): void {
    if (this.#work && !this.isRunning && this.state.name !== "done") void this.run(this.#work);
  }

  /** Runs other work. Never rejects. */
  async run(work: Work<T>): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const become = (state: LongTaskState<T>) => {
      if (this.#abort === abort) this.#become(state);
    };
    become({ name: "running", progress: undefined, elapsed: 0, isCancelling: false });
    let measured: (TaskProgress & { readonly at: number }) | undefined;
    try {
      const value = await work(abort.signal, (progress) => {
        // The first progress, or another file begins.
        if (!measured || progress.about !== measured.about || progress.done < measured.done)
          measured = { ...progress, at: performance.now() };
        const elapsed = performance.now() - measured.at;
        become({ name: "running", progress, elapsed, isCancelling: abort.signal.aborted });
      });
      become(value === undefined ? { name: "idle" } : { name: "done", value });
    } catch (error) {
      become({ name: "failed", error, isCancelled: abort.signal.aborted });
    }
  }

  /** Asks the task to stop. It has stopped when its state is `failed`, or `done` if it was too late. */
  readonly cancel = () => {
    const { state } = this;
    if (state.name !== "running") return;
    this.#abort?.abort();
    this.#become({ ...state, isCancelling: true });
  };

  /** Stops the task if it runs, without waiting for its end. It can be started again. */
  withdraw(): void {
    if (this.isRunning) this.reset();
  }

  /** Stops the task and forgets its result. */
  reset(): void {
    const abort = this.#abort;
    this.#abort = undefined;
    this.#become({ name: "idle" });
    abort?.abort();
  }

  #become(state: LongTaskState<T>): void {
    this.state = state;
    for (const watcher of this.#watchers) watcher();
  }
}

/** The number of times that screen readers are told the progress. */
const ANNOUNCED_PARTS = 4;

/** A task of one element, which announces the progress. It ends when the element leaves the document. */
export class ElementTask<T> extends LongTask<T> implements ReactiveController {
  readonly #host: LitElement;
  #last: TaskProgress | undefined;
  #announced = 0;

  constructor(host: LitElement) {
    super();
    this.#host = host;
    this.watch(() => this.#changed());
    host.addController(this);
  }

  hostDisconnected(): void {
    this.cancel();
  }

  #changed(): void {
    const { state } = this;
    const host = this.#host;
    host.requestUpdate();
    if (state.name === "running") {
      this.#announce(state.progress);
      return;
    }
    if (state.name === "failed" && state.isCancelled) announce(host, "Cancelled");
    // The button that cancels is removed. The focus moves to the button that starts the task.
    const root = host.renderRoot as ShadowRoot | undefined;
    if (!root?.activeElement?.closest(".task")) return;
    void host.updateComplete.then(() => root.querySelector<HTMLElement>(".buttons button")?.focus());
  }

  #announce(progress: TaskProgress | undefined): void {
    const before = this.#last;
    this.#last = progress;
    if (!progress) return;
    if (progress.about !== before?.about || progress.done < (before?.done ?? 0)) this.#announced = 0;
    const part = Math.floor((ANNOUNCED_PARTS * progress.done) / Math.max(1, progress.total));
    if (part <= this.#announced || part >= ANNOUNCED_PARTS) return;
    this.#announced = part;
    announce(this.#host, `${(part / ANNOUNCED_PARTS) * 100} % done`);
  }
}

/** Updates an element whenever the state of one of the tasks that it shows changes. */
export class TaskWatcher implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #tasks: readonly LongTask<unknown>[] = [];
  #isConnected = false;
  readonly #changed = () => this.#host.requestUpdate();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Watches these tasks instead of the tasks before. */
  watch(...tasks: readonly LongTask<unknown>[]): void {
    this.#release();
    this.#tasks = tasks;
    this.#hold();
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.#hold();
  }

  hostDisconnected(): void {
    this.#release();
    this.#isConnected = false;
  }

  #hold(): void {
    if (this.#isConnected) for (const task of this.#tasks) task.watch(this.#changed);
  }

  #release(): void {
    for (const task of this.#tasks) task.unwatch(this.#changed);
  }
}
