import type { Gguf, GgufSource } from "gguf-wasm";
import workerUrl from "./value-worker.ts?worker&url";
import type { Failure } from "../gguf/failure.ts";
import { startWorker, startWorkerOfOtherOrigin } from "../ui/module-worker.ts";
import type {
  ValueResponse,
  ValueResponses,
  FromWorker,
  PostableSource,
  ValueRequest,
  ToWorker,
} from "./value-messages.ts";
import { readValues, type RequestOptions } from "./read-values.ts";

/** A request that has no response yet. */
interface PendingRequest extends RequestOptions {
  resolve: (answer: ValueResponse) => void;
  reject: (reason: unknown) => void;
}

/**
 * Reads the values of an open file in a worker, so that the page stays responsive. The worker starts with the first request. If no worker
 * can be used, because the source cannot be sent to it or the page does not allow workers, the values are read on the page.
 */
export class ValueReader {
  readonly #gguf: Gguf;
  readonly #source: GgufSource;
  readonly #headers: HeadersInit | undefined;
  #worker: Promise<RunningWorker | undefined> | undefined;
  #running: RunningWorker | undefined;

  constructor(gguf: Gguf, source: GgufSource, headers: HeadersInit | undefined) {
    this.#gguf = gguf;
    this.#source = source;
    this.#headers = headers;
  }

  /** Whether values come over a network. */
  get remote(): boolean {
    const source = this.#source;
    return (typeof source === "string" || source instanceof URL) && !String(source).startsWith("blob:");
  }

  async request<Q extends ValueRequest>(question: Q, asking: RequestOptions): Promise<ValueResponses[Q["kind"]]> {
    // The worker does not know the size of the file, but the page does: it can reject the request at once.
    if (this.#isCutOff(question.tensor)) return readValues(this.#gguf, question, asking);
    this.#worker ??= this.#start();
    const worker = await this.#worker;
    asking.signal.throwIfAborted();
    if (!worker) return readValues(this.#gguf, question, asking);
    return (await worker.request(question, asking)) as ValueResponses[Q["kind"]];
  }

  #isCutOff(index: number): boolean {
    const tensor = this.#gguf.tensors[index];
    return tensor !== undefined && this.#gguf.extent(tensor)?.isComplete === false;
  }

  /** Ends the worker. The next request starts another one. */
  stop(): void {
    this.#running?.stop();
    this.#running = undefined;
    this.#worker = undefined;
  }

  /** The worker after it has opened the file; undefined if no worker can be used. */
  async #start(): Promise<RunningWorker | undefined> {
    const source = postableSource(this.#source);
    if (source === undefined) return undefined;
    for (const make of [makeWorker, makeWorkerOfOtherOrigin]) {
      const running = new RunningWorker();
      try {
        this.#running = running;
        await running.start(make, {
          type: "open",
          source,
          headers: [...new Headers(this.#headers)],
          header: this.#gguf.headerBytes(),
        });
        return running;
      } catch (error) {
        running.stop();
        if (this.#running !== running) throw error;
        this.#running = undefined;
        // A file that the worker cannot open cannot be read on the page either.
        if (!(error instanceof WorkerUnavailable)) {
          this.#worker = undefined;
          throw error;
        }
      }
    }
    return undefined;
  }
}

/** No worker could be started. Errors of a running worker have other types. */
class WorkerUnavailable extends Error {}

class RunningWorker {
  #worker: Worker | undefined;
  #last = 0;
  readonly #waiting = new Map<number, PendingRequest>();
  #opened: { resolve: () => void; reject: (reason: unknown) => void } | undefined;

  /** Resolves when the worker has opened the file. */
  async start(make: () => Worker, open: Extract<ToWorker, { type: "open" }>): Promise<void> {
    try {
      this.#worker = make();
    } catch (cause) {
      throw new WorkerUnavailable("a worker is not allowed", { cause });
    }
    const worker = this.#worker;
    const opened = new Promise<void>((resolve, reject) => {
      this.#opened = { resolve, reject };
    });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#onMessage(data);
    worker.onerror = (event) => {
      event.preventDefault();
      // An error before the file is open means that the worker did not load. A later error is a bug in the worker.
      this.#opened?.reject(new WorkerUnavailable("the worker did not load"));
      this.#fail(errorFrom({ code: "engine", message: event.message }));
    };
    try {
      this.#post(open);
    } catch (cause) {
      throw new WorkerUnavailable("the source cannot be given to a worker", { cause });
    }
    await opened;
  }

  request(question: ValueRequest, asking: RequestOptions): Promise<ValueResponse> {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      const id = this.#last;
      this.#waiting.set(id, { ...asking, resolve, reject });
      asking.signal.addEventListener(
        "abort",
        () => {
          if (!this.#waiting.delete(id)) return;
          this.#post({ type: "cancel", id });
          reject(asking.signal.reason as Error);
        },
        { once: true },
      );
      this.#post({ type: "ask", id, question });
    });
  }

  stop(): void {
    this.#worker?.terminate();
    this.#opened?.reject(new DOMException("the file was closed", "AbortError"));
    this.#fail(new DOMException("the file was closed", "AbortError"));
  }

  #fail(reason: unknown): void {
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #onMessage(message: FromWorker): void {
    switch (message.type) {
      case "opened":
        this.#opened?.resolve();
        return;
      case "closed":
        this.#opened?.reject(
          message.failure.code === "engine"
            ? new WorkerUnavailable(message.failure.message)
            : errorFrom(message.failure),
        );
        return;
      case "progress":
        this.#waiting.get(message.id)?.onProgress?.(message.progress);
        return;
      case "answer":
        this.#take(message.id)?.resolve(message.answer);
        return;
      case "failure":
        this.#take(message.id)?.reject(errorFrom(message.failure));
        return;
      default:
        message satisfies never;
    }
  }

  #take(id: number): PendingRequest | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

/** An error that was thrown in the worker, as if it had been thrown on the page. */
function errorFrom(failure: Failure): Error {
  return Object.assign(new Error(failure.message), failure, {
    name: failure.code === "cancelled" ? "AbortError" : "GgufError",
  });
}

/** The source in a form that can be sent to a worker; undefined if there is none. */
function postableSource(source: GgufSource): PostableSource | undefined {
  if (source instanceof URL) return source.href;
  if (typeof source === "string" || source instanceof Blob) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (typeof FileSystemFileHandle !== "undefined" && source instanceof FileSystemFileHandle) return source;
  return undefined;
}

const WORKER_NAME = "gguf-values";

const makeWorker = () => startWorker(workerAddress(), WORKER_NAME);
const makeWorkerOfOtherOrigin = () => startWorkerOfOtherOrigin(workerAddress(), WORKER_NAME);

function workerAddress(): string {
  return new URL(workerUrl, import.meta.url).href;
}
