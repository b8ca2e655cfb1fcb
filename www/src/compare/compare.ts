import type { Change, ComparedPair } from "gguf-wasm";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { originOf } from "../gguf/address.ts";
import { problemText } from "../gguf/error-texts.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { HUB } from "../gguf/repository-place.ts";
import type { Silence } from "../gguf/silence-watch.ts";
import type { EditedFile } from "../gguf/shown-file.ts";
import { announce } from "../ui/announce.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { focusedElement } from "../ui/focused-element.ts";
import { icons } from "../ui/icons.ts";
import { ElementTask } from "../ui/long-task.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { baseStyles } from "../ui/styles.ts";
import { tabStyles } from "../ui/tab-styles.ts";
import { renderTaskProgress, taskStyles } from "../ui/task-progress.ts";
import { type Amount, firstAmount } from "./amounts.ts";
import type { CompareState } from "./compare-state.ts";
import { compareStyles } from "./compare-styles.ts";
import type { RowLink } from "./difference-table.ts";
import { FoundPairs } from "./errors/found-pairs.ts";
import { MOST_TENSORS, type Pairs } from "./errors/tensor-errors.ts";
import "./other-file-field.ts";
import type { GgufOtherFile } from "./other-file-field.ts";
import { renderShardNotice } from "./shard-notice.ts";
import { isOwn, isRemote, openOther, type OtherSource, otherName, type Side, tensorCount } from "./sides.ts";
import { compareHeaders, compareTensors, exchangedPairs, type Result } from "./result.ts";
import {
  type DifferenceList,
  renderDeeper,
  renderFailure,
  renderSide,
  renderSummary,
  renderTables,
} from "./result-view.ts";
import type { SuggestedGroup } from "./suggestions.ts";

/**
 * Compares the open file with a second one. The headers are compared at once, and the data of the tensors when a person asks for it. The
 * panel owns the second file and, while the file is being edited, the opened copy of the edited file, and frees both.
 */
export class GgufCompare extends LitElement {
  static override properties = {
    model: { attribute: false },
    fileName: {},
    address: { attribute: false },
    headers: { attribute: false },
    edits: { attribute: false },
    changes: { attribute: false },
    rowLink: { attribute: false },
    suggestions: { attribute: false },
    panelState: { attribute: false },
    shown: { type: Boolean },
    choices: { state: true },
    result: { state: true },
    amount: { state: true },
    list: { state: true },
    opening: { state: true },
    problem: { state: true },
    silence: { state: true },
  };

  declare model: OpenedModel;
  declare fileName: string;
  /** The address that was opened. Undefined for other sources. */
  declare address: string | undefined;
  /** HTTP headers for the origin of the address. */
  declare headers: HeadersInit | undefined;
  /** The file after editing. Undefined while the file is not being edited. */
  declare edits: EditedFile | undefined;
  /** The changes of the edit. Undefined while the file is not being edited. */
  declare changes: readonly Change[] | undefined;
  /** Makes links to rows of other files. Undefined if the page around the viewer has none. */
  declare rowLink: RowLink | undefined;
  /** Files that the page suggests as the second one. */
  declare suggestions: readonly SuggestedGroup[];
  /** The state that a link contains. Changes are reported with the event `gguf-table`. */
  declare panelState: CompareState | undefined;
  /** Whether the panel is visible. No second file is opened before. */
  declare shown: boolean;
  declare private choices: CompareState;
  declare private result: Result | undefined;
  declare private amount: Amount;
  declare private list: DifferenceList;
  /** The name of the second file while it is being opened. */
  declare private opening: string | undefined;
  /** Why the second file could not be opened or compared. */
  declare private problem: string;
  /** The server of the second file, if it sends nothing. */
  declare private silence: Silence | undefined;

  readonly #reading = new ElementTask<true>(this);
  /** The tensors that have been compared while values are being compared. */
  readonly #found = new FoundPairs(this);
  readonly #reporter = new StateReporter<CompareState>(this, (state) => ({ compare: state }));
  #abort: AbortController | undefined;
  /** Whether a person has chosen the list that is shown. */
  #isListChosen = false;
  /** Whether the panel has been visible. Nothing is rendered before. */
  #wasShown = false;
  /** The address of the state that was followed last, whether or not it could be opened. */
  #followed: string | undefined;

