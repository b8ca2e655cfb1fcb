/** The comparison of the open file with a second one. */

import type { ComparedPair } from "gguf-wasm/full";
import type { LitElement, ReactiveController } from "lit";
import { originOf } from "../gguf/address.ts";
import { problemText } from "../gguf/error-texts.ts";
import type { Silence } from "../gguf/silence-watch.ts";
import { ElementTask } from "../ui/long-task.ts";
import { type Amount, amountAtOnce, firstAmount } from "./amounts.ts";
import { FoundPairs } from "./errors/found-pairs.ts";
import { MOST_TENSORS, type Pairs } from "./errors/tensor-errors.ts";
import { compareHeaders, compareTensors, type Depth, exchangedPairs, type Result } from "./result.ts";
import {
  isOwn,
  openOther,
  originalSide,
  type OtherSource,
  otherName,
  type OwnFile,
  ownSide,
  type Side,
  tensorCount,
} from "./sides.ts";
import { pairCount } from "./words.ts";

/**
 * Opens the second file and, while the open file is being edited, the edited one, compares them, and frees them. The element is updated
 * whenever something changes.
 */
export class FileComparison implements ReactiveController {
  readonly #host: LitElement & OwnFile;
  readonly #onResult: (result: Result) => void;
  /** The tensors that have been compared while values are being compared. */
  readonly #found: FoundPairs;
  #result: Result | undefined;
  #amount: Amount = "whole";
  #opening: string | undefined;
  #problem = "";
  #silence: Silence | undefined;
  #abort: AbortController | undefined;
  /** Whether the values are compared without being asked for. */
  #isAtOnce = false;

  /** Reads the data of the tensors. */
  readonly reading: ElementTask<true>;

  /** `onResult` is called with each new result. */
  constructor(host: LitElement & OwnFile, onResult: (result: Result) => void) {
    this.#host = host;
    this.#onResult = onResult;
    this.#found = new FoundPairs(host);
    this.reading = new ElementTask(host);
    host.addController(this);
  }

  get result(): Result | undefined {
    return this.#result;
  }

  /** How much of the tensors' data is compared. */
  get amount(): Amount {
    return this.#amount;
  }

  set amount(amount: Amount) {
    this.#amount = amount;
    this.#host.requestUpdate();
  }

  /** The name of the second file while it is being opened. */
  get opening(): string | undefined {
    return this.#opening;
  }

  /** Why the second file could not be opened or compared. */
  get problem(): string {
    return this.#problem;
  }

  /** The server of the second file, if it sends nothing. */
  get silence(): Silence | undefined {
    return this.#silence;
  }

  /** What has been found about the tensors of both files. While their values are being compared, what has been found so far. */
  get pairs(): Pairs | undefined {
    return this.#found.shown ?? this.#result?.pairs;
  }

  /** Whether a person waits for a comparison, so that there cannot be another one. */
  get isBusy(): boolean {
    return this.reading.isRunning && !this.#isAtOnce;
  }

  /** Whether values are being compared. */
  get isFinding(): boolean {
    return this.#found.shown !== undefined;
  }

  hostDisconnected(): void {
    this.close();
  }

