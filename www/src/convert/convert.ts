import type { ConversionPlan, FileTypeEstimate, GgmlTypeInfo, Imatrix } from "gguf-wasm/convert";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { live } from "lit/directives/live.js";
import { baseName } from "../gguf/base-name.ts";
import { errorText, refusalText } from "../gguf/error-texts.ts";
import { type Failure, failureOf } from "../gguf/failure.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { setName } from "../gguf/shard-set.ts";
import { bitsPerWeight } from "../gguf/tensor-types.ts";
import { CARD_SIZES, DEFAULTS, type MemoryState } from "../memory/memory-state.ts";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatInteger, formatPercent } from "../ui/numbers.ts";
import { panelBoxStyles, sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { type CardFit, cardFit } from "./card-fit.ts";
import { applyChoices, type ChosenType, targetTypes, withChoice, withoutRow } from "./chosen-types.ts";
import { loadConvert } from "./convert-module.ts";
import type { GgufConvertRun } from "./convert-run.ts";
import "./convert-run.ts";
import { convertStyles } from "./convert-styles.ts";
import { convertedName } from "./file-name.ts";
import "./imatrix-field.ts";
import { type FindingGroup, findingGroups } from "./refusals.ts";
import "./target-list.ts";
import type { PatternTypeChoice, TensorTypeChoice } from "./type-table.ts";
import "./type-table.ts";

/** The file type that is chosen at first: what most people use. */
const FIRST_TARGET = "Q4_K_M";

/** The messages of a group that are listed. */
const MOST_MESSAGES = 20;

/** How long the choices must rest before the result is announced, in milliseconds. */
const ANNOUNCE_AFTER = 800;

/** Types of numbers that are not quantised. */
const PLAIN_TYPE = /^(?:B?F|I)\d+$/;

/** Quantises the open model: file types, options, the types of all tensors, and the conversion. */
export class GgufConvert extends LitElement {
  static override properties = {
    model: { attribute: false },
    fileName: {},
    memory: { attribute: false },
    edited: { type: Boolean },
    shown: { type: Boolean },
    plan: { state: true },
    failure: { state: true },
    target: { state: true },
    requantizes: { state: true },
    imatrix: { state: true },
    choices: { state: true },
    card: { state: true },
    fit: { state: true },
    isRunning: { state: true },
    result: { state: true },
    problem: { state: true },
    revision: { state: true },
  };

  declare model: OpenedModel;
  declare fileName: string;
  /** The settings of the memory panel, with which the new file is estimated. */
  declare memory: MemoryState | undefined;
  /** Whether the file is being edited. */
  declare edited: boolean;
  /** Whether the panel is visible. Nothing is loaded before. */
  declare shown: boolean;
  declare private plan: ConversionPlan | undefined;
  /** Why the conversion cannot be planned. */
  declare private failure: Failure | undefined;
  /** The name of the file type. */
  declare private target: string;
  /** Whether quantised tensors may be quantised once more. */
  declare private requantizes: boolean;
  declare private imatrix: Imatrix | undefined;
  declare private choices: readonly ChosenType[];
  /** The memory of the card in GiB. Undefined: that of the memory panel. */
  declare private card: number | undefined;
  declare private fit: CardFit | undefined;
  declare private isRunning: boolean;
  /** What the last pattern has changed, and why a type was refused. */
  declare private result: string;
  declare private problem: string;
  /** Counts the changes of the plan's types. */
  declare private revision: number;

  /** Whether the panel has been visible since the model was opened. A conversion continues while it is hidden. */
  #wasShown = false;
  /** Counts the plans that were asked for. Only the last one is shown. */
  #asked = 0;
  /** The file types, and the options that they were estimated with. */
  #fileTypes: { readonly key: string; readonly list: readonly FileTypeEstimate[] } | undefined;
  #tensorTypes: readonly GgmlTypeInfo[] = [];
  #estimating = 0;
  #announcing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.fileName = "";
    this.memory = undefined;
    this.edited = false;
    this.shown = false;
    this.plan = undefined;
    this.failure = undefined;
    this.target = FIRST_TARGET;
    this.requantizes = false;
    this.imatrix = undefined;
    this.choices = [];
    this.card = undefined;
    this.fit = undefined;
    this.isRunning = false;
    this.result = "";
    this.problem = "";
    this.revision = 0;
  }

  static override styles = [baseStyles, sectionStyles, panelBoxStyles, convertStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#announcing);
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("model")) this.#forget();
    if (this.#wasShown || !this.shown) return;
    this.#wasShown = true;
    void this.#replan();
  }

  override updated(changed: PropertyValues): void {
    const isOther = ["plan", "revision", "memory", "card"].some((name) => changed.has(name));
    if (isOther && this.plan) void this.#estimate(this.plan);
  }

  /** Another model is open. */
  #forget(): void {
    this.renderRoot.querySelector<GgufConvertRun>("gguf-convert-run")?.reset();
    this.#wasShown = false;
    this.#asked += 1;
    this.#fileTypes = undefined;
    this.#setPlan(undefined);
    this.failure = undefined;
    this.fit = undefined;
    this.imatrix = undefined;
    this.requantizes = false;
    this.choices = [];
    this.result = "";
    this.problem = "";
  }

  /** Plans the conversion for the current choices. */
  async #replan(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    const { target: type, requantizes: allowRequantize, imatrix, model } = this;
    this.result = "";
    this.problem = "";
    try {
      const { ggmlTypes, requantize } = await loadConvert();
      const plan = await requantize(model.set ?? model.gguf, { type, allowRequantize, imatrix });
      if (asked !== this.#asked) {
        plan.free();
        return;
      }
      if (this.#tensorTypes.length === 0) this.#tensorTypes = targetTypes(plan, ggmlTypes());
      applyChoices(plan, this.choices);
      this.failure = undefined;
      this.#setPlan(plan);
      this.#announceSoon();
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#setPlan(undefined);
      this.failure = failureOf(error);
    }
  }

  /** Shows another plan. The one before is freed when nothing shows it any more. */
  #setPlan(plan: ConversionPlan | undefined): void {
    const before = this.plan;
    this.plan = plan;
    if (before) setTimeout(() => void this.updateComplete.then(() => before.free()));
  }

  /** Estimates whether the planned file fits the card. */
  async #estimate(plan: ConversionPlan): Promise<void> {
    this.#estimating += 1;
    const estimating = this.#estimating;
    const fit = await cardFit(plan, this.#memorySettings).catch(() => undefined);
    if (estimating === this.#estimating) this.fit = fit;
  }

  get #memorySettings(): MemoryState {
    return { ...this.memory, ...(this.card === undefined ? {} : { card: this.card }) };
  }

  /** The file types with the current options. */
  #targets(plan: ConversionPlan): readonly FileTypeEstimate[] {
    const key = `${this.requantizes} ${this.imatrix?.fileName ?? ""}`;
    if (this.#fileTypes?.key !== key) this.#fileTypes = { key, list: plan.fileTypes() };
    return this.#fileTypes.list;
  }

  override render() {
    if (!this.#wasShown) return nothing;
    const { plan, failure } = this;
    return html`${
      this.edited
        ? html`<p class="about">${icons.info}This panel works with the stored files, without the changes.</p>`
        : nothing
    }
    ${failure ? this.#renderFailure(failure) : plan ? this.#renderPlan(plan) : html`<p class="hint" role="status">Loading…</p>`}`;
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
    return html`<section aria-labelledby="target">
        <h3 id="target">Convert to</h3>
        <p class="hint">The new file has the same bytes as that of llama-quantize. This file is not changed.</p>
        <gguf-target-list
          .types=${this.#targets(plan)}
          .chosen=${this.target}
          ?importance=${this.imatrix !== undefined}
          ?disabled=${this.isRunning}
          @gguf-target=${({ detail }: CustomEvent<string>) => {
            this.target = detail;
            void this.#replan();
          }}
        ></gguf-target-list>
      </section>
      <section aria-labelledby="options">
        <h3 id="options">Options</h3>
        ${this.#renderOptions(plan)}
      </section>
      ${this.#renderNewFile(plan)}
      <section aria-labelledby="tensors">
        <h3 id="tensors">Tensors</h3>
        <p class="hint">
          Norms and other small tensors keep their types. A pattern is a regular expression; a type that is set here
          stays when another file type is chosen.
        </p>
        ${this.#renderByHand()}
        <gguf-type-table
          .tensors=${plan.tensors}
          .types=${this.#tensorTypes}
          .result=${this.result}
          .problem=${this.problem}
          ?disabled=${this.isRunning}
          @gguf-tensor-type=${this.#onTensorType}
          @gguf-pattern-type=${this.#onPatternType}
          @gguf-pattern-typed=${() => {
            this.result = "";
            this.problem = "";
          }}
        ></gguf-type-table>
      </section>`;
  }

  #renderOptions({ tensors }: ConversionPlan) {
    const isQuantised = this.requantizes || tensors.some(({ oldType }) => !PLAIN_TYPE.test(oldType));
    return html`<div class="settings">
      <gguf-imatrix-field
        .imatrix=${this.imatrix}
        ?disabled=${this.isRunning}
        @gguf-imatrix=${({ detail }: CustomEvent<Imatrix | null>) => {
          this.imatrix = detail ?? undefined;
          this.#fileTypes = undefined;
          void this.#replan();
        }}
      ></gguf-imatrix-field>
      <div class="options">
        <label class="check"
          ><input
            type="checkbox"
            aria-describedby="requantize-hint"
            ?disabled=${this.isRunning || !isQuantised}
            .checked=${live(this.requantizes)}
            @change=${(event: Event) => {
              this.requantizes = (event.target as HTMLInputElement).checked;
              void this.#replan();
            }}
          /><span>Allow requantising</span></label
        >
        <p class="hint" id="requantize-hint">
          ${
            isQuantised
              ? "Tensors that are quantised already lose quality a second time. The result is worse than that of the original model with 16 or 32 bits."
              : "This model has no quantised tensors."
          }
        </p>
      </div>
    </div>`;
  }

  #renderNewFile(plan: ConversionPlan) {
    const groups = findingGroups(plan.findings);
    const errors = groups.filter(({ severity }) => severity === "error");
    const { set, gguf } = this.model;
    const sizeBefore = set ? set.fileSize : gguf.fileSize;
    const bitsBefore = bitsPerWeight(gguf.tensors);
    const name = this.#newName;
    return html`<section aria-labelledby="new-file">
      <h3 id="new-file">New file</h3>
      <p class="hint new-name">
        ${renderText(name, { limit: 200 })}${set ? html`, from ${formatCount(set.shards.length, "shard")}` : nothing}
      </p>
      <dl class="figures">
        <div>
          <dt>Size</dt>
          <dd title="${formatInteger(plan.size)} bytes">
            ${formatBytes(plan.size)}
            ${
              sizeBefore === undefined
                ? nothing
                : html`<span class="before"
                    >${formatPercent(plan.size, sizeBefore)} of ${formatBytes(sizeBefore)}</span
                  >`
            }
          </dd>
        </div>
        <div>
          <dt>Bits per weight</dt>
          <dd>
            ${plan.bitsPerWeight.toFixed(2)}
            ${bitsBefore === undefined ? nothing : html`<span class="before">before: ${bitsBefore.toFixed(2)}</span>`}
          </dd>
        </div>
      </dl>
      ${this.#renderCard()} ${groups.map(renderGroup)}
      <gguf-convert-run
        .plan=${plan}
        .fileName=${name}
        ?refused=${errors.length > 0}
        @gguf-running=${({ detail }: CustomEvent<boolean>) => {
          this.isRunning = detail;
        }}
      ></gguf-convert-run>
    </section>`;
  }

  get #newName(): string {
    const { set } = this.model;
    return convertedName(set ? setName(set) : baseName(this.fileName), this.target);
  }

  #renderCard() {
    const { fit } = this;
    const card = this.#memorySettings.card ?? DEFAULTS.card;
    const sizes = CARD_SIZES.includes(card) ? CARD_SIZES : [...CARD_SIZES, card].sort((a, b) => a - b);
    return html`<div class="card">
      <label
        >${this.memory?.shared ? "Memory" : "Card"}
        <select
          @change=${(event: Event) => {
            this.card = Number((event.target as HTMLSelectElement).value);
          }}
        >
          ${sizes.map((size) => html`<option value=${size} .selected=${live(size === card)}>${formatInteger(size)} GiB</option>`)}
        </select></label
      >
      ${
        fit
          ? html`<p class="verdict ${fit.fit}">
              ${fit.fit === "over" || fit.fit === "tight" ? icons.warning : fit.fit === "fits" ? icons.check : nothing}<span
                >${fit.text}${
                  fit.contextLength === undefined
                    ? nothing
                    : ` With a context of ${formatCount(fit.contextLength, "token")}, as in the Memory panel.`
                }</span
              >
            </p>`
          : html`<p class="verdict">Not known whether it fits.</p>`
      }
    </div>`;
  }

  #renderByHand() {
    const { length } = this.choices;
    if (length === 0) return nothing;
    return html`<p class="by-hand">
      <span>${formatCount(length, "choice")} of types by hand or by pattern.</span>
      <button
        type="button"
        class="small"
        ?disabled=${this.isRunning}
        @click=${() => {
          this.#choose([]);
          this.result = "";
        }}
      >
        Discard all
      </button>
    </p>`;
  }

  /** Gives the plan other types. */
  #choose(choices: readonly ChosenType[]): void {
    const { plan } = this;
    if (!plan) return;
    this.choices = choices;
    applyChoices(plan, choices);
    this.revision += 1;
    this.#announceSoon();
  }

  readonly #onTensorType = ({ detail: { row, type } }: CustomEvent<TensorTypeChoice>) => {
    const { plan } = this;
    if (!plan || this.isRunning) return;
    this.result = "";
    this.problem = "";
    try {
      // A choice that the plan refuses is not kept.
      plan.setType(row, type);
      this.#choose(type === undefined ? withoutRow(this.choices, row) : withChoice(this.choices, { row, type }));
    } catch (error) {
      this.problem = refusalText(failureOf(error));
    }
  };

  readonly #onPatternType = ({ detail: { pattern, type } }: CustomEvent<PatternTypeChoice>) => {
    const { plan } = this;
    if (!plan || this.isRunning) return;
    this.result = "";
    this.problem = "";
    try {
      const count = plan.setTypes(pattern, type);
      if (count > 0) this.#choose(withChoice(this.choices, { pattern, type }));
      this.result =
        count === 0
          ? "No tensor that can be quantised matches."
          : `${formatCount(count, "tensor")} ${count === 1 ? "gets" : "get"} the type ${type}.`;
    } catch (error) {
      this.problem = refusalText(failureOf(error));
    }
  };

  #announceSoon(): void {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(() => {
      const { plan, fit } = this;
      if (!plan || !this.shown || this.isRunning) return;
      const refused = findingGroups(plan.findings).find(({ severity }) => severity === "error");
      const figures = `${this.target}: ${formatBytes(plan.size)}, ${plan.bitsPerWeight.toFixed(2)} bits per weight.`;
      announce(this, [figures, fit?.text ?? "", refused ? `Not possible: ${refused.title}.` : ""].join(" ").trim());
    }, ANNOUNCE_AFTER);
  }
}

define("gguf-convert", GgufConvert);

function renderGroup({ severity, title, next, messages }: FindingGroup) {
  const listed = messages.slice(0, MOST_MESSAGES);
  const rest = messages.length - listed.length;
  const isError = severity === "error";
  return html`<div class="notice ${isError ? "bad" : severity}">
    ${isError ? icons.error : severity === "warning" ? icons.warning : icons.info}
    <div>
      <p><strong>${title}.</strong></p>
      ${renderSteps(next)}
      <details>
        <summary>Details</summary>
        <ul>
          ${listed.map((message) => html`<li>${renderText(message, { limit: 600 })}</li>`)}
          ${rest > 0 ? html`<li>and ${formatCount(rest, "more", "more")}</li>` : nothing}
        </ul>
      </details>
    </div>
  </div>`;
}

function renderSteps(steps: readonly string[]) {
  return steps.length === 0
    ? nothing
    : html`<ul>
        ${steps.map((step) => html`<li>${step}</li>`)}
      </ul>`;
}
