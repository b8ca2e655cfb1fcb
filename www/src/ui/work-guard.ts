import { html, type LitElement, nothing } from "lit";
import type { GgufAsk } from "./ask.ts";
import type { RunningWork } from "./running-work.ts";

/** Asks before the work of a panel ends, because another file is opened. */
export class WorkGuard {
  readonly #host: LitElement;
  /** The work of each element that has reported some. */
  readonly #running = new Map<Element, RunningWork>();
  #isAsking = false;

  constructor(host: LitElement) {
    this.#host = host;
    host.addEventListener("gguf-work", (event) => {
      event.stopPropagation();
      const element = event.composedPath()[0] as Element;
      const { detail: work } = event as CustomEvent<RunningWork | null>;
      if (work) this.#running.set(element, work);
      else this.#running.delete(element);
      host.requestUpdate();
    });
  }

  /** The work that runs. */
  get #work(): RunningWork | undefined {
    // An element that was removed has ended its work.
    for (const element of this.#running.keys()) if (!element.isConnected) this.#running.delete(element);
    return [...this.#running.values()][0];
  }

  get isRunning(): boolean {
    return this.#work !== undefined;
  }

  /** Whether no work runs, or the person lets it end. Then it is cancelled. */
  async mayEnd(): Promise<boolean> {
    const work = this.#work;
    if (!work) return true;
    this.#isAsking = true;
    try {
      const ask = this.#host.renderRoot.querySelector<GgufAsk>("#work-question");
      if (!((await ask?.ask(work.question)) ?? true)) return false;
    } finally {
      this.#isAsking = false;
      this.#host.requestUpdate();
    }
    work.cancel();
    return true;
  }

  /** The dialog that asks. It stays until it is answered, although the work may end meanwhile. */
  renderQuestion() {
    return this.isRunning || this.#isAsking ? html`<gguf-ask id="work-question"></gguf-ask>` : nothing;
  }
}
