import type { GgmlTypeInfo, GgufSource, HeaderPart, OpenOptions, OpenProgress } from "gguf-wasm/explain";
import type { GgufSet, SetOptions } from "gguf-wasm/full";
import type { LegacyFamily } from "gguf-wasm/convert";
import { rawPart } from "gguf-wasm/common/raw-parts.js";
import { fetchableAddress, fileName } from "../gguf/address.ts";
import { errorFrom, type Failure, failureOf } from "../gguf/failure.ts";
import { pause } from "../ui/in-pieces.ts";
import { Throttled } from "../ui/throttled.ts";
import type { OpenCost } from "../gguf/shown-file.ts";
import { type Silence, SilenceWatch } from "../gguf/silence-watch.ts";
import { fetchOrTake } from "./first-request.ts";
import { PausableFetch } from "./pausable-fetch.ts";
import { loadFull } from "../gguf/full.ts";
import type { ContainedFile, RequestOptions } from "../gguf/contained-file.ts";
import { freeFile } from "../gguf/taken-over.ts";
import {
  expectedKind,
  isSourceList,
  type ModelSource,
  modelSource,
  opensItself,
  shardSources,
  type ViewerSource,
} from "../gguf/model-source.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import type { ReaderGguf } from "../gguf/reader.ts";
import type { Library } from "../gguf/started-library.ts";
import { ArrivingHeader, type EarlyHeader, wholeHeader } from "./arrived-header.ts";

/**
 * The magics of models and adapters before GGUF, and of sessions, which the decoder names. They are numbers, so their letters are
 * reversed.
 */
const LEGACY_MAGIC = /^(?:lmgg|fmgg|tjgg|algg|nsgg)/;

// The timeout of the library is switched off. `PausableFetch` has its own, which stops during a pause.
const NO_TIMEOUT = 2 ** 31 - 1;
/** A person is waiting: a connection that does not work should be reported within seconds. */
const RETRIES = 3;

type SetProgress = Parameters<NonNullable<SetOptions["onProgress"]>>[0];

/** The options that opening a file and opening a set have in common. */
type CommonOptions = Omit<OpenOptions, "onProgress" | "onHeader" | "header">;
/** The shortest time between two updates of the page, in milliseconds. A header arrives in up to hundreds of pieces. */
const UPDATE_TIME = 60;

/** What opens a file of any entry of gguf-wasm. */
type FileOpener = Pick<Library, "parseShardName" | "ggmlTypes"> & {
  readonly Gguf: { open(source: GgufSource, options: OpenOptions): Promise<ReaderGguf> };
};

/** The entries of gguf-wasm that an opening starts. */
export interface OpeningModules {
  /** Starts the entry that reads headers first. */
  readonly loadFirst: () => Promise<FileOpener>;
  /** The entry that the open file is of, if it is started, and how it starts. */
  readonly startedMain: () => (FileOpener & Pick<Library, "Gguf">) | undefined;
  readonly loadMain: () => Promise<FileOpener & Pick<Library, "Gguf">>;
}

/** The progress of an opening. */
export interface OpeningState {
  progress: OpenProgress | undefined;
  /** The progress of opening a set of shards. */
  setProgress: SetProgress | undefined;
  paused: boolean;
  /** Only downloads can be paused. */
  pausable: boolean;
  /** A server that sends nothing. */
  silence: Silence | undefined;
  /** What is known of the header of a file, or of the shard at an address. Undefined for several files and other formats. */
  header: EarlyHeader | undefined;
  /** Whether the header is complete. */
  isRead: boolean;
  /** Whether the main module is being loaded: the header of the file, or of the shard at the address, has been read. */
  loadsModule: boolean;
  /** Whether the shards of a set are opened. */
  isSet: boolean;
}

export type OpeningResult =
  | { model: OpenedModel; types: readonly GgmlTypeInfo[]; cost: OpenCost; failure?: never }
  /** With the part of the header that had arrived. */
  | { model?: never; failure: Failure; header?: EarlyHeader | undefined };

/** One attempt to open a model. */
export class Opening {
  readonly #source: ViewerSource;
  readonly #fileName: string;
  readonly #isAlone: boolean;
  readonly #headers: HeadersInit | undefined;
  readonly #changed: () => void;
  readonly #family: LegacyFamily | undefined;
  readonly #modules: OpeningModules;
  readonly #abort = new AbortController();
  readonly #transfer: PausableFetch | undefined;
  readonly #watch: SilenceWatch;
  #progress: OpenProgress | undefined;
  #setProgress: SetProgress | undefined;
  #header: ReaderGguf | undefined;
  #loadsModule = false;
  #isSet: boolean;
  #arriving: ArrivingHeader | undefined;
  readonly #arrivals: Throttled;

