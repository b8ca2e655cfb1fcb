import type { GgufSource } from "gguf-wasm";
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
import type { ValueFile, ValueFiles } from "./value-files.ts";

/** A request that has no response yet. */
interface PendingRequest extends RequestOptions {
  resolve: (answer: ValueResponse) => void;
  reject: (reason: unknown) => void;
}

/**
 * Reads the values of an open model in a worker, so that the page stays responsive. The worker starts with the first request, and opens each
 * file when a tensor of it is read. If no worker can be used, because a source cannot be sent to it or the page does not allow workers, the
 * values are read on the page.
 */
export class ValueReader {
  readonly #files: ValueFiles;
  readonly #headers: HeadersInit | undefined;
  #worker: Promise<RunningWorker | undefined> | undefined;
  #running: RunningWorker | undefined;
  /** The files that the worker has opened or is opening. */
  #opened = new Map<ValueFile, Promise<unknown>>();

  constructor(files: ValueFiles, headers: HeadersInit | undefined) {
    this.#files = files;
    this.#headers = headers;
  }

  /** Whether values come over a network. */
  get remote(): boolean {
    return this.#files.files.some(
      ({ source }) => (typeof source === "string" || source instanceof URL) && !String(source).startsWith("blob:"),
    );
  }

  async request<Q extends ValueRequest>(question: Q, asking: RequestOptions): Promise<ValueResponses[Q["kind"]]> {
    const place = this.#files.place(question.tensor);
    if (!place) throw errorFrom({ code: "unknown-tensor", message: "no such tensor" });
    const { file } = place;
    const own = { ...question, tensor: place.tensor };
    // The worker does not know the size of the file, but the page does: it can reject the request at once.
    if (isCutOff(file, place.tensor)) return readValues(file.gguf, own, asking);
    const worker = await this.#workerFor(file);
    asking.signal.throwIfAborted();
    if (!worker) return readValues(file.gguf, own, asking);
    return (await worker.request(this.#files.files.indexOf(file), own, asking)) as ValueResponses[Q["kind"]];
  }

  /** Ends the worker. The next request starts another one. */
  stop(): void {
    this.#running?.stop();
    this.#forget();
  }

  #forget(): void {
    this.#running = undefined;
    this.#worker = undefined;
    this.#opened = new Map();
  }

  /** The worker after it has opened a file; undefined if no worker can be used for it. */
  async #workerFor(file: ValueFile): Promise<RunningWorker | undefined> {
    const source = file.source === undefined ? undefined : postableSource(file.source);
    if (source === undefined) return undefined;
    const open = (): OpenMessage => ({
      type: "open",
      file: this.#files.files.indexOf(file),
      source,
      headers: [...new Headers(this.#headers)],
      header: file.gguf.headerBytes(),
    });
    if (!this.#worker) {
      this.#worker = this.#start(open());
      this.#opened.set(file, this.#worker);
    }
    const worker = await this.#worker;
    if (!worker) return undefined;
    if (worker !== this.#running) throw closed();
    let opened = this.#opened.get(file);
    if (!opened) {
      opened = worker.open(open());
      const files = this.#opened;
      files.set(file, opened);
      // The next request tries again.
      opened.catch(() => files.delete(file));
    }
    await opened;
    return worker;
  }

  /** The worker after it has opened the first file; undefined if no worker can be used. */
  async #start(open: OpenMessage): Promise<RunningWorker | undefined> {
    for (const make of [makeWorker, makeWorkerOfOtherOrigin]) {
      const running = new RunningWorker();
      try {
        this.#running = running;
        await running.start(make, open);
        return running;
      } catch (error) {
        running.stop();
        if (this.#running !== running) throw error;
        this.#running = undefined;
        // A file that the worker cannot open cannot be read on the page either.
        if (!(error instanceof WorkerUnavailable)) {
          this.#forget();
          throw error;
        }
      }
    }
    return undefined;
  }
}

type OpenMessage = Extract<ToWorker, { type: "open" }>;

function isCutOff({ gguf }: ValueFile, index: number): boolean {
  const tensor = gguf.tensors[index];
  return tensor !== undefined && gguf.extent(tensor)?.isComplete === false;
}

/** No worker could be started. Errors of a running worker have other types. */
class WorkerUnavailable extends Error {}

/** A promise that is settled from outside. */
interface Settler {
  resolve: () => void;
  reject: (reason: unknown) => void;
}

class RunningWorker {
  #worker: Worker | undefined;
  #last = 0;
  readonly #waiting = new Map<number, PendingRequest>();
  /** The files that are being opened. */
  readonly #opening = new Map<number, Settler>();

  /** Starts the worker. Resolves when it has opened a file. */
  async start(make: () => Worker, open: OpenMessage): Promise<void> {
    try {
      this.#worker = make();
    } catch (cause) {
      throw new WorkerUnavailable("a worker is not allowed", { cause });
    }
    const worker = this.#worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#onMessage(data);
    worker.onerror = (event) => {
      event.preventDefault();
      // An error before the file is open means that the worker did not load. A later error is a bug in the worker.
      this.#failOpening(new WorkerUnavailable("the worker did not load"));
      this.#fail(errorFrom({ code: "engine", message: event.message }));
    };
    await this.open(open);
  }

  /** Resolves when the worker has opened a file. */
  async open(message: OpenMessage): Promise<void> {
    const opened = new Promise<void>((resolve, reject) => {
      this.#opening.set(message.file, { resolve, reject });
    });
    try {
      this.#post(message);
    } catch (cause) {
      this.#opening.delete(message.file);
      throw new WorkerUnavailable("the source cannot be given to a worker", { cause });
    }
    await opened;
  }

  request(file: number, question: ValueRequest, asking: RequestOptions): Promise<ValueResponse> {
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
      this.#post({ type: "ask", id, file, question });
    });
  }

  stop(): void {
    this.#worker?.terminate();
    this.#failOpening(closed());
    this.#fail(closed());
  }

  #fail(reason: unknown): void {
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }

  #failOpening(reason: unknown): void {
    for (const opening of this.#opening.values()) opening.reject(reason);
    this.#opening.clear();
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #onMessage(message: FromWorker): void {
    switch (message.type) {
      case "opened":
        this.#takeOpening(message.file)?.resolve();
        return;
      case "closed":
        this.#takeOpening(message.file)?.reject(
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

  #takeOpening(file: number): Settler | undefined {
    const opening = this.#opening.get(file);
    this.#opening.delete(file);
    return opening;
  }

  #take(id: number): PendingRequest | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

function closed(): DOMException {
  return new DOMException("the file was closed", "AbortError");
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
