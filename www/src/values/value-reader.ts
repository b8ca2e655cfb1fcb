import type { Gguf, GgufSource } from "gguf-wasm";
import workerUrl from "./value-worker.ts?worker&url";
import type { Failure } from "../gguf/failure.ts";
import type { Answer, Answers, FromWorker, PostableSource, Question, ToWorker } from "./value-messages.ts";
import { answer, type Asking } from "./answer.ts";

/** What is waited for. */
interface Waiting extends Asking {
  resolve: (answer: Answer) => void;
  reject: (reason: unknown) => void;
}

/**
 * Reads the values of an open file: in a worker, which is started at the first question, so that the page stays responsive. Where there can be
 * none (the source cannot be given to one, or the page around does not allow it) on the page itself.
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

  /** Whether what is read comes over a network. */
  get remote(): boolean {
    const source = this.#source;
    return (typeof source === "string" || source instanceof URL) && !String(source).startsWith("blob:");
  }

  async ask<Q extends Question>(question: Q, asking: Asking): Promise<Answers[Q["kind"]]> {
    // The worker has not heard how long the file is; where it is too short, the page knows at once.
    if (this.#isCutOff(question.tensor)) return answer(this.#gguf, question, asking);
    this.#worker ??= this.#start();
    const worker = await this.#worker;
    asking.signal.throwIfAborted();
    if (!worker) return answer(this.#gguf, question, asking);
    return (await worker.ask(question, asking)) as Answers[Q["kind"]];
  }

  #isCutOff(index: number): boolean {
    const tensor = this.#gguf.tensors[index];
    return tensor !== undefined && this.#gguf.extent(tensor)?.isComplete === false;
  }

  /** Ends the worker and what it is doing; the next question starts another. */
  stop(): void {
    this.#running?.stop();
    this.#running = undefined;
    this.#worker = undefined;
  }

  /** The worker, once it has opened the file; undefined if there can be none. */
  async #start(): Promise<RunningWorker | undefined> {
    const source = postable(this.#source);
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
        // A file that cannot be opened there cannot be read here either.
        if (!(error instanceof NoWorker)) {
          this.#worker = undefined;
          throw error;
        }
      }
    }
    return undefined;
  }
}

/** That no worker could be started, as opposed to what went wrong in one. */
class NoWorker extends Error {}

class RunningWorker {
  #worker: Worker | undefined;
  #last = 0;
  readonly #waiting = new Map<number, Waiting>();
  #opened: { resolve: () => void; reject: (reason: unknown) => void } | undefined;

  /** Comes to an end when the file is open in the worker. */
  async start(make: () => Worker, open: Extract<ToWorker, { type: "open" }>): Promise<void> {
    try {
      this.#worker = make();
    } catch (cause) {
      throw new NoWorker("a worker is not allowed", { cause });
    }
    const worker = this.#worker;
    const opened = new Promise<void>((resolve, reject) => {
      this.#opened = { resolve, reject };
    });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#onMessage(data);
    worker.onerror = (event) => {
      event.preventDefault();
      // Before the file is open it has not even loaded; later something broke in it.
      this.#opened?.reject(new NoWorker("the worker did not load"));
      this.#fail(thrown({ code: "engine", message: event.message }));
    };
    try {
      this.#post(open);
    } catch (cause) {
      throw new NoWorker("the source cannot be given to a worker", { cause });
    }
    await opened;
  }

  ask(question: Question, asking: Asking): Promise<Answer> {
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
          message.failure.code === "engine" ? new NoWorker(message.failure.message) : thrown(message.failure),
        );
        return;
      case "progress":
        this.#waiting.get(message.id)?.onProgress?.(message.progress);
        return;
      case "answer":
        this.#take(message.id)?.resolve(message.answer);
        return;
      case "failure":
        this.#take(message.id)?.reject(thrown(message.failure));
        return;
      default:
        message satisfies never;
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

/** What was thrown in the worker, as it would have been thrown here. */
function thrown(failure: Failure): Error {
  return Object.assign(new Error(failure.message), failure, {
    name: failure.code === "cancelled" ? "AbortError" : "GgufError",
  });
}

/** The source as a worker can have it. */
function postable(source: GgufSource): PostableSource | undefined {
  if (source instanceof URL) return source.href;
  if (typeof source === "string" || source instanceof Blob) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (typeof FileSystemFileHandle !== "undefined" && source instanceof FileSystemFileHandle) return source;
  return undefined;
}

/** What browsers have for pages on which only trusted addresses become scripts; TypeScript does not know it. */
interface ScriptPolicies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptPolicy;
}

interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}

let policy: ScriptPolicy | undefined;

/** An address of this module's own, as one that may become a script. */
function trusted(url: string): string {
  policy ??= (globalThis as { trustedTypes?: ScriptPolicies }).trustedTypes?.createPolicy("gguf-viewer", {
    createScriptURL: (known) => known,
  });
  return (policy?.createScriptURL(url) ?? url) as string;
}

function makeWorker(): Worker {
  return new Worker(trusted(address()), { type: "module", name: "gguf-values" });
}

/** A page that loads the viewer from elsewhere may not start workers from there, only such as import them. */
function makeWorkerOfOtherOrigin(): Worker {
  const url = URL.createObjectURL(new Blob([`import ${JSON.stringify(address())};`], { type: "text/javascript" }));
  try {
    return new Worker(trusted(url), { type: "module", name: "gguf-values" });
  } finally {
    // What has been asked for is still fetched.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}

function address(): string {
  return new URL(workerUrl, import.meta.url).href;
}
