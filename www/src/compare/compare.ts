import type { Change } from "gguf-wasm/full";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { ProjectorVerdict } from "../gguf/projector-verdict.ts";
import { hubHeaders } from "../gguf/repository-place.ts";
import type { EditedFile } from "../gguf/shown-file.ts";
import { MachineWatcher } from "../memory/machine.ts";
import { Answer } from "../ui/answer.ts";
import { announce } from "../ui/announce.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { focusedElement } from "../ui/focused-element.ts";
import { icons } from "../ui/icons.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { baseStyles } from "../ui/styles.ts";
import { linkButtonStyles } from "../ui/styles/link-button.ts";
import { tabStyles } from "../ui/tab-styles.ts";
import { renderTaskProgress, taskStyles } from "../ui/task-progress.ts";
import { type CardContexts, chosenCard, contextsOnCard } from "./card-context.ts";
import type { CompareState } from "./compare-state.ts";
import { compareStyles } from "./compare-styles.ts";
import type { RowLink } from "./difference-table.ts";
import { FileComparison } from "./file-comparison.ts";
import "./other-file-field.ts";
import type { GgufOtherFile } from "./other-file-field.ts";
import type { Depth, Result } from "./result.ts";
import {
  type ContextAnswer,
  type DifferenceList,
  renderDeeper,
  renderFailure,
  renderSide,
  renderSummary,
  renderTables,
} from "./result-view.ts";
import { renderShardNotice } from "./shard-notice.ts";
import type { OtherSource } from "./sides.ts";
import type { SuggestedGroup } from "./suggestions.ts";

/** Compares the open file with a second one: the headers and a sample of the values at once, more when a person asks for it. */
export class GgufCompare extends LitElement {
  @property({ attribute: false }) model!: OpenedModel;
  @property() fileName = "";
  /** The address that was opened. Undefined for other sources. */
  @property({ attribute: false }) address: string | undefined;
  /** HTTP headers for the origin of the address. */
  @property({ attribute: false }) headers: HeadersInit | undefined;
  /** The file after editing. Undefined while the file is not being edited. */
  @property({ attribute: false }) edits: EditedFile | undefined;
  /** The changes of the edit. Undefined while the file is not being edited. */
  @property({ attribute: false }) changes: readonly Change[] | undefined;
  /** Makes links to rows of other files. Undefined if the page around the viewer has none. */
  @property({ attribute: false }) rowLink: RowLink | undefined;
  /** Files that the page suggests as the second one. */
  @property({ attribute: false }) suggestions: readonly SuggestedGroup[] = [];
  /** The state that a link contains. Changes are reported with the event `gguf-table`. */
  @property({ attribute: false }) panelState: CompareState | undefined;
  /** Whether the panel is visible. No second file is opened before. */
  @property({ type: Boolean }) shown = false;
  @state() private choices: CompareState = {};
  @state() private list: DifferenceList = "entries";

  readonly #comparison = new FileComparison(this, (result) => this.#showResult(result));
  readonly #context = new Answer<CardContexts>(this);
  readonly #machine = new MachineWatcher(this);
  readonly #verdict = new ProjectorVerdict(this);
  readonly #reporter = new StateReporter<CompareState>(this, (state) => ({ compare: state }));
  /** Whether a person has chosen the list that is shown. */
  #isListChosen = false;
  /** Whether the panel has been visible. Nothing is rendered before. */
  #wasShown = false;
  /** The address of the state that was followed last, whether or not it could be opened. */
  #followed: string | undefined;

  static override styles = [baseStyles, linkButtonStyles, sectionStyles, taskStyles, tabStyles, compareStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    // An element that was moved opens the file of the link again.
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#followed = undefined;
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("panelState") && this.#reporter.adopts(this.panelState ?? {})) this.choices = this.panelState ?? {};
    const isOtherFile = changed.has("model") && changed.get("model") !== undefined;
    // After the end of an edit there is no edited file to compare, and no original.
    const isEditEnded =
      changed.has("edits") && this.edits === undefined && this.#comparison.result?.changes !== undefined;
    if (isOtherFile || isEditEnded) {
      this.#comparison.close();
      this.#followed = undefined;
    }
    this.#wasShown ||= this.shown;
    if (this.shown) this.#follow();
    const { result } = this.#comparison;
    this.#verdict.ask(result && [result.a.model.gguf, result.b.model.gguf]);
    if (result) return;
    this.#isListChosen = false;
    this.#context.clear();
    this.list = "entries";
  }

  override updated(): void {
    this.#reporter.report(this.choices.with === undefined ? {} : { with: this.choices.with });
  }

  /** Opens the file that the state names. */
  #follow(): void {
    const { with: address } = this.choices;
    if (address === this.#followed) return;
    this.#comparison.close();
    this.#followed = address;
    if (address !== undefined) void this.#comparison.open({ kind: "address", address });
  }

