/**
 * Reports the state of a panel to the page around the viewer with the event `gguf-table`. A state that the page has just set is not
 * reported back.
 */
export class StateReporter<State extends object> {
  readonly #host: EventTarget;
  readonly #detailOf: (state: State) => object;
  /** The state that the page knows, as JSON. */
  #known = "{}";

  /** `detailOf` gives the detail of the event. */
  constructor(host: EventTarget, detailOf: (state: State) => object) {
    this.#host = host;
    this.#detailOf = detailOf;
  }

  /** Whether a state that the page sets differs from the reported state. The state counts as known from then on. */
  adopts(state: State): boolean {
    const text = JSON.stringify(state);
    if (text === this.#known) return false;
    this.#known = text;
    return true;
  }

  /** Reports the state of the panel unless the page knows it. */
  report(state: State): void {
    const text = JSON.stringify(state);
    if (text === this.#known) return;
    this.#known = text;
    this.#host.dispatchEvent(
      new CustomEvent("gguf-table", { detail: this.#detailOf(state), bubbles: true, composed: true }),
    );
  }
}
