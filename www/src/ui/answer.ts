/** Answers that take long to compute. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** The answer to the last question of an element. The one before stays until the new one arrives. */
export class Answer<T> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  /** What the answer depends on. Undefined: nothing is asked. */
  #question: readonly unknown[] | undefined;
  #found: { readonly value: T } | undefined;
  #asking: AbortController | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The last answer. Undefined until there is one. */
  get found(): { readonly value: T } | undefined {
    return this.#found;
  }

  /** Whether a new answer is computed. */
  get isBusy(): boolean {
    return this.#asking !== undefined;
  }

  /**
   * Asks a question, unless it equals the last one. Two questions are equal if all their parts are equal. Returns whether the question is
   * new. A new question aborts the signal of the previous one. The host is updated when `find` has the answer.
   */
  ask(question: readonly unknown[], find: (signal: AbortSignal) => Promise<T>): boolean {
    const last = this.#question;
    if (last?.length === question.length && question.every((part, at) => Object.is(part, last[at]))) return false;
    this.#asking?.abort();
    this.#question = question;
    const asking = new AbortController();
    this.#asking = asking;
    void this.#settle(asking, find);
    return true;
  }

  /** Forgets the question and the answer. */
  clear(): void {
    this.#stop();
    this.#found = undefined;
  }

  hostConnected(): void {
    if (this.#question === undefined) this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    if (this.isBusy) this.#stop();
  }

  #stop(): void {
    this.#asking?.abort();
    this.#asking = undefined;
    this.#question = undefined;
  }

  async #settle(asking: AbortController, find: (signal: AbortSignal) => Promise<T>): Promise<void> {
    try {
      const value = await find(asking.signal);
      if (asking.signal.aborted) return;
      this.#found = { value };
    } catch (error) {
      if (!asking.signal.aborted) throw error;
      return;
    } finally {
      if (this.#asking === asking) {
        this.#asking = undefined;
        this.#host.requestUpdate();
      }
    }
  }
}
