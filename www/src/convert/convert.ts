import type { ConversionPlan, ErrorEstimate, TensorQuality, TypeMix } from "gguf-wasm/convert";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { baseName } from "../gguf/base-name.ts";
import { errorText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import { loadFull } from "../gguf/full.ts";
import { isGgufModel, type OpenedModel } from "../gguf/opened-model.ts";
import { setName } from "../gguf/shard-set.ts";
import type { Machine } from "../memory/machine.ts";
import type { MemoryState } from "../memory/memory-state.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { panelBoxStyles, sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { linkButtonStyles } from "../ui/styles/link-button.ts";
import { type CardFit, cardFit } from "./card-fit.ts";
import "./convert-options.ts";
import type { GgufConvertRun } from "./convert-run.ts";
import "./convert-run.ts";
import { convertStyles } from "./convert-styles.ts";
import { convertedName } from "./file-name.ts";
import { firstTarget } from "./first-target.ts";
import { renderFindings, renderSteps } from "./finding-notices.ts";
import { figuresOf, type ModelFigures, renderCard, renderFigures } from "./new-file.ts";
import { PlanAnnouncement } from "./plan-announcement.ts";
import { Planner } from "./planner.ts";
import { elementCounts, meanError, measuredWords, plannedErrors } from "./quality/curve-points.ts";
import "./quality/quality.ts";
import { findingGroups } from "./refusals.ts";
import { type ConvertSettings, FIRST_SETTINGS, settingProblems } from "./settings.ts";
import "./size-limit.ts";
import "./target-list.ts";
import { TypeChoices } from "./type-choices.ts";
import type { PatternTypeChoice, TensorTypeChoice } from "./type-table.ts";
import "./type-table.ts";

/** Types of numbers that are not quantized. */
const PLAIN_TYPE = /^(?:B?F|I)\d+$/;

/** Quantizes the open model: file types, options, the types of all tensors, and the conversion. */
export class GgufConvert extends LitElement {
  @property({ attribute: false }) model!: OpenedModel;
  @property() fileName = "";
  /** The address of the model, and the HTTP headers for its origin. */
  @property() address: string | undefined;
  @property({ attribute: false }) headers: HeadersInit | undefined;
  /** The settings of the memory panel, with which the new file is estimated. */
  @property({ attribute: false }) memory: MemoryState | undefined;
  /** The machine for which it is estimated. */
  @property({ attribute: false }) machine: Machine = {};
  /** Whether the file is being edited. */
  @property({ type: Boolean }) edited = false;
  /** Whether the panel is visible. Nothing is loaded before. */
  @property({ type: Boolean }) shown = false;
  @state() private settings: ConvertSettings = FIRST_SETTINGS;
  @state() private fit: CardFit | undefined;
  @state() private isRunning = false;
  /** The measured errors of the last conversion, by the positions of the tensors. */
  @state() private errors: ReadonlyMap<number, number> = new Map();
  /** What is known of the errors before a conversion. */
  @state() private estimate: ErrorEstimate | undefined;

  readonly #planner = new Planner(this);
  readonly #types = new TypeChoices(this, this.#planner, () => {
    this.errors = new Map();
    this.#announcement.soon();
  });
  readonly #announcement = new PlanAnnouncement(this, () => {
    const { plan } = this.#planner;
    return plan && this.shown && !this.isRunning ? { plan, target: this.settings.target, fit: this.fit } : undefined;
  });
  /** Whether the panel has been visible since the model was opened. A conversion continues while it is hidden. */
  #wasShown = false;
  /** The figures of the open model. It may be freed while a conversion that was cancelled still ends. */
  #before: ModelFigures = { size: undefined, bits: undefined };
  #shardName: ((prefix: string, number: number, count: number) => string) | undefined;
  /** The revision of the plan that was estimated. */
  #estimated = 0;
  #estimating = 0;
  /** Whether a person has chosen a file type, for this model or for one before it. Otherwise the panel chooses one for each model. */
  #hasChosen = false;
  /** Whether the panel still has to choose one for this model. */
  #choosesFirst = true;

  static override styles = [baseStyles, linkButtonStyles, sectionStyles, panelBoxStyles, convertStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#announcement.cancel();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("model")) this.#forget();
    if (this.#wasShown || !this.shown) return;
    this.#wasShown = true;
    this.#before = figuresOf(this.model);
    void this.#replan();
  }

  override updated(changed: PropertyValues): void {
    const { plan, revision } = this.#planner;
    const isOther = this.#estimated !== revision || changed.has("memory") || changed.has("machine");
    this.#estimated = revision;
    if (isOther && plan) void this.#estimate(plan);
  }

  /** Another model is open. */
  #forget(): void {
    this.renderRoot.querySelector<GgufConvertRun>("gguf-convert-run")?.reset();
    this.#wasShown = false;
    this.#planner.forget();
    this.settings = { ...FIRST_SETTINGS, ...(this.#hasChosen ? { target: this.settings.target } : {}) };
    this.#choosesFirst = !this.#hasChosen;
    this.#types.forget();
    this.fit = undefined;
    this.errors = new Map();
    this.estimate = undefined;
  }

  /** Plans the conversion for the current choices. */
  async #replan(): Promise<void> {
    this.#types.tell("", "");
    if (Object.keys(settingProblems(this.settings)).length > 0) return;
    if (this.settings.keepSplit) this.#shardName ??= (await loadFull().catch(() => undefined))?.shardName;
    // The person may have changed them in the meantime.
    const { model, settings } = this;
    const { choices } = this.#types;
    if (!(await this.#planner.make({ model, settings, choices }))) return;
    if (this.#choosesFirst) this.#chooseFirst();
    this.#announcement.soon();
  }

  /** Chooses a type that makes the model smaller. The sizes of the types are known once there is a plan. */
  #chooseFirst(): void {
    this.#choosesFirst = false;
    const target = firstTarget(this.#planner.fileTypes, this.#before.size);
    if (target !== this.settings.target) this.#change({ target });
  }

  #change(settings: Partial<ConvertSettings>): void {
    if (this.isRunning) return;
    this.settings = { ...this.settings, ...settings };
    this.errors = new Map();
    void this.#replan();
  }

  /** Another file type replaces a mix: otherwise the mix would leave it no tensor. */
  #chooseTarget(target: string): void {
    this.#hasChosen = true;
    this.#choosesFirst = false;
    if (!this.isRunning && this.#types.isMix) this.#types.forget();
    this.#change({ target });
  }

  #useMix({ fileType, types }: TypeMix): void {
    const ofType = this.estimate?.fileTypes.find(({ name }) => name === fileType)?.types;
    if (this.isRunning || !ofType) return;
    this.#types.useMix(types.flatMap((type, row) => (type === ofType[row] ? [] : [{ row, type }])));
    this.#change({ target: fileType });
  }

  /** Estimates whether the planned file fits the card. */
  async #estimate(plan: ConversionPlan): Promise<void> {
    this.#estimating += 1;
    const estimating = this.#estimating;
    const fit = await cardFit(plan, this.memory ?? {}, this.machine).catch(() => undefined);
    if (estimating === this.#estimating) this.fit = fit;
  }

  override render() {
    if (!this.#wasShown) return nothing;
    const { plan, failure } = this.#planner;
    return html`${
      this.edited
        ? html`<p class="about">${icons.info}This panel works with the stored files, without the changes.</p>`
        : nothing
    }
    ${plan ? this.#renderPlan(plan) : failure ? this.#renderFailure(failure) : html`<p class="hint" role="status">Loading…</p>`}`;
  }

  #renderFailure(failure: Failure) {
    const { title, what, next } = errorText(failure);
    return html`<div class="notice bad" role="alert">
      ${icons.error}
      <div>
        <p><strong>${title}.</strong> ${renderText(what, { limit: 600 })}</p>
        ${renderSteps(next)}
        <div class="buttons"><button type="button" @click=${() => this.#replan()}>Try again</button></div>
      </div>
    </div>`;
  }

  #renderPlan(plan: ConversionPlan) {
    const { settings, isRunning } = this;
    const chooseTarget = ({ detail: target }: CustomEvent<string>) => this.#chooseTarget(target);
    return html`<div class="choices">
        <section class="target" aria-labelledby="target">
          <h3 id="target">Convert to</h3>
          <p class="hint">The new file has the same bytes as that of llama-quantize. This file is not changed.</p>
          <gguf-target-list
            .types=${this.#planner.fileTypes}
            .chosen=${settings.target}
            ?importance=${settings.imatrix !== undefined}
            ?disabled=${isRunning}
            @gguf-target=${chooseTarget}
          ></gguf-target-list>
          <gguf-size-limit .plan=${plan} ?disabled=${isRunning} @gguf-target=${chooseTarget}></gguf-size-limit>
        </section>
        ${this.#renderNewFile(plan)}
        <section class="options" aria-labelledby="options">
          <h3 id="options">Options</h3>
          <gguf-convert-options
            .settings=${settings}
            .types=${this.#planner.tensorTypes}
            .address=${this.address}
            .headers=${this.headers}
            ?quantized=${settings.allowRequantize || plan.tensors.some(({ oldType }) => !PLAIN_TYPE.test(oldType))}
            ?split=${this.model.set !== undefined}
            ?disabled=${isRunning}
            @gguf-settings=${({ detail }: CustomEvent<Partial<ConvertSettings>>) => this.#change(detail)}
          ></gguf-convert-options>
        </section>
      </div>
      <section aria-labelledby="quality">
        <h3 id="quality" tabindex="-1">Quality</h3>
        <gguf-convert-quality
          .model=${this.model}
          .settings=${settings}
          .plan=${plan}
          .fileTypes=${this.#planner.fileTypes}
          .memory=${this.memory ?? {}}
          .machine=${this.machine}
          .fileName=${this.fileName}
          .newName=${this.#newNames(plan)[0] ?? ""}
          ?remote=${this.address !== undefined}
          ?own=${this.#types.choices.length > 0}
          ?disabled=${isRunning}
          @gguf-target=${chooseTarget}
          @gguf-mix=${({ detail }: CustomEvent<TypeMix>) => this.#useMix(detail)}
          @gguf-estimate=${({ detail }: CustomEvent<ErrorEstimate | undefined>) => {
            this.estimate = detail;
          }}
        ></gguf-convert-quality>
      </section>
      ${this.#renderTensors(plan)}`;
  }

  #renderNewFile(plan: ConversionPlan) {
    const { failure } = this.#planner;
    const groups = findingGroups(plan.findings);
    const isWrong = failure !== undefined || Object.keys(settingProblems(this.settings)).length > 0;
    const names = this.#newNames(plan);
    const { set } = this.model;
    return html`<section class="new-file" aria-labelledby="new-file">
      <h3 id="new-file">New file</h3>
      <p class="hint new-name">
        ${renderText(names[0] ?? "", { limit: 200 })}${names.length > 1 ? ` and ${formatCount(names.length - 1, "more", "more")}` : nothing}${set ? html`, from ${formatCount(set.shards.length, "shard")}` : nothing}
      </p>
      ${renderFigures(plan, this.#before, this.#meanEstimate(plan), this.#showQuality)}
      ${renderCard(this.fit, this.machine)} ${failure ? this.#renderFailure(failure) : groups.map(renderFindings)}
      <gguf-convert-run
        .plan=${plan}
        .fileNames=${names}
        ?comparable=${!this.edited && isGgufModel(this.model)}
        ?refused=${isWrong || groups.some(({ severity }) => severity === "error")}
        @gguf-running=${({ detail }: CustomEvent<boolean>) => {
          this.isRunning = detail;
          if (detail) this.errors = new Map();
        }}
        @gguf-quality=${({ detail }: CustomEvent<readonly TensorQuality[]>) => {
          this.errors = new Map([...this.errors, ...detail.map((one) => [one.row, one.normalisedError] as const)]);
        }}
      ></gguf-convert-run>
      ${this.#renderMeasured(plan)}
    </section>`;
  }

  /** The names of the new files: one, or one for each shard that is kept. */
  #newNames(plan: ConversionPlan): string[] {
    const { set } = this.model;
    const name = convertedName(set ? setName(set) : baseName(this.fileName), this.settings.target);
    const { length } = plan.files;
    const shardName = this.#shardName;
    if (length === 1 || !shardName) return [name];
    return plan.files.map((_, i) => shardName(name.replace(/\.gguf$/, ""), i + 1, length));
  }

  /** Whether the errors of a conversion are known, at least of some tensors. */
  get #isMeasured(): boolean {
    return this.settings.nmse && this.errors.size > 0;
  }

  /** What is estimated of the plan: beside measured errors, as these are measured. */
  #estimatedErrors(plan: ConversionPlan): ReadonlyMap<number, number> | undefined {
    return this.estimate && plannedErrors(this.estimate, plan.tensors, this.#isMeasured ? "equal" : "importance");
  }

  /** The estimated error of all weights. Undefined until it is known. */
  #meanEstimate(plan: ConversionPlan): number | undefined {
    const known = this.estimate;
    return known && meanError(known.tensors, plannedErrors(known, plan.tensors));
  }

  readonly #showQuality = () => {
    const heading = this.renderRoot.querySelector<HTMLElement>("#quality");
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView();
  };

  /** The error of the whole conversion beside its estimate. */
  #renderMeasured(plan: ConversionPlan) {
    if (!this.#isMeasured || this.isRunning) return nothing;
    const words = measuredWords(elementCounts(plan), this.errors, this.#estimatedErrors(plan));
    return words === "" ? nothing : html`<p class="hint measured">${words}</p>`;
  }

  #renderTensors(plan: ConversionPlan) {
    const isMeasured = this.#isMeasured;
    const estimated = this.#estimatedErrors(plan);
    const errors = isMeasured ? this.errors : (estimated ?? (this.settings.nmse ? this.errors : undefined));
    return html`<section aria-labelledby="tensors">
      <h3 id="tensors">Tensors</h3>
      <p class="hint">
        Norms and other small tensors keep their types. A pattern is a regular expression; a type that is set here stays
        when another file type is chosen.
      </p>
      ${this.#renderByHand()}
      <gguf-type-table
        .tensors=${plan.tensors}
        .errors=${errors}
        ?estimated=${!isMeasured}
        .estimates=${isMeasured ? estimated : undefined}
        .types=${this.#planner.tensorTypes}
        .result=${this.#types.result}
        .problem=${this.#types.problem}
        ?disabled=${this.isRunning}
        @gguf-tensor-type=${({ detail }: CustomEvent<TensorTypeChoice>) => !this.isRunning && this.#types.setType(detail)}
        @gguf-pattern-type=${({ detail }: CustomEvent<PatternTypeChoice>) => !this.isRunning && this.#types.setTypes(detail)}
        @gguf-pattern-typed=${() => this.#types.tell("", "")}
      ></gguf-type-table>
    </section>`;
  }

  #renderByHand() {
    const { length } = this.#types.choices;
    if (length === 0) return nothing;
    return html`<p class="by-hand">
      <span>${formatCount(length, "choice")} of types by hand or by pattern.</span>
      <button type="button" class="small" ?disabled=${this.isRunning} @click=${() => this.#types.discardAll()}>
        Discard all
      </button>
    </p>`;
  }
}

define("gguf-convert", GgufConvert);
