import type { ReadProgress } from "gguf-wasm";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { type Failure, failureOf } from "../gguf/failure.ts";

export type TaskState<T> =
  | { name: "idle" }
  | { name: "running"; progress: ReadProgress | undefined }
  | { name: "done"; value: T }
  | { name: "failed"; failure: Failure };

/** A task that runs at most once and whose state elements watch. */
export class Task<T> {
  state: TaskState<T> = { name: "idle" };
  readonly #run: (signal: AbortSignal, onProgress: (progress: ReadProgress) => void) => Promise<T>;
  readonly #watchers = new Set<() => void>();
  #abort: AbortController | undefined;

  constructor(run: (signal: AbortSignal, onProgress: (progress: ReadProgress) => void) => Promise<T>) {
    this.#run = run;
  }

  /** The result, if the task is done. */
  get value(): T | undefined {
    return this.state.name === "done" ? this.state.value : undefined;
  }

  /** Starts the task unless it runs or is done. A failed task runs again. */
  start(): void {
    if (this.state.name === "running" || this.state.name === "done") return;
    const abort = new AbortController();
    this.#abort = abort;
    this.#become({ name: "running", progress: undefined });
    this.#run(abort.signal, (progress) => {
      if (this.#abort === abort) this.#become({ name: "running", progress });
    }).then(
      (value) => {
        if (this.#abort === abort) this.#become({ name: "done", value });
      },
      (error: unknown) => {
        if (this.#abort === abort) this.#become({ name: "failed", failure: failureOf(error) });
      },
    );
  }

  /** Cancels the task if it runs. It can be started again. */
  cancel(): void {
    if (this.state.name !== "running") return;
    const abort = this.#abort;
    this.#abort = undefined;
    this.#become({ name: "idle" });
    abort?.abort();
  }

  watch(watcher: () => void): void {
    this.#watchers.add(watcher);
  }

  unwatch(watcher: () => void): void {
    this.#watchers.delete(watcher);
  }

  #become(state: TaskState<T>): void {
    this.state = state;
    for (const watcher of this.#watchers) watcher();
  }
}

/** Updates an element whenever the state of one of its tasks changes. */
export class TaskWatcher implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #works: readonly Task<unknown>[] = [];
  #connected = false;
  readonly #changed = () => this.#host.requestUpdate();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Watches these tasks instead of the tasks before. */
  watch(...works: readonly Task<unknown>[]): void {
    this.#release();
    this.#works = works;
    this.#hold();
  }

  hostConnected(): void {
    this.#connected = true;
    this.#hold();
  }

  hostDisconnected(): void {
    this.#release();
    this.#connected = false;
  }

  #hold(): void {
    if (this.#connected) for (const work of this.#works) work.watch(this.#changed);
  }

  #release(): void {
    for (const work of this.#works) work.unwatch(this.#changed);
  }
}
