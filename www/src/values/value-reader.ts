import type { GgufSource } from "gguf-wasm/explain";
import workerUrl from "./value-worker.ts?worker&url";
import { errorFrom, quietFailureOf } from "../gguf/failure.ts";
import { STOPPED } from "../gguf/module-stop.ts";
import { VALUES, valuesGguf } from "../gguf/values.ts";
import { WorkerClient } from "../worker/worker-client.ts";
import { readValues, type RequestOptions } from "./read-values.ts";
import type { ValueFile, ValueFiles } from "./value-files.ts";
import type { PostableSource, ValueRequest, ValueResponses } from "./value-messages.ts";
import type { ValueJobs } from "./value-worker.ts";

/**
 * Reads the values of an open model in a worker, so that the page stays responsive. The worker starts with the first request, and opens each
 * file when a tensor of it is read. If no worker can be used, because a source cannot be sent to it or the page does not allow workers, the
 * values are read on the page.
 */
export class ValueReader {
  readonly #files: ValueFiles;
  readonly #headers: HeadersInit | undefined;
  /** Undefined if no worker can be used. */
  #worker: Promise<Client | undefined> | undefined;
  #stopping = new AbortController();
  /** The files that the worker has opened or is opening. */
  #opened = new Map<ValueFile, Promise<void>>();

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
    if (isCutOff(file, place.tensor)) return readValues(await valuesGguf(file.gguf), own, asking);
    const worker = await this.#workerFor(file);
    asking.signal.throwIfAborted();
    if (!worker) return readValues(await valuesGguf(file.gguf), own, asking);
    const request = { file: this.#files.files.indexOf(file), question: own };
    return (await worker.request("read", request, asking)) as ValueResponses[Q["kind"]];
  }

  /** Whether the file ends before the first byte of a tensor's data. */
  isBeyondEnd(tensor: number): boolean {
    const place = this.#files.place(tensor);
    const info = place?.file.gguf.tensors[place.tensor];
    const extent = info && place?.file.gguf.extent(info);
    return extent !== undefined && !extent.isComplete && extent.start >= (place?.file.gguf.fileSize ?? Infinity);
  }

  /** Ends the worker. The next request starts another one. */
  stop(): void {
    this.#stopping.abort(new DOMException("the file was closed", "AbortError"));
    this.#stopping = new AbortController();
    this.#worker = undefined;
    this.#opened = new Map();
  }

  /** The worker after it has opened a file; undefined if no worker can be used for it. */
  async #workerFor(file: ValueFile): Promise<Client | undefined> {
    const source = file.source === undefined ? undefined : postableSource(file.source);
    if (source === undefined) return undefined;
    const { signal } = this.#stopping;
    // A worker that has stopped is replaced. The new one has opened no file.
    const known = this.#worker;
    if ((await known)?.hasEnded && this.#worker === known) {
      this.#worker = undefined;
      this.#opened = new Map();
    }
    signal.throwIfAborted();
    const worker = await (this.#worker ??= startedWorker(signal));
    if (!worker) return undefined;
    signal.throwIfAborted();
    const files = this.#opened;
    let opened = files.get(file);
    if (!opened) {
      const header = file.gguf.headerBytes();
      const headers = [...new Headers(this.#headers)];
      const module = VALUES.compiled();
      opened = worker.request("open", { file: this.#files.files.indexOf(file), source, headers, header, module });
      files.set(file, opened);
      // The next request tries again.
      opened.catch(() => files.delete(file));
    }
    try {
      await opened;
    } catch (error) {
      signal.throwIfAborted();
      // The source cannot be sent to a worker.
      if (error instanceof DOMException && error.name === "DataCloneError") return undefined;
      // If the worker cannot open the file, the page cannot read it either. The exception is a worker in which the module did not load.
      if (!NO_MODULE.has(quietFailureOf(error).code)) throw error;
      worker.stop();
      this.#worker = Promise.resolve(undefined);
      return undefined;
    }
    return worker;
  }
}

/** The codes of a worker in which the module did not load, or has stopped. */
const NO_MODULE: ReadonlySet<string> = new Set(["engine", STOPPED]);

type Client = WorkerClient<ValueJobs>;

/** The worker of the main module. */
const SCRIPT = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-values" };

/** A worker that ends when the signal aborts. */
async function startedWorker(signal: AbortSignal): Promise<Client | undefined> {
  const worker = await WorkerClient.start<ValueJobs>(SCRIPT, signal);
  worker?.endWith(signal);
  return worker;
}

function isCutOff({ gguf }: ValueFile, index: number): boolean {
  const tensor = gguf.tensors[index];
  return tensor !== undefined && gguf.extent(tensor)?.isComplete === false;
}

/** The source in a form that can be sent to a worker; undefined if there is none. */
function postableSource(source: GgufSource): PostableSource | undefined {
  if (source instanceof URL) return source.href;
  if (typeof source === "string" || source instanceof Blob) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (typeof FileSystemFileHandle !== "undefined" && source instanceof FileSystemFileHandle) return source;
  return undefined;
}
