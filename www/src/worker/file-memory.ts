/** What is computed of the memory of the open files: of models with many tensors in a worker, so that the page stays responsive. */

import type { Gguf, LargestContextOptions } from "gguf-wasm/explain";
import { pause } from "../ui/in-pieces.ts";
import type { MemoryJobs, SentContextOptions } from "./memory-jobs.ts";
import workerUrl from "./memory-worker.ts?worker&url";
import { headerFile } from "./header-file.ts";
import { memoryHere, type MemorySource } from "./memory-source.ts";
import { WorkerClient, type WorkerScript } from "./worker-client.ts";

const SCRIPT: WorkerScript = { address: new URL(workerUrl, import.meta.url).href, name: "gguf-memory" };

/** The memory of a model with more tensors is computed in a worker: a search takes up to half a millisecond for each of them. */
const MANY_TENSORS = 100;

type CallName = keyof MemorySource;
type Request<Name extends CallName> = Parameters<MemorySource[Name]>[0];
type Response<Name extends CallName> = Awaited<ReturnType<MemorySource[Name]>>;

/** The memory of a file. It has one worker, which does one thing after the other. */
class FileMemory {
  readonly #gguf: Gguf;
  readonly #ending = new AbortController();
  /** The worker after it has opened the header. Undefined if the file needs none, if the page cannot start one, or if it has failed. */
  #worker: Promise<WorkerClient<MemoryJobs> | undefined> | undefined;
  /** Resolves after the last call. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(gguf: Gguf) {
    this.#gguf = gguf;
  }

  /** Starts the worker, unless it is started. */
  start(): Promise<WorkerClient<MemoryJobs> | undefined> {
    return (this.#worker ??= startedWorker(this.#gguf, this.#ending.signal));
  }

  /**
   * Calls a method of the file when the calls before have ended.
   * @throws the reason of `signal` once it is aborted, or what the method throws
   */
  async call<Name extends CallName>(name: Name, options: Request<Name>, signal: AbortSignal): Promise<Response<Name>> {
    // A call that waits here can be dropped. The worker may go on with an aborted call: only a list is interrupted there.
    const result = this.#last.then(() => this.#run(name, options, signal));
    this.#last = result.catch(() => this.#whenWorkerIsFree());
    const value = await result;
    signal.throwIfAborted();
    return value;
  }

  end(): void {
    this.#ending.abort(new DOMException("the file was closed", "AbortError"));
  }

  /** Resolves when the worker has ended its last call. Never rejects. */
  async #whenWorkerIsFree(): Promise<void> {
    try {
      await (await this.#worker)?.request("becomeFree", undefined);
    } catch {
      // A worker that has failed does nothing any more.
    }
  }

  async #run<Name extends CallName>(name: Name, options: Request<Name>, signal: AbortSignal): Promise<Response<Name>> {
    signal.throwIfAborted();
    const worker = await this.start();
    signal.throwIfAborted();
    if (worker) {
      try {
        const sent = name === "largestContexts" ? sentContextOptions(options as never) : options;
        return (await worker.request(name, sent as never, { signal })) as unknown as Response<Name>;
      } catch (error) {
        if (!worker.hasEnded || this.#ending.signal.aborted) throw error;
        // The worker has failed, for example because the browser gives it no memory. The page goes on without it.
        this.#worker = Promise.resolve(undefined);
      }
    }
    await pause();
    signal.throwIfAborted();
    return memoryHere(this.#gguf, signal)[name](options as never) as Promise<Response<Name>>;
  }
}

/** A worker that waits for the header of the next file, or is still starting. It ends with `ending`. */
let waiting:
  { readonly worker: Promise<WorkerClient<MemoryJobs> | undefined>; readonly ending: AbortController } | undefined;

/** Starts a worker while the main module is loaded, for a file that will be open in a moment. A file with few tensors needs none. */
export function expectMemory(tensorCount: number): void {
  if (tensorCount <= MANY_TENSORS || waiting) return;
  const ending = new AbortController();
  const worker = WorkerClient.start<MemoryJobs>(SCRIPT, ending.signal)
    .then((started) => {
      started?.endWith(ending.signal);
      return started;
    })
    .catch(() => undefined);
  waiting = { worker, ending };
}

/** Ends the worker that waits: the file was not opened, or needs none. */
export function expectNoMemory(): void {
  waiting?.ending.abort(new DOMException("no file needs the worker", "AbortError"));
  waiting = undefined;
}

/** Undefined if the model has few tensors, or if the page cannot start a worker. */
async function startedWorker(gguf: Gguf, signal: AbortSignal): Promise<WorkerClient<MemoryJobs> | undefined> {
  if (gguf.tensors.length <= MANY_TENSORS) return undefined;
  expectMemory(gguf.tensors.length);
  const taken = waiting;
  waiting = undefined;
  signal.addEventListener("abort", () => taken?.ending.abort(signal.reason), { once: true });
  const worker = await taken?.worker;
  try {
    await worker?.request("open", headerFile(gguf), { signal });
    return worker;
  } catch {
    worker?.stop();
    return undefined;
  }
}

const MEMORIES = new WeakMap<Gguf, FileMemory>();

function memoryOf(gguf: Gguf): FileMemory {
  const known = MEMORIES.get(gguf);
  if (known) return known;
  const memory = new FileMemory(gguf);
  MEMORIES.set(gguf, memory);
  return memory;
}

/** Starts the worker of a file whose memory will be asked for in a moment. */
export function startMemory(gguf: Gguf): void {
  void memoryOf(gguf).start();
}

/**
 * Computes the memory of an open file for one answer. A call waits for the calls of other answers, and is dropped once `signal` is aborted.
 * The panels of a file share one worker, which starts with the first call, or with `startMemory`.
 */
export function memorySource(gguf: Gguf, signal: AbortSignal): MemorySource {
  const file = memoryOf(gguf);
  return {
    memory: (options) => file.call("memory", options, signal),
    memories: (list) => file.call("memories", list, signal),
    fit: (options) => file.call("fit", options, signal),
    largestContexts: (list) => file.call("largestContexts", list, signal),
  };
}

/** Ends the worker of a file that is not shown any more. The next call starts another one. */
export function endMemory(gguf: Gguf): void {
  MEMORIES.get(gguf)?.end();
  MEMORIES.delete(gguf);
}

/** The options of a search as they are sent to the worker. */
function sentContextOptions(list: readonly LargestContextOptions[]): SentContextOptions[] {
  return list.map(({ draft, ...options }) => (draft ? { ...options, draft: headerFile(draft) } : options));
}
