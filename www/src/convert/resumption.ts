/** Streams that do not end with a failure: a person can continue them where they stopped. */

/** A failure that waits for the decision of a person. */
export class Resumption {
  #waiting: { readonly error: unknown; readonly decide: (continues: boolean) => void } | undefined;
  readonly #onChange: () => void;

  /** `onChange` is called when a failure begins or ends to wait. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The failure that waits. Undefined if none does. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#waiting;
  }

  /** Waits until the person decides whether the stream continues. */
  ask(error: unknown): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting = { error, decide: resolve };
      this.#onChange();
    });
  }

  decide(continues: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.decide(continues);
    if (waiting) this.#onChange();
  }
}

/** Failures that may not happen again: of a network, of a server, of a disk, of a worker. */
const PASSING: ReadonlySet<string> = new Set([
  "http",
  "network",
  "timeout",
  "cors",
  "bad-range",
  "read-failed",
  "worker-failed",
  "too-large",
]);

/** Whether the same work may succeed when it is done again. */
export function isPassing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return PASSING.has(String(code));
}

/**
 * The bytes of a stream. After a temporary failure, the stream is opened again at the position of the failure if the person wants it.
 * `open` opens it at a position. Cancelling it ends the waiting.
 */
export function resumable(
  open: (position: number) => ReadableStream<Uint8Array<ArrayBuffer>>,
  resumption: Resumption,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let reader = open(0).getReader();
  let position = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          try {
            const { done, value } = await reader.read();
            if (done) return controller.close();
            position += value.length;
            return controller.enqueue(value);
          } catch (error) {
            if (!isPassing(error) || !(await resumption.ask(error))) throw error;
            reader = open(position).getReader();
          }
        }
      },
      async cancel(reason) {
        resumption.decide(false);
        await reader.cancel(reason);
      },
    },
    // Nothing is read before it is wanted.
    { highWaterMark: 0 },
  );
}
