/** Milliseconds that a server may send nothing before the request fails. Pauses do not count. */
const SILENCE_TIMEOUT = 30_000;
/** The number of first bytes that are kept to recognise other formats. */
const HEAD_LENGTH = 512;

/** A pending operation and its timeout. */
interface PendingOperation {
  start: () => void;
  stop: () => void;
}

/**
 * The requests of one opening, with a `fetch` that can be paused. During a pause, no request is made and no byte of a body is passed on, so
 * that the connection fills up and the server stops. The timeout does not run during a pause.
 */
export class PausableFetch {
  /** The number of requests. */
  requests = 0;
  /** The number of bytes that were passed on. */
  received = 0;
  /** The first bytes of the file. */
  head = new Uint8Array();

  readonly #patience: number;
  readonly #send: (url: string, init: RequestInit) => Promise<Response>;
  readonly #waits = new Set<PendingOperation>();
  #pause: { over: Promise<void>; end: () => void } | undefined;

  /** `send` makes a request, as `fetch` does. */
  constructor(patience = SILENCE_TIMEOUT, send: (url: string, init: RequestInit) => Promise<Response> = fetch) {
    this.#patience = patience;
    this.#send = (url, init) => send(url, init);
  }

  get paused(): boolean {
    return this.#pause !== undefined;
  }

  pause(): void {
    if (this.#pause) return;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#pause = { over, end };
    for (const wait of this.#waits) wait.stop();
  }

  resume(): void {
    if (!this.#pause) return;
    this.#pause.end();
    this.#pause = undefined;
    for (const wait of this.#waits) wait.start();
  }

  /** The option `fetch` of `Gguf.open`. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    await this.#running();
    init.signal?.throwIfAborted();
    this.requests += 1;
    const response = await this.#withTimeout(this.#send(url, init));
    await this.#running();
    if (!response.body) return response;
    const first = new Headers(init.headers).get("Range")?.startsWith("bytes=0-") === true && response.ok;
    // A new `Response` cannot have the URL of the original response, so the body is replaced.
    return Object.defineProperty(response, "body", { value: this.#passOn(response.body, first) });
  };

  #passOn(body: ReadableStream<Uint8Array<ArrayBuffer>>, first: boolean): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          await this.#running();
          const { done, value } = await this.#withTimeout(reader.read());
          await this.#running();
          if (done) {
            controller.close();
            return;
          }
          this.received += value.length;
          if (first) this.#keepHead(value);
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      // No bytes are read before they are needed.
      { highWaterMark: 0 },
    );
  }

  #keepHead(chunk: Uint8Array): void {
    if (this.head.length >= HEAD_LENGTH) return;
    const joined = new Uint8Array(Math.min(HEAD_LENGTH, this.head.length + chunk.length));
    joined.set(this.head);
    joined.set(chunk.subarray(0, joined.length - this.head.length), this.head.length);
    this.head = joined;
  }

  async #running(): Promise<void> {
    while (this.#pause) await this.#pause.over;
  }

  /** Resolves as `work` does, or rejects if the server sends nothing for too long. */
  #withTimeout<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wait: PendingOperation = {
        start: () => {
          timer = setTimeout(() => reject(new Error("the server sent nothing for too long")), this.#patience);
        },
        stop: () => clearTimeout(timer),
      };
      this.#waits.add(wait);
      if (!this.paused) wait.start();
      work.then(resolve, reject).finally(() => {
        wait.stop();
        this.#waits.delete(wait);
      });
    });
  }
}