  /** Ends the comparison, and frees its files after the tables have stopped showing them. */
  close(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.#opening = undefined;
    this.#problem = "";
    if (this.reading.state.name !== "idle") this.reading.reset();
    const result = this.#result;
    this.#result = undefined;
    this.#found.end();
    if (result)
      this.#later(() => {
        result.comparison.free();
        result.a.free();
        result.b.free();
      });
  }

  /** Opens the second file, and compares the headers. Never rejects. */
  async open(source: OtherSource): Promise<void> {
    const file = this.#host;
    const signal = this.#begin();
    this.#opening = otherName(source);
    this.#problem = "";
    file.requestUpdate();
    const opened: Side[] = [];
    try {
      const own = await ownSide(file);
      opened.push(own);
      signal.throwIfAborted();
      const other =
        source.kind === "original"
          ? originalSide(file)
          : await openOther(source, {
              signal,
              onSilence: (silence) => {
                this.#silence = silence;
                file.requestUpdate();
              },
              headers: file.headers,
              headersOrigin: originOf(file.address, document.baseURI),
            });
      opened.push(other);
      // An edit is read from the original to the edited file.
      const [a, b] = source.kind === "original" ? [other, own] : [own, other];
      const result = await compareHeaders(a, b, file.changes, signal);
      this.#amount = firstAmount(result.total, a.isRemote || b.isRemote);
      this.#show(result);
      this.#sample(result);
    } catch (error) {
      for (const side of opened) side.free();
      if (!signal.aborted) this.#problem = problemText(error);
    } finally {
      if (!signal.aborted) this.#opening = undefined;
      file.requestUpdate();
    }
  }

  /** Compares the data of the tensors, and with `values` also what their elements stand for. Never rejects. */
  async compareTensors(depth: Exclude<Depth, "headers">): Promise<void> {
    if (this.isBusy) return;
    this.#isAtOnce = false;
    await this.#read(depth, this.#amount);
  }

  /** Compares a sample of the values at once. The data of an edit is that of its original. */
  #sample({ a, b, comparison, total }: Result): void {
    if (pairCount(comparison) === 0 || a.role === "original" || b.role === "original") return;
    if (Math.max(tensorCount(a), tensorCount(b)) > MOST_TENSORS) return;
    this.#isAtOnce = true;
    void this.#read("values", amountAtOnce(total, a.isRemote || b.isRemote));
  }

  async #read(depth: Exclude<Depth, "headers">, amount: Amount): Promise<void> {
    const result = this.#result;
    if (!result) return;
    const { a, b } = result;
    const isFound = depth === "values" && Math.max(tensorCount(a), tensorCount(b)) <= MOST_TENSORS;
    const found = isFound ? this.#found.begin() : undefined;
    if (!found) this.#found.end();
    await this.reading.run(async (signal, progress) => {
      const pair = (one: ComparedPair) => this.#found.add(one, found);
      const deeper = await compareTensors(result, depth, amount, signal, { progress, pair });
      if (this.#result !== result || signal.aborted) {
        deeper.comparison.free();
        return undefined;
      }
      const pairs = this.#found.shown && this.#found.end();
      this.#show({ ...deeper, pairs });
      this.#later(() => result.comparison.free());
      return true;
    });
    // A later comparison may have begun.
    if (!this.reading.isRunning) this.#found.end();
  }

  /** Exchanges the sides. Nothing is read again. */
  swap(): void {
    const result = this.#result;
    if (!result || this.isBusy) return;
    const { comparison, a, b } = result;
    const isSampling = this.reading.isRunning;
    this.reading.reset();
    const swapped = { ...result, comparison: comparison.swapped(), a: b, b: a, pairs: undefined };
    this.#show(swapped);
    if (result.pairs) void this.#swapPairs(swapped, result.pairs);
    if (isSampling) this.#sample(swapped);
    this.#later(() => comparison.free());
  }

  /**
   * Compares the headers again, with the file as it is edited now, and the data if it was compared and is soon read. Never rejects.
   * `onHeaders` is called once the headers are compared.
   */
  async again(onHeaders: () => void): Promise<void> {
    const before = this.#result;
    if (!before) return;
    const signal = this.#begin();
    this.reading.reset();
    const { a, b, depth } = before;
    let fresh: Side | undefined;
    try {
      fresh = await ownSide(this.#host);
      const result = await compareHeaders(isOwn(a) ? fresh : a, isOwn(a) ? b : fresh, this.#host.changes, signal);
      this.#show(result);
      onHeaders();
      this.#later(() => {
        before.comparison.free();
        [a, b].find(isOwn)?.free();
      });
      // Local files and samples are read again quickly. A whole download is repeated only if a person asks for it.
      const isSoon = this.#amount !== "whole" || !(a.isRemote || b.isRemote);
      if (depth === "headers") this.#sample(result);
      else if (isSoon) await this.compareTensors(depth);
    } catch (error) {
      fresh?.free();
      if (signal.aborted) return;
      this.close();
      this.#problem = problemText(error);
      this.#host.requestUpdate();
    }
  }

  /** Ends what is being opened. */
  #begin(): AbortSignal {
    this.#abort?.abort();
    this.#abort = new AbortController();
    return this.#abort.signal;
  }

  #show(result: Result): void {
    this.#result = result;
    this.#host.requestUpdate();
    this.#onResult(result);
  }

  /** Shows the errors relative to the file that is the first one now. */
  async #swapPairs(swapped: Result, pairs: Pairs): Promise<void> {
    const exchanged = await exchangedPairs(pairs, swapped.comparison, this.#begin()).catch(() => undefined);
    if (!exchanged || this.#result !== swapped) return;
    this.#result = { ...swapped, pairs: exchanged };
    this.#host.requestUpdate();
  }

  /** Calls a function when no element renders the previous result any more. */
  #later(work: () => void): void {
    void this.#host.updateComplete.then(() => setTimeout(work, 0));
  }
}
