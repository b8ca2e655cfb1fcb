/** Watches requests for servers that send nothing, so that the page can name them while it waits. */

/** The seconds after which a silent server is named, and after which the number is updated. */
const STEP = 10;

/** A server that sends nothing. */
export interface Silence {
  readonly host: string;
  readonly seconds: number;
  /** Whether a part of the response has arrived. */
  readonly isPartial: boolean;
}

type Wait = Omit<Silence, "seconds">;

/** Makes a request, as `fetch` does. */
type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The requests of one task. A pause does not count as silence. */
export class SilenceWatch {
  /** The silence that a person should know of. */
  silence: Silence | undefined;

  readonly #changed: () => void;
  readonly #waits = new Set<Wait>();
  /** What was waited for when the silence began. */
  #wait: Wait | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isPaused = false;

  /** `changed` is called when `silence` has changed. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The option `fetch` of functions of the package. `send` makes the request, as `fetch` does. */
  readonly fetch = async (url: string, init?: RequestInit, send: Fetch = fetch): Promise<Response> => {
    const host = URL.canParse(url) ? new URL(url).host : "";
    const response = await this.#until({ host, isPartial: false }, send(url, init));
    if (!response.body) return response;
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await this.#until({ host, isPartial: true }, reader.read());
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      // Only bytes that are needed are waited for.
      { highWaterMark: 0 },
    );
    // A new `Response` cannot have the URL of the original response, so the body is replaced.
    return Object.defineProperty(response, "body", { value: body, configurable: true });
  };

  pause(): void {
    this.#isPaused = true;
    this.#reset();
  }

  resume(): void {
    this.#isPaused = false;
    this.#start();
  }

  /** Ends the task. */
  stop(): void {
    this.#waits.clear();
    this.#reset();
  }

  /** Waits for the server. A request that fails without an answer does not end the silence: it may be sent again. */
  async #until<T>(wait: Wait, work: Promise<T>): Promise<T> {
    this.#waits.add(wait);
    this.#start();
    try {
      const result = await work;
      this.#waits.delete(wait);
      this.#reset();
      return result;
    } finally {
      this.#waits.delete(wait);
      this.#start();
    }
  }

  #start(): void {
    const [first] = this.#waits;
    if (this.#timer !== undefined || this.#isPaused || !first) return;
    this.#wait = first;
    this.#timer = setTimeout(this.#count, STEP * 1000);
  }

  readonly #count = () => {
    if (!this.#wait) return;
    this.silence = { ...this.#wait, seconds: (this.silence?.seconds ?? 0) + STEP };
    this.#timer = setTimeout(this.#count, STEP * 1000);
    this.#changed();
  };

  #reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.silence) return;
    this.silence = undefined;
    this.#changed();
  }
}
