import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import "../convert/convert-run.ts";
import { renderFindings, renderSteps } from "../convert/finding-notices.ts";
import { findingGroups } from "../convert/refusals.ts";
import { errorText } from "../gguf/error-texts.ts";
import { type Failure, failureOf, technicalDetails } from "../gguf/failure.ts";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { RowSpace } from "../ui/density.ts";
import { ElementTask } from "../ui/long-task.ts";
import { formatBytes, formatCount } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { capitalised } from "../ui/sentence.ts";
import { baseStyles } from "../ui/styles.ts";
import { listPageStyles } from "../ui/styles/list-page.ts";
import { escapeText } from "../ui/text.ts";
import { WorkGuard } from "../ui/work-guard.ts";
import { type FileChoice, FIRST_CHOICES, type ModelChoices } from "./choices.ts";
import { renderAdapter, renderFacts, renderObstacles } from "./found.ts";
import { hubModelStyles } from "./hub-model-styles.ts";
import "./model-choices.ts";
import { hasEncoders, isAdapter, type ModelDescription, type ModelFolder, type ModelOpening } from "./model-folder.ts";
import { ModelWorker } from "./model-worker.ts";
import { renderFigures, renderProjectorRefusal, renderRefusal } from "./new-file.ts";
import "./planned-contents.ts";
import type { PlannedFile } from "./planned-file.ts";
import { type PlannedFiles, planFiles } from "./planned-files.ts";
import { storedModel } from "./stored-model.ts";

/**
 * Makes GGUF files of a model in the layout of Hugging Face, which is a folder or a repository: of its text, and of its projector.
 * Events: `gguf-listed` when the model is open, `gguf-error` (detail: a `Failure`) when it cannot be opened, `gguf-show-source` (detail: a source of the viewer), and
 * `gguf-open-written`. The slot `help` is shown below a failure, the slot `choose` below the reasons why a model cannot be converted.
 */
export class GgufHubModel extends LitElement {
  /** The files of a folder. It has priority over `place`. */
  @property({ attribute: false }) folder: ModelFolder | undefined;
  /** The repository: `owner/name`, with a revision and a folder if there are any. */
  @property() place = "";
  /** The headers of requests to Hugging Face, for example an access token. */
  @property({ attribute: false }) headers: HeadersInit | undefined;
  @state() private choices: ModelChoices = FIRST_CHOICES;
  /** The new files, as they were planned last. */
  @state() private planned: PlannedFiles | undefined;
  /** Why no projector can be made of the model. */
  @state() private projectorRefusal: Failure | undefined;
  @state() private isRunning = false;
  @state() private announcement = "";

  readonly #work = new WorkGuard(this);
  readonly #opening = new ElementTask<ModelDescription>(this);
  readonly #planning = new ElementTask<PlannedFiles>(this);
  #worker: ModelWorker | undefined;

  constructor() {
    super();
    this.addController(new RowSpace(this));
    this.addEventListener("gguf-announce", (event) => {
      this.announcement = (event as CustomEvent<string>).detail;
    });
  }

  static override styles = [baseStyles, sectionStyles, listPageStyles, hubModelStyles];

  /** Whether `mayLeave` asks. */
  get asksBeforeLeaving(): boolean {
    return this.#work.isRunning;
  }

  /** Whether another model may be opened. Asks the person if a conversion runs. */
  mayLeave(): Promise<boolean> {
    return this.#work.mayEnd();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) void this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("folder") || changed.has("place") || changed.has("headers")) void this.reload();
  }

