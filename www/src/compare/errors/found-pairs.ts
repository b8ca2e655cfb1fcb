/** The tensors that a running comparison has compared so far. */

import type { ComparedPair } from "gguf-wasm/full";
import type { ReactiveControllerHost } from "lit";
import type { Pairs } from "./tensor-errors.ts";

/** How often the pictures are drawn again while a comparison runs, in milliseconds. */
const PERIOD = 400;

/** Collects pairs, and updates the element from time to time. */
export class FoundPairs {
  readonly #host: ReactiveControllerHost;
  readonly #found = new Map<number, ComparedPair>();
  #shown: Pairs | undefined;
  #mark: object | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** What the pictures show. Undefined while no comparison of values runs. The object is another one after each change. */
  get shown(): Pairs | undefined {
    return this.#shown;
  }

  /** Begins another comparison. The result is its mark, by which its pairs are known. */
  begin(): object {
    this.end();
    this.#shown = new Map();
    return (this.#mark = {});
  }

  /** Adds a pair, unless another comparison has begun. */
  add(pair: ComparedPair, mark: object | undefined): void {
    if (!this.#shown || mark !== this.#mark) return;
    this.#found.set(pair.a, pair);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#shown = new Map(this.#found);
      this.#host.requestUpdate();
    }, PERIOD);
  }

  /** Forgets all pairs, and returns them. */
  end(): Pairs {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = new Map(this.#found);
    this.#found.clear();
    this.#shown = undefined;
    this.#host.requestUpdate();
    return all;
  }
}
