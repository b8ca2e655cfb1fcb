import type { GgmlTypeInfo, Gguf, GgufSource, OpenProgress } from "gguf-wasm";
import { fetchableAddress } from "../gguf/address.ts";
import { type Failure, failureOf } from "../gguf/failure.ts";
import type { OpenCost } from "../gguf/shown-file.ts";
import { recogniseFormat } from "../gguf/other-formats.ts";
import { PausableFetch } from "./pausable-fetch.ts";
import { loadLibrary } from "../gguf/library.ts";
import { FileValues } from "../values/file-values.ts";
import { ValueReader } from "../values/value-reader.ts";

// The timeout of the library is switched off. `PausableFetch` has its own, which stops during a pause.
const NO_TIMEOUT = 2 ** 31 - 1;
/** A person is waiting: a connection that does not work should be reported within seconds. */
const RETRIES = 3;

/** The progress of an opening. */
export interface OpeningState {
  progress: OpenProgress | undefined;
  paused: boolean;
  /** Only downloads can be paused. */
  pausable: boolean;
}

export type OpeningResult =
  | { gguf: Gguf; values: FileValues; types: readonly GgmlTypeInfo[]; cost: OpenCost; failure?: never }
  | { gguf?: never; failure: Failure };

/** One attempt to open a file. */
export class Opening {
  readonly #source: GgufSource;
  readonly #headers: HeadersInit | undefined;
  readonly #changed: () => void;
  readonly #abort = new AbortController();
  readonly #transfer: PausableFetch | undefined;
  #progress: OpenProgress | undefined;

  /** `changed` is called whenever `state` has changed. Headers go only to the origin of the address. */
  constructor(source: GgufSource, headers: HeadersInit | undefined, changed: () => void) {
    this.#source = source;
    this.#headers = headers;
    this.#changed = changed;
    if (typeof source === "string" || source instanceof URL) this.#transfer = new PausableFetch();
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

  /** Resolves to an open file or to a failure. Never rejects. */
  async run(): Promise<OpeningResult> {
    const { signal } = this.#abort;
    try {
      const source = typeof this.#source === "string" ? fetchableAddress(this.#source, document.baseURI) : this.#source;
      const { Gguf, ggmlTypes } = await Promise.race([loadLibrary(), aborted(signal)]);
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

  /** Adds to a failure what is known about the file. */
  async #explain(failure: Failure): Promise<Failure> {
    if (this.#progress) failure.bytesRead = this.#progress.bytesRead;
    const size = this.#source instanceof Blob ? this.#source.size : this.#progress?.fileSize;
    if (size !== undefined) failure.fileSize = size;
    if (failure.code === "bad-magic" || failure.code === "unexpected-eof") {
      const head = await this.#firstBytes().catch(() => undefined);
      const looksLike = head && recogniseFormat(head);
      // A file that is shorter than the magic number is reported as cut off. It is not GGUF either.
      if (looksLike !== undefined) Object.assign(failure, { code: "bad-magic", looksLike });
    }
    return failure;
  }

  /** The first bytes of a file that is not GGUF, if they can be read again. */
  async #firstBytes(): Promise<Uint8Array | undefined> {
    const source = this.#source;
    if (this.#transfer) return this.#transfer.head;
    if (source instanceof Blob) return new Uint8Array(await source.slice(0, 512).arrayBuffer());
    if (source instanceof Uint8Array) return source.subarray(0, 512);
    if (source instanceof ArrayBuffer) return new Uint8Array(source).subarray(0, 512);
    return undefined;
  }
}

/** Rejects with the reason of an abort. Never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(signal.reason as Error);
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });
}