  /**
   * `isAlone`: the address of a shard opens this file only. `changed` is called whenever `state` has changed. Headers go only to the origin
   * of the address. `family`: that of a model before GGUF. `fileName` may be "".
   */
  constructor(
    source: ViewerSource,
    fileName: string,
    isAlone: boolean,
    headers: HeadersInit | undefined,
    changed: () => void,
    modules: OpeningModules,
    family?: LegacyFamily,
  ) {
    this.#modules = modules;
    this.#family = family;
    const expected = expectedKind(source, fileName, isAlone);
    this.#isSet = expected === "shard";
    if (expected) this.#arriving = new ArrivingHeader(fileName, this.#isSet);
    this.#fileName = fileName;
    this.#source = source;
    this.#isAlone = isAlone;
    this.#headers = headers;
    this.#changed = changed;
    this.#watch = new SilenceWatch(changed);
    this.#arrivals = new Throttled(UPDATE_TIME, changed);
    if (typeof source === "string" || source instanceof URL)
      this.#transfer = new PausableFetch(undefined, (url, init) => this.#watch.fetch(url, init, fetchOrTake));
  }

  get state(): OpeningState {
    return {
      progress: this.#progress,
      setProgress: this.#setProgress,
      paused: this.#transfer?.paused ?? false,
      pausable: this.#transfer !== undefined,
      silence: this.#watch.silence,
      header: this.#header ? wholeHeader(this.#header, this.#fileName) : this.#arrived("not read yet"),
      isRead: this.isRead,
      loadsModule: this.#loadsModule,
      isSet: this.#isSet,
    };
  }

  /** Whether the reader has opened the file. */
  get isRead(): boolean {
    return this.#header !== undefined;
  }

