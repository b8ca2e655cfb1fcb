import type { GgmlTypeInfo, Gguf, GgufSource, OpenProgress } from "gguf-wasm";
import { fetchableAddress } from "./address.ts";
import { type Failure, failureOf } from "../gguf/failure.ts";
import type { OpenCost } from "../gguf/shown-file.ts";
import { lookalike } from "../gguf/lookalike.ts";
import { Transfer } from "./transfer.ts";
import { loadEngine } from "../gguf/engine.ts";
import { FileValues } from "../values/file-values.ts";
import { ValueReader } from "../values/value-reader.ts";

// Longer than anyone pauses: how long a server may keep silent is for the transfer to say, which knows of pauses.
const NO_TIMEOUT = 2 ** 31 - 1;
/** A person waits: who is offline should know it in seconds. */
const RETRIES = 3;

/** How far an opening has come. */
export interface OpeningState {
  progress: OpenProgress | undefined;
  paused: boolean;
  /** Only what comes over a network can be paused. */
  pausable: boolean;
}

export type Opened =
  | { gguf: Gguf; values: FileValues; types: readonly GgmlTypeInfo[]; cost: OpenCost; failure?: never }
  | { gguf?: never; failure: Failure };

/** One attempt at opening a file. */
export class Opening {
  readonly #source: GgufSource;
  readonly #headers: HeadersInit | undefined;
  readonly #changed: () => void;
  readonly #abort = new AbortController();
  readonly #transfer: Transfer | undefined;
  #progress: OpenProgress | undefined;

  /** `changed` is called whenever `state` has. Headers go to the host of the address, and to no other. */
  constructor(source: GgufSource, headers: HeadersInit | undefined, changed: () => void) {
    this.#source = source;
    this.#headers = headers;
    this.#changed = changed;
    if (typeof source === "string" || source instanceof URL) this.#transfer = new Transfer();
  }

  get state(): OpeningState {
    return {
      progress: this.#progress,
      paused: this.#transfer?.paused ?? false,
      pausable: this.#transfer !== undefined,
    };
  }

  pause(): void {
    this.#transfer?.pause();
    this.#changed();
  }

  resume(): void {
    this.#transfer?.resume();
    this.#changed();
  }

  cancel(): void {
    this.#abort.abort();
  }

  /** Comes to an open file or to what went wrong; never throws. */
  async run(): Promise<Opened> {
    const { signal } = this.#abort;
    try {
      const source = typeof this.#source === "string" ? fetchableAddress(this.#source, document.baseURI) : this.#source;
      const { Gguf, ggmlTypes } = await Promise.race([loadEngine(), aborted(signal)]);
      const gguf = await Gguf.open(source, {
        signal,
        retries: RETRIES,
        onProgress: (seen) => {
          this.#progress = { ...seen };
          this.#changed();
        },
        ...(this.#transfer ? { fetch: this.#transfer.fetch, probeCors: true, timeout: NO_TIMEOUT } : {}),
        ...(this.#headers ? { headers: this.#headers } : {}),
      });
      if (signal.aborted) {
        gguf.free();
        signal.throwIfAborted();
      }
      const values = new FileValues(new ValueReader(gguf, source, this.#headers));
      return { gguf, values, types: ggmlTypes(), cost: this.#cost() };
    } catch (error) {
      return { failure: await this.#explain(failureOf(error)) };
    }
  }

  #cost(): OpenCost {
    return this.#transfer
      ? { bytes: this.#transfer.received, requests: this.#transfer.requests }
      : { bytes: this.#progress?.bytesRead ?? 0 };
  }

  /** Adds what is known of the file to what went wrong with it. */
  async #explain(failure: Failure): Promise<Failure> {
    if (this.#progress) failure.bytesRead = this.#progress.bytesRead;
    const size = this.#source instanceof Blob ? this.#source.size : this.#progress?.fileSize;
    if (size !== undefined) failure.fileSize = size;
    if (failure.code === "bad-magic" || failure.code === "unexpected-eof") {
      const head = await this.#head().catch(() => undefined);
      const looksLike = head && lookalike(head);
      // What is shorter than a magic number ends before it could be wrong.
      if (looksLike !== undefined) Object.assign(failure, { code: "bad-magic", looksLike });
    }
    return failure;
  }

  /** The first bytes of what turned out not to be GGUF, where they can be had again. */
  async #head(): Promise<Uint8Array | undefined> {
    const source = this.#source;
    if (this.#transfer) return this.#transfer.head;
    if (source instanceof Blob) return new Uint8Array(await source.slice(0, 512).arrayBuffer());
    if (source instanceof Uint8Array) return source.subarray(0, 512);
    if (source instanceof ArrayBuffer) return new Uint8Array(source).subarray(0, 512);
    return undefined;
  }
}

/** Never comes to anything but the reason of an abort. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(signal.reason as Error);
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });
}