  /** Opens the model again. */
  async reload(): Promise<void> {
    this.#close();
    const worker = new ModelWorker();
    this.#worker = worker;
    this.choices = FIRST_CHOICES;
    this.projectorRefusal = undefined;
    const opening = this.#given;
    await this.#opening.run((signal) => worker.open(opening, signal));
    if (this.#worker !== worker) return;
    const { state } = this.#opening;
    if (state.name === "failed" && !state.isCancelled)
      this.dispatchEvent(new CustomEvent("gguf-error", { detail: failureOf(state.error, this.#about) }));
    const model = this.#opening.value;
    if (!model) return;
    this.dispatchEvent(new CustomEvent("gguf-listed"));
    announce(this, `${escapeText(model.name, 100)} opened: ${formatCount(model.tensors.length, "tensor")}`);
    await this.#replan();
  }

  /** Releases what was opened. */
  #close(): void {
    this.#planning.reset();
    this.#opening.reset();
    this.#show(undefined);
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.stop();
  }

  /** Asks the page to show the stored tensors. */
  #showStored({ name }: ModelDescription): void {
    this.dispatchEvent(new CustomEvent("gguf-show-source", { detail: storedModel(this.#given, name) }));
  }

  get #given(): ModelOpening {
    if (this.folder) return { folder: this.folder };
    return { repository: this.place, headers: [...new Headers(this.headers)] };
  }

  get #about(): Partial<Failure> {
    return this.folder ? {} : { about: "repository" };
  }

  get #name(): string {
    return this.folder?.name ?? this.place;
  }

  /** Which files are made. */
  #filesOf(model: ModelDescription): FileChoice {
    // The encoders do not need all that the model of the text needs.
    if (model.obstacles.length > 0) return "projector";
    if (!hasEncoders(model) || this.projectorRefusal) return "model";
    // A file with the vocabulary alone has no use for a projector.
    return this.choices.vocabularyOnly && this.choices.files === "both" ? "model" : this.choices.files;
  }

  /** Whether a file can be made of a model, as far as is known before it is planned. */
  #isConvertible({ obstacles, projector }: ModelDescription): boolean {
    return obstacles.length === 0 || projector !== undefined;
  }

  /** Whether a pre-tokenizer has to be chosen first. */
  get #isAsking(): boolean {
    const model = this.#opening.value;
    if (!model || this.#filesOf(model) === "projector") return false;
    return this.choices.pre === "" && model.vocabulary?.probablePreTokenizers !== undefined;
  }

  /** Plans the new files for the current choices. */
  async #replan(): Promise<void> {
    const worker = this.#worker;
    const model = this.#opening.value;
    if (!worker || !model || !this.#isConvertible(model) || this.#isAsking) return;
    const { choices } = this;
    await this.#planning.run((signal) => planFiles(worker, this.#filesOf(model), choices, signal));
    const planned = this.#planning.value;
    if (!planned || this.#worker !== worker || planned === this.planned) return;
    if (planned.refusal) this.projectorRefusal = planned.refusal;
    this.#show(planned);
    const names = planned.list.map(({ fileName }) => escapeText(fileName, 100)).join(" and ");
    const refused = planned.refusal ? ". The projector cannot be made" : "";
    announce(this, `${names}, ${formatBytes(planned.plan.size)}${refused}`);
  }

  #show(planned: PlannedFiles | undefined): void {
    const before = this.planned;
    this.planned = planned;
    // It is shown until the next update.
    if (before) setTimeout(() => void this.updateComplete.then(() => before.free()));
  }

  #change(changes: Partial<ModelChoices>): void {
    if (this.isRunning) return;
    this.choices = { ...this.choices, ...changes };
    if (this.#isAsking) {
      this.#planning.reset();
      this.#show(undefined);
    } else void this.#replan();
  }

  override render() {
    const { state } = this.#opening;
    return html`<div class="page">
        ${
          state.name === "done"
            ? this.#renderModel(state.value)
            : state.name !== "failed"
              ? this.#renderWaiting()
              : state.isCancelled
                ? this.#renderCancelled()
                : this.#renderFailure(failureOf(state.error, this.#about))
        }
      </div>
      ${this.#work.renderQuestion()}
      <div class="sr" role="status">${escapeText(this.announcement, 300)}</div>`;
  }

  #renderWaiting() {
    return html`<div class="state" aria-busy="true">
      <p>Reading the model ${renderText(this.#name, { limit: 300 })}…</p>
      <button type="button" @click=${this.#opening.cancel}>Cancel</button>
    </div>`;
  }

