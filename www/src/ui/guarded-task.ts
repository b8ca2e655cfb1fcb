import type { LitElement, ReactiveController } from "lit";
import "./ask.ts";
import type { Question } from "./ask.ts";
import { ElementTask } from "./long-task.ts";
import { reportWork } from "./running-work.ts";

interface Guard {
  /** What the person is asked before the task ends because another file is opened. */
  readonly question: Question;
  /** Cancels the task. By default as a task is cancelled. */
  readonly cancel?: () => void;
  /** Called when the task begins to run, and when it does not any more. */
  readonly onChange?: (isRunning: boolean) => void;
}

/** A task whose work would be lost: the person is asked before the page is left, or another file is opened. */
export class GuardedTask<T> extends ElementTask<T> implements ReactiveController {
  readonly #element: LitElement;
  readonly #guard: Guard;
  /** Whether the task was reported to run. */
  #isReported = false;

  constructor(host: LitElement, guard: Guard) {
    super(host);
    this.#element = host;
    this.#guard = guard;
  }

  hostUpdated(): void {
    const { isRunning } = this;
    if (isRunning === this.#isReported) return;
    this.#isReported = isRunning;
    // Pages with such a listener are not kept in the back/forward cache, so it exists only while the task runs.
    if (isRunning) addEventListener("beforeunload", this.#onUnload);
    else removeEventListener("beforeunload", this.#onUnload);
    const { question, cancel = this.cancel, onChange } = this.#guard;
    reportWork(this.#element, isRunning ? { question, cancel } : null);
    onChange?.(isRunning);
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    removeEventListener("beforeunload", this.#onUnload);
  }

  readonly #onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
}
