/** Calls a function at once, or later if its last call was less than `time` milliseconds ago. */
export class Throttled {
  readonly #time: number;
  readonly #call: () => void;
  #last = -Infinity;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(time: number, call: () => void) {
    this.#time = time;
    this.#call = call;
  }

  request(): void {
    if (this.#later !== undefined) return;
    const wait = this.#last + this.#time - performance.now();
    if (wait <= 0) this.#run();
    else this.#later = setTimeout(() => this.#run(), wait);
  }

  /** Forgets a call that is still to come. */
  stop(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
  }

  #run(): void {
    this.#later = undefined;
    this.#last = performance.now();
    this.#call();
  }
}