  constructor() {
    super();
    this.fileName = "";
    this.address = undefined;
    this.headers = undefined;
    this.edits = undefined;
    this.changes = undefined;
    this.rowLink = undefined;
    this.suggestions = [];
    this.panelState = undefined;
    this.shown = false;
    this.choices = {};
    this.result = undefined;
    this.amount = "whole";
    this.list = "entries";
    this.opening = undefined;
    this.problem = "";
    this.silence = undefined;
  }

  static override styles = [baseStyles, sectionStyles, taskStyles, tabStyles, compareStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    // An element that was moved opens the file of the link again.
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
    this.#followed = undefined;
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("panelState") && this.#reporter.adopts(this.panelState ?? {})) this.choices = this.panelState ?? {};
    const isOtherFile = changed.has("model") && changed.get("model") !== undefined;
    // After the end of an edit there is no edited file to compare, and no original.
    const isEditEnded = changed.has("edits") && this.edits === undefined && this.result?.changes !== undefined;
    if (isOtherFile || isEditEnded) {
      this.#close();
      this.#followed = undefined;
      this.problem = "";
    }
    this.#wasShown ||= this.shown;
    if (this.shown) this.#follow();
  }

  override updated(): void {
    this.#reporter.report(this.choices.with === undefined ? {} : { with: this.choices.with });
  }

  /** Opens the file that the state names. */
  #follow(): void {
    const { with: address } = this.choices;
    if (address === this.#followed) return;
    this.#close();
    this.problem = "";
    this.#followed = address;
    if (address !== undefined) void this.#open({ kind: "address", address });
  }