  override render() {
    const { result, pairs, isFinding } = this.#comparison;
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
              pairs,
              isRunning: isFinding,
              rowLink: this.rowLink,
              show: (list) => this.#showList(list),
              showTensors: (event) => void this.#showTensors(event),
            })
          : nothing
      }`;
  }

  #renderChooser() {
    const { opening, silence, problem } = this.#comparison;
    return html`<h3>Compare with another file</h3>
      <p class="hint">
        Says how the files differ in size, bits per weight, context and error, and lists the metadata and the tensors
        that differ. The header of the other file is read, and a sample of the values.
      </p>
      <gguf-other-file
        .address=${this.choices.with ?? ""}
        .opening=${opening}
        .silence=${silence}
        .problem=${problem}
        .openAddress=${this.address}
        .suggestions=${this.suggestions}
        ?edited=${this.edits !== undefined}
        .hubHeaders=${hubHeaders(this.address, this.headers)}
        @gguf-other-file=${({ detail }: CustomEvent<OtherSource>) => void this.#choose(detail)}
        @gguf-other-cancel=${this.#chooseAnother}
      ></gguf-other-file>`;
  }

  #renderResult(result: Result) {
    const { comparison, a, b } = result;
    const { changes } = this;
    const { reading, amount, isBusy } = this.#comparison;
    // Of a set of shards, an edit changes one file, which is compared with itself.
    const isOneModel = a.role === "original" || b.role === "original";
    // The first moment of an edit changes nothing.
    const isOutdated = changes !== result.changes && (result.changes !== undefined || (changes?.length ?? 0) > 0);
    return html`<div class="chosen">
        <dl>${renderSide("A", a)} ${renderSide("B", b)}</dl>
        <div class="actions">
          <button type="button" class="small" aria-disabled=${isBusy} @click=${() => this.#comparison.swap()}>
            Swap sides
          </button>
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
                <button type="button" class="small" @click=${this.#again}>Compare again</button>
              </div>
            </div>`
          : nothing
      }
      ${this.#verdict.render()} ${isOneModel ? nothing : html`${renderShardNotice("A", a)}${renderShardNotice("B", b)}`}
      ${renderSummary(result, this.#contexts(result))}
      ${renderDeeper(result, {
        amount,
        isRunning: isBusy,
        choose: (chosen) => (this.#comparison.amount = chosen),
        compare: (depth) => this.#compareTensors(depth),
      })}
      ${renderTaskProgress(reading, "Bytes compared")} ${renderFailure(reading)}`;
  }

  /** The context that each file leaves on the person's card. */
  #contexts({ a, b }: Result): ContextAnswer {
    const card = chosenCard(this.#machine.machine);
    if (!card) return { isAsked: [a, b].every(({ model }) => model.gguf.kind === "model"), found: undefined };
    this.#context.ask([a.model, b.model, JSON.stringify(card)], (signal) => contextsOnCard(a, b, card, signal));
    return { isAsked: false, found: this.#context.isBusy ? undefined : this.#context.found?.value };
  }

  /** Compares with another file instead of the one before. */
  async compareWith(other: OtherSource): Promise<void> {
    this.#comparison.close();
    await this.#choose(other);
  }

  /** Opens the file that a person has chosen. A file of a repository is the address of the file, or of one of its shards. */
  async #choose(source: OtherSource): Promise<void> {
    const opening = this.#comparison.open(source);
    // The form with the focused button is replaced by the button that cancels.
    void this.#focusNext();
    await opening;
    if (this.#comparison.result) this.#adopt(source.kind === "address" ? source.address : undefined);
    void this.#focusNext();
  }

  /** Sets the address of the state, for a file that is open already. */
  #adopt(address: string | undefined): void {
    this.#followed = address;
    this.choices = address === undefined ? {} : { with: address };
  }

  /** Shows the list with the most differences, unless a person has chosen one. */
  #showResult({ comparison: { entryCount, tensorCount, summary } }: Result): void {
    if (!this.#isListChosen && this.list !== "errors") this.list = tensorCount > entryCount ? "tensors" : "entries";
    announce(this, summary);
  }

  #compareTensors(depth: Exclude<Depth, "headers">): void {
    void this.#comparison.compareTensors(depth);
    // A person who has chosen the tab of the tensors stays there.
    if (this.#comparison.isFinding && !this.#isListChosen) this.list = "errors";
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

  // The button that was pressed is gone when the headers are compared.
  readonly #again = () => void this.#comparison.again(() => void this.#focusNext());

  /** Cancels the opening, or ends the comparison, so that another file can be chosen. */
  readonly #chooseAnother = () => {
    this.#comparison.close();
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
