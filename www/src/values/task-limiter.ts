/** Limits the number of tasks that run at the same time. The others wait in the order in which they came. */
export class TaskLimiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Runs a task when a place is free. A task whose signal is aborted while it waits does not run. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const at = this.#waiting.indexOf(go);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason as Error);
      };
      const go = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      this.#waiting.push(go);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