  /** What has arrived of the header. */
  #arrived(missing: string): EarlyHeader | undefined {
    const size = this.#source instanceof Blob ? this.#source.size : this.#progress?.fileSize;
    return this.#arriving?.header(this.#progress ?? {}, size, missing);
  }

  pause(): void {
    this.#transfer?.pause();
    this.#watch.pause();
    this.#changed();
  }

  resume(): void {
    this.#transfer?.resume();
    this.#watch.resume();
    this.#changed();
  }

  cancel(): void {
    this.#abort.abort();
  }

  /** Resolves to an open file or to a failure. Never rejects. */
  async run(): Promise<OpeningResult> {
    const { signal } = this.#abort;
    try {
      if (opensItself(this.#source)) return await this.#opened(await this.#source.openModel(signal));
      const { parseShardName } = await this.#firstModule();
      const source = modelSource(this.#source, this.#isAlone, document.baseURI, parseShardName);
      const model = await this.#openParts(source);
      if (signal.aborted) {
        model.free();
        signal.throwIfAborted();
      }
      return await this.#opened(model);
    } catch (error) {
      if (await this.#isLegacy(error)) {
        this.#arriving = undefined;
        return await this.#runLegacy();
      }
      const failure = this.#explain(failureOf(error));
      return { failure, header: this.#arriving?.isEmpty ? undefined : this.#arrived("not read") };
    } finally {
      this.#watch.stop();
      this.#arrivals.stop();
      const header = this.#header;
      // The viewer shows the header until it has rendered the result.
      if (header) setTimeout(() => header.free(), 0);
    }
  }

  async #opened(model: OpenedModel): Promise<OpeningResult> {
    const types = (await this.#modules.loadMain()).ggmlTypes();
    return { model, types: [...types, ...(model.legacy?.types ?? [])], cost: this.#cost() };
  }

  /** Whether a file could not be opened because it is in a format before GGUF: its first four bytes say so. */
  async #isLegacy(error: unknown): Promise<boolean> {
    const { code, looksLike } = failureOf(error);
    // The models of whisper.cpp that are no Whisper models have the same magic, but another form.
    if (opensItself(this.#source) || looksLike === "parakeet") return false;
    if (code !== "bad-magic" && !isSourceList(this.#source)) return false;
    const head = await this.#firstBytes().catch(() => undefined);
    return head !== undefined && LEGACY_MAGIC.test(new TextDecoder("latin1").decode(head.subarray(0, 4)));
  }

  /** Opens a model in a format before GGUF. */
  async #runLegacy(): Promise<OpeningResult> {
    const { signal } = this.#abort;
    try {
      const { openLegacyModel } = await this.#unlessAborted(import("../legacy/open-legacy.ts"));
      if (opensItself(this.#source)) throw new TypeError("the model is in no format before GGUF");
      const source = this.#transfer ? fetchableAddress(String(this.#source), document.baseURI) : this.#source;
      const model = await openLegacyModel(source, { ...this.#options, family: this.#family });
      if (signal.aborted) {
        model.free();
        signal.throwIfAborted();
      }
      return await this.#opened(model);
    } catch (error) {
      return { failure: failureOf(error) };
    }
  }

  /** Opens a model, or the file that raw parts were cut from, or that is inside the file. */
  async #openParts(source: ModelSource): Promise<OpenedModel> {
    const sources = typeof source.source !== "string" && isSourceList(source.source) ? source.source : [source.source];
    const parts = sources.every(isRawPart) ? await this.#joined(sources) : undefined;
    if (parts) return this.#openJoined(parts);
    try {
      return await this.#open(source);
    } catch (error) {
      const failure = failureOf(error);
      if (source.kind !== "file" || failure.looksLike === undefined) throw error;
      const { containedFile } = await import("../gguf/contained-file.ts");
      const inside = await this.#unlessAborted(containedFile(failure, source.source, this.#requests));
      if (!inside) throw error;
      return this.#openContained(inside);
    }
  }

  async #joined(sources: readonly GgufSource[]): Promise<ContainedFile | undefined> {
    const { joinedParts } = await import("../gguf/contained-file.ts");
    return this.#unlessAborted(joinedParts(sources, this.#requests));
  }

  /** A header that ends too early lacks the next parts. It is no interrupted download. */
  async #openJoined(parts: ContainedFile): Promise<OpenedModel> {
    try {
      return await this.#openContained(parts);
    } catch (error) {
      const { name, problem } = parts.container;
      if (failureOf(error).code !== "unexpected-eof") throw error;
      const message = problem || `This is a part of ${name}, which was cut into pieces. The next part is missing.`;
      throw errorFrom({ code: "missing-parts", message });
    }
  }

  async #openContained({ source, container }: ContainedFile): Promise<OpenedModel> {
    this.#progress = undefined;
    return { ...(await this.#open({ kind: "file", source })), container };
  }

  /** How a file is read by ranges. */
  get #requests(): RequestOptions {
    const { signal } = this.#abort;
    const fetch = this.#transfer?.fetch;
    return { signal, ...(fetch && { fetch }), ...(this.#headers && { headers: this.#headers }) };
  }

  #open(source: ModelSource): Promise<OpenedModel> {
    const options = this.#options;
    // Until now, the name of the file told what it probably is. Nothing of its header has arrived.
    this.#isSet = source.kind === "set";
    const isList = source.kind === "set" && typeof source.source !== "string";
    this.#arriving = isList ? undefined : new ArrivingHeader(this.#fileName, this.#isSet);
    return source.kind === "file" ? this.#openFile(source.source, options) : this.#openSet(source.source, options);
  }

  get #options(): CommonOptions {
    return {
      signal: this.#abort.signal,
      retries: RETRIES,
      ...(this.#transfer ? { fetch: this.#transfer.fetch, probeCors: true, timeout: NO_TIMEOUT } : {}),
      ...(this.#headers ? { headers: this.#headers } : {}),
    };
  }

  /** The main module if it is started, and otherwise the one that is there sooner. */
  async #firstModule(): Promise<FileOpener> {
    const { startedMain, loadFirst } = this.#modules;
    return startedMain() ?? (await this.#unlessAborted(loadFirst()));
  }

  /** Opens a file, or the shard at an address, with the first module. What arrives of its header is shown. */
  async #openEarly(source: GgufSource, options: CommonOptions): Promise<ReaderGguf> {
    const onProgress = (seen: OpenProgress) => {
      this.#progress = { ...seen };
      this.#arrivals.request();
    };
    // `onProgress` is called after `onHeader`, and then the page is updated.
    const onHeader = (part: HeaderPart) => this.#arriving?.add(part);
    const { Gguf } = await this.#firstModule();
    const opened = await Gguf.open(source, { ...options, onProgress, onHeader });
    this.#loadsModule = !this.#modules.startedMain();
    return opened;
  }

  /** The main module is loaded while the header is shown: before, it would take the connection and the processor from the header. */
  async #openFile(source: GgufSource, options: CommonOptions): Promise<OpenedModel> {
    const opened = await this.#openEarly(source, options);
    let library = this.#modules.startedMain();
    if (!library) {
      this.#header = opened;
      this.#changed();
      library = await this.#unlessAborted(this.#modules.loadMain());
    }
    if (opened instanceof library.Gguf) return this.#withShardsInside(opened, source, options);
    // To start the module, to take the header over and to render the panels are three tasks of the page.
    await pause();
    const gguf = library.Gguf.from(opened);
    if (!this.#header) opened.free();
    await pause();
    return this.#withShardsInside(gguf, source, options);
  }

  /** The file, or the set of shards that were joined into it. Another shard can begin only where the file is longer than it should be. */
  async #withShardsInside(gguf: OpenedModel["gguf"], source: GgufSource, options: CommonOptions): Promise<OpenedModel> {
    const { metadata, fileSize = 0, requiredSize = fileSize } = gguf;
    if (fileSize > requiredSize && metadata.has("split.count")) {
      const { shardsInside } = await import("../gguf/contained-file.ts");
      const { Gguf } = await this.#modules.loadMain();
      const open = (part: GgufSource) => Gguf.open(part);
      const found = await this.#unlessAborted(shardsInside(gguf, source, open, this.#requests));
      if (found) {
        freeFile(gguf);
        return { ...(await this.#openSet(found.sources, options)), container: found.container };
      }
    }
    return { gguf, set: undefined, sources: [source], free: () => freeFile(gguf) };
  }

  async #openSet(source: string | readonly GgufSource[], options: CommonOptions): Promise<OpenedModel> {
    // Most links name the first shard. Its header has the facts of the model, which are shown while the main module is loaded.
    const opened = typeof source === "string" ? await this.#openEarly(source, options) : undefined;
    const onProgress = (seen: SetProgress) => {
      this.#setProgress = { ...seen, bytesRead: seen.bytesRead + (this.#progress?.bytesRead ?? 0) };
      this.#arrivals.request();
    };
    let set: GgufSet;
    try {
      this.#changed();
      const { GgufSet } = await this.#unlessAborted(loadFull());
      set = await GgufSet.open(source, { ...options, onProgress, opened });
    } finally {
      opened?.free();
    }
    const free = () => set.free();
    const sources = shardSources(set.shards, source);
    const [first] = set.shards;
    // The name of a file may look like that of a shard although the file is whole.
    if (set.shards.length === 1 && first?.gguf) return { gguf: first.gguf, set: undefined, sources, free };
    return { gguf: set.merged, set, sources, free };
  }

  async #unlessAborted<T>(loading: Promise<T>): Promise<T> {
    return Promise.race([loading, aborted(this.#abort.signal)]);
  }

  #cost(): OpenCost {
    return this.#transfer
      ? { bytes: this.#transfer.received, requests: this.#transfer.requests }
      : { bytes: this.#progress?.bytesRead ?? this.#setProgress?.bytesRead ?? 0 };
  }

  /** Adds to a failure what is known about the file. */
  #explain(failure: Failure): Failure {
    if (this.#progress) failure.bytesRead = this.#progress.bytesRead;
    const size = this.#source instanceof Blob ? this.#source.size : this.#progress?.fileSize;
    if (size !== undefined) failure.fileSize = size;
    return failure;
  }

  /** The first bytes of a file that is not GGUF, if they can be read again. */
  async #firstBytes(): Promise<Uint8Array | undefined> {
    const source = isSourceList(this.#source) ? this.#source[0] : this.#source;
    if (this.#transfer) return this.#transfer.head;
    if (source instanceof Blob) return new Uint8Array(await source.slice(0, 512).arrayBuffer());
    if (source instanceof Uint8Array) return source.subarray(0, 512);
    if (source instanceof ArrayBuffer) return new Uint8Array(source).subarray(0, 512);
    return undefined;
  }
}

/** Whether a source has the name of a raw part. */
function isRawPart(source: GgufSource): boolean {
  const isAddress = typeof source === "string" || source instanceof URL;
  return rawPart(source instanceof File ? source.name : isAddress ? fileName(String(source)) : "") !== undefined;
}

/** Rejects with the reason of an abort. Never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(signal.reason as Error);
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });
}