  #renderCancelled() {
    return html`<div class="state">
      <p role="status">Reading the model ${renderText(this.#name, { limit: 300 })} was cancelled.</p>
      <button type="button" @click=${() => this.reload()}>Try again</button>
    </div>`;
  }

  #renderFailure(failure: Failure) {
    const { title, what, next } = errorText(failure);
    return html`<div class="card" role="alert">
      <h2>${title}</h2>
      <p class="name">${renderText(this.#name, { limit: 300 })}</p>
      <p class="what">${renderText(what, { limit: 600 })}</p>
      ${renderSteps(next)}
      <p class="technical">${renderText(technicalDetails(failure, what), { limit: 1000 })}</p>
      <slot name="help"></slot>
      <div class="buttons">
        <button type="button" class="primary" @click=${() => this.reload()}>Try again</button>
      </div>
    </div>`;
  }

  #renderModel(model: ModelDescription) {
    const isOfAdapter = isAdapter(Object.keys(this.folder?.files ?? {}));
    return html`<h2>Convert ${renderText(model.name, { limit: 200 })} to GGUF</h2>
      <p class="hint">
        The new file has the same bytes as that of llama.cpp’s converter. Everything happens in this browser: tensors
        are read while the file is written, and nothing is uploaded.
      </p>
      <section aria-labelledby="found">
        <h3 id="found">Found</h3>
        ${isOfAdapter ? renderAdapter() : html`${renderFacts(model)} ${model.obstacles.length > 0 ? renderObstacles(model, this.folder === undefined) : nothing}`}
        ${this.#isConvertible(model) ? nothing : html`<slot name="choose"></slot>`}
        ${model.tensors.length > 0 ? html`<div class="buttons"><button type="button" @click=${() => this.#showStored(model)}>Look at the stored tensors</button></div>` : nothing}
      </section>
      ${this.#isConvertible(model) ? html`${this.#renderChoices(model)} ${this.#renderFiles(model)}` : nothing}`;
  }

  #renderChoices(model: ModelDescription) {
    const found = this.planned?.list[0]?.header.metadata.get("general.name");
    return html`<section aria-labelledby="choices">
      <h3 id="choices">Choices</h3>
      <gguf-model-choices
        .model=${model}
        .choices=${this.choices}
        .files=${this.#filesOf(model)}
        ?refused=${this.projectorRefusal !== undefined}
        .types=${this.planned?.model?.quantized?.fileTypes() ?? []}
        .foundName=${typeof found === "string" ? found.slice(0, 200) : ""}
        ?disabled=${this.isRunning}
        @gguf-model-choices=${({ detail }: CustomEvent<Partial<ModelChoices>>) => this.#change(detail)}
      ></gguf-model-choices>
    </section>`;
  }

  #renderFiles(model: ModelDescription) {
    const { state } = this.#planning;
    const { planned } = this;
    const isFailed = state.name === "failed" && !state.isCancelled;
    const groups = findingGroups(planned?.model?.quantized?.findings ?? []);
    const isRefused = state.name !== "done" || groups.some(({ severity }) => severity === "error");
    const files = planned?.list ?? [];
    return html`<section aria-labelledby="new-file">
        <h3 id="new-file">${files.length > 1 ? "New files" : "New file"}</h3>
        ${this.#isAsking ? html`<p class="hint">Choose a pre-tokenizer first.</p>` : nothing}
        ${state.name === "running" && !planned ? html`<p class="planning" role="status">Planning…</p>` : nothing}
        ${isFailed ? renderRefusal(failureOf(state.error), () => void this.#replan()) : nothing}
        ${planned && state.name !== "failed" ? this.#renderFigures(planned, model) : nothing}
        ${groups.map(renderFindings)}
        ${this.projectorRefusal && !isFailed ? renderProjectorRefusal(this.projectorRefusal) : nothing}
        ${
          planned
            ? html`<gguf-convert-run
                .plan=${planned.plan}
                .fileNames=${files.map(({ fileName }) => fileName)}
                ?together=${files.length > 1}
                ?refused=${isRefused}
                @gguf-running=${({ detail }: CustomEvent<boolean>) => (this.isRunning = detail)}
              ></gguf-convert-run>`
            : nothing
        }
      </section>
      ${state.name === "failed" ? nothing : files.map((file) => this.#renderContents(file, model))}`;
  }

  #renderFigures({ list }: PlannedFiles, model: ModelDescription) {
    const [only] = list;
    if (only && list.length === 1) return renderFigures(only, model);
    return html`<div class="files">
        ${list.map(
          (file) =>
            html`<div role="group" aria-labelledby="figures-${this.#noun(file)}">
              <h4 id="figures-${this.#noun(file)}">${capitalised(this.#noun(file))}</h4>
              ${renderFigures(file, model)}
            </div>`,
        )}
      </div>
      <p class="hint">Keep both files in one folder. llama.cpp takes the projector with the option --mmproj.</p>`;
  }

  #renderContents(file: PlannedFile, { tensors }: ModelDescription) {
    const about = this.planned?.list.length === 1 ? "" : this.#noun(file);
    return html`<gguf-planned-contents .file=${file} .stored=${tensors} about=${about}></gguf-planned-contents>`;
  }

  #noun(file: PlannedFile): "model" | "projector" {
    return file === this.planned?.projector ? "projector" : "model";
  }
}

define("gguf-hub-model", GgufHubModel);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-hub-model": GgufHubModel;
  }
}
