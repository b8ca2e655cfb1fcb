import type { TablesState } from "../viewer/table-state.ts";

/** Tells what a person has chosen in a table by `gguf-table`, but not what the page around has just told the table. */
export class StateReporter<T extends object> {
  readonly #host: EventTarget;
  readonly #detailOf: (state: T) => TablesState;
  /** The state that the page around knows. */
  #known = "{}";

  constructor(host: EventTarget, detailOf: (state: T) => TablesState) {
    this.#host = host;
    this.#detailOf = detailOf;
  }

  /** Whether a state from outside differs from what the table has reported. */
  adopts(state: T): boolean {
    const text = JSON.stringify(state);
    if (text === this.#known) return false;
    this.#known = text;
    return true;
  }

  /** Tells the state of the table if the page around does not know it. */
  report(state: T): void {
    const text = JSON.stringify(state);
    if (text === this.#known) return;
    this.#known = text;
    this.#host.dispatchEvent(
      new CustomEvent<TablesState>("gguf-table", { detail: this.#detailOf(state), bubbles: true, composed: true }),
    );
  }
}
