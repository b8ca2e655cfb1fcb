/** Pauses the reading of a stream. */

/** Whether a stream is paused, and for how long it was. */
export class Pause {
  /** Ends the pause. Undefined while there is none. */
  #end: (() => void) | undefined;
  #ended: Promise<void> = Promise.resolve();
  #since = 0;
  #total = 0;

  get isPaused(): boolean {
    return this.#end !== undefined;
  }

  /** The milliseconds of all pauses together. */
  get duration(): number {
    return this.#total + (this.isPaused ? performance.now() - this.#since : 0);
  }

  pause(): void {
    if (this.isPaused) return;
    this.#since = performance.now();
    this.#ended = new Promise((resolve) => (this.#end = resolve));
  }

  resume(): void {
    this.#total = this.duration;
    this.#end?.();
    this.#end = undefined;
  }

  /** Resolves when there is no pause. */
  async ended(): Promise<void> {
    while (this.isPaused) await this.#ended;
  }
}

/** The bytes of a stream, of which nothing is read during a pause. Cancelling it ends the pause. */
export function pausable(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  pause: Pause,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        await pause.ended();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        pause.resume();
        await reader.cancel(reason);
      },
    },
    // Nothing is read before it is wanted.
    { highWaterMark: 0 },
  );
}