  /** Ends the comparison, and frees its files after the tables have stopped showing them. */
  #close(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.opening = undefined;
    if (this.#reading.state.name !== "idle") this.#reading.reset();
    const { result } = this;
    this.result = undefined;
    this.#isListChosen = false;
    this.#found.end();
    if (result)
      void this.#later(() => {
        result.comparison.free();
        result.a.free();
        result.b.free();
      });
  }

  /** Calls a function when no element renders the previous result any more. */
  async #later(work: () => void): Promise<void> {
    await this.updateComplete;
    setTimeout(work, 0);
  }

  override render() {
    const { result } = this;
    if (!this.#wasShown) return nothing;
    return html`<div class="head">
        ${
          this.edits
            ? html`<p class="about">${icons.info}This panel compares the edited file, as it would be saved now.</p>`
            : nothing
        }
        ${result ? this.#renderResult(result) : this.#renderChooser()}
      </div>
      ${
        result
          ? renderTables(result, {
              list: this.list,
              pairs: this.#found.shown ?? result.pairs,
              isRunning: this.#found.shown !== undefined,
              rowLink: this.rowLink,
              show: (list) => this.#showList(list),
              showTensors: (event) => void this.#showTensors(event),
            })
          : nothing
      }`;
  }

  #renderChooser() {
    return html`<h3>Compare with another file</h3>
      <p class="hint">
        Lists the metadata and the tensors that differ. Only the header of the other file is read, until you compare the
        data.
      </p>
      <gguf-other-file
        .address=${this.choices.with ?? ""}
        .opening=${this.opening}
        .silence=${this.silence}
        .problem=${this.problem}
        .openAddress=${this.address}
        .suggestions=${this.suggestions}
        ?edited=${this.edits !== undefined}
        .hubHeaders=${originOf(this.address, document.baseURI) === HUB ? this.headers : undefined}
        @gguf-other-file=${({ detail }: CustomEvent<OtherSource>) => void this.#choose(detail)}
        @gguf-other-cancel=${this.#chooseAnother}
      ></gguf-other-file>`;
  }

  #renderResult(result: Result) {
    const { comparison, a, b } = result;
    const { changes } = this;
    // Of a set of shards, an edit changes one file, which is compared with itself.
    const isOneModel = a.role === "original" || b.role === "original";
    // The first moment of an edit changes nothing.
    const isOutdated = changes !== result.changes && (result.changes !== undefined || (changes?.length ?? 0) > 0);
    const { isRunning } = this.#reading;
    return html`<div class="chosen">
        <dl>${renderSide("A", a)} ${renderSide("B", b)}</dl>
        <div class="actions">
          <button type="button" class="small" aria-disabled=${isRunning} @click=${this.#swap}>Swap sides</button>
          <button type="button" class="small" @click=${this.#chooseAnother}>Choose another file</button>
          <gguf-copy-button
            caption="Copy as Markdown"
            label="Copy as Markdown"
            .text=${() => comparison.toMarkdown({ nameA: a.name, nameB: b.name })}
          ></gguf-copy-button>
        </div>
      </div>
      ${
        isOutdated
          ? html`<div class="notice warning">
              ${icons.warning}
              <div>
                The file has been changed since.
                <button type="button" class="small" @click=${() => void this.#again(result)}>Compare again</button>
              </div>
            </div>`
          : nothing
      }
      ${isOneModel ? nothing : html`${renderShardNotice("A", a)}${renderShardNotice("B", b)}`} ${renderSummary(result)}
      ${renderDeeper(result, {
        amount: this.amount,
        isRunning,
        choose: (amount) => (this.amount = amount),
        compare: (depth) => void this.#compareTensors(depth),
      })}
      ${renderTaskProgress(this.#reading, "Bytes compared")} ${renderFailure(this.#reading)}`;
  }

  /** Opens the file that a person has chosen. A file of a repository is the address of the file, or of one of its shards. */
  async #choose(source: OtherSource): Promise<void> {
    const opening = this.#open(source);
    // The form with the focused button is replaced by the button that cancels.
    void this.#focusNext();
    await opening;
    if (this.result) this.#adopt(source.kind === "address" ? source.address : undefined);
    void this.#focusNext();
  }

  /** Sets the address of the state, for a file that is open already. */
  #adopt(address: string | undefined): void {
    this.#followed = address;
    this.choices = address === undefined ? {} : { with: address };
  }

  /** Opens the second file, and compares the headers. */
  async #open(source: OtherSource): Promise<void> {
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    const { headers } = this;
    const onSilence = (silence: Silence | undefined) => (this.silence = silence);
    this.opening = otherName(source);
    this.problem = "";
    const opened: Side[] = [];
    try {
      const own = await this.#openOwn();
      opened.push(own);
      signal.throwIfAborted();
      const other =
        source.kind === "original"
          ? this.#original()
          : await openOther(source, {
              signal,
              onSilence,
              headers,
              headersOrigin: originOf(this.address, document.baseURI),
            });
      opened.push(other);
      // An edit is read from the original to the edited file.
      const [a, b] = source.kind === "original" ? [other, own] : [own, other];
      const result = await compareHeaders(a, b, this.changes, signal);
      this.#show(result, firstAmount(result.total, a.isRemote || b.isRemote));
    } catch (error) {
      for (const side of opened) side.free();
      if (!signal.aborted) this.problem = problemText(error);
    } finally {
      if (!signal.aborted) this.opening = undefined;
    }
  }

  /** The open file as a side. While it is being edited, that is the edited file. */
  async #openOwn(): Promise<Side> {
    const { edits, model, fileName, address } = this;
    const isOwnRemote = model.sources.some(isRemote);
    const own = edits ? await edits.open() : model;
    return {
      name: fileName || "this file",
      model: own,
      address,
      isRemote: isOwnRemote,
      role: edits ? "edited" : "open",
      free: () => (edits ? own.free() : undefined),
    };
  }

  /** The file that is being edited, without the changes. Of a set of shards, the first one. */
  #original(): Side {
    const { model, fileName } = this;
    const gguf = model.set?.shards[0]?.gguf ?? model.gguf;
    return {
      name: fileName || "this file",
      model: { gguf, set: undefined, sources: model.sources.slice(0, 1), free: () => undefined },
      address: undefined,
      isRemote: model.sources.some(isRemote),
      role: "original",
      free: () => undefined,
    };
  }

  #show(result: Result, amount = this.amount): void {
    this.result = result;
    this.amount = amount;
    const { entryCount, tensorCount, summary } = result.comparison;
    if (this.list !== "errors" && entryCount === 0 && tensorCount > 0) this.list = "tensors";
    if (this.list !== "errors" && tensorCount === 0 && entryCount > 0) this.list = "entries";
    announce(this, summary);
  }

  /** Compares the data of the tensors, and with `values` also what their elements stand for. */
  async #compareTensors(depth: "data" | "values"): Promise<void> {
    const { result, amount } = this;
    if (!result || this.#reading.isRunning) return;
    const { a, b } = result;
    if (depth === "values" && Math.max(tensorCount(a), tensorCount(b)) <= MOST_TENSORS) {
      this.#found.begin();
      // A person who has chosen the tab of the tensors stays there.
      if (!this.#isListChosen) this.list = "errors";
    }
    await this.#reading.run(async (signal, progress) => {
      const pair = (found: ComparedPair) => this.#found.add(found);
      const deeper = await compareTensors(result, depth, amount, signal, { progress, pair });
      if (this.result !== result) {
        deeper.comparison.free();
        return undefined;
      }
      const pairs = this.#found.shown && this.#found.end();
      this.#show({ ...deeper, pairs });
      void this.#later(() => result.comparison.free());
      return true;
    });
    this.#found.end();
  }

  /** Exchanges the sides. Nothing is read again. */
  readonly #swap = () => {
    const { result } = this;
    if (!result || this.#reading.isRunning) return;
    const { comparison, a, b } = result;
    this.#reading.reset();
    const swapped = { ...result, comparison: comparison.swapped(), a: b, b: a, pairs: undefined };
    this.#show(swapped);
    if (result.pairs) void this.#swapPairs(swapped, result.pairs);
    void this.#later(() => comparison.free());
  };

  /** Shows the errors relative to the file that is the first one now. */
  async #swapPairs(swapped: Result, pairs: Pairs): Promise<void> {
    const { signal } = (this.#abort = new AbortController());
    const exchanged = await exchangedPairs(pairs, swapped.comparison, signal).catch(() => undefined);
    if (exchanged && this.result === swapped) this.result = { ...swapped, pairs: exchanged };
  }

  /** Shows what a person has chosen. */
  #showList(list: DifferenceList): void {
    this.list = list;
    this.#isListChosen = true;
  }

  /** Shows the differences of the tensors that a mark of a picture stands for. */
  async #showTensors(event: CustomEvent<{ filter: string }>): Promise<void> {
    event.stopPropagation();
    this.#showList("tensors");
    await this.updateComplete;
    await this.renderRoot.querySelector("gguf-tensor-differences")?.search(event.detail.filter);
  }

  /** Compares the headers again, with the file as it is edited now. */
  async #again(before: Result): Promise<void> {
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    this.#reading.reset();
    const { depth } = before;
    let fresh: Side | undefined;
    try {
      fresh = await this.#openOwn();
      const { a, b } = before;
      const result = await compareHeaders(isOwn(a) ? fresh : a, isOwn(a) ? b : fresh, this.changes, signal);
      this.#show(result);
      // The button that was pressed is gone.
      void this.#focusNext();
      void this.#later(() => {
        before.comparison.free();
        [a, b].find(isOwn)?.free();
      });
      // What is on this device, and a sample, is soon read again. A whole download is not repeated without being asked for.
      const isSoon = this.amount !== "whole" || !(a.isRemote || b.isRemote);
      if (depth !== "headers" && isSoon) await this.#compareTensors(depth);
    } catch (error) {
      fresh?.free();
      if (signal.aborted) return;
      this.#close();
      this.problem = problemText(error);
    }
  }

  /** Cancels the opening, or ends the comparison, so that another file can be chosen. */
  readonly #chooseAnother = () => {
    this.#close();
    this.problem = "";
    this.#adopt(undefined);
    void this.#focusNext();
  };

  /** Moves the focus to the summary, or to the field for another file, if the element that had it is gone. */
  async #focusNext(): Promise<void> {
    await this.updateComplete;
    const field = this.renderRoot.querySelector<GgufOtherFile>("gguf-other-file");
    await field?.updateComplete;
    // The person may have moved the focus meanwhile.
    if (focusedElement() !== document.body) return;
    if (field) field.focus();
    else this.renderRoot.querySelector<HTMLElement>(".summary")?.focus();
  }
}

define("gguf-compare", GgufCompare);
