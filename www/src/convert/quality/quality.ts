import type { ConversionPlan, ErrorEstimate, FileTypeEstimate, TypeMix } from "gguf-wasm/convert";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { errorText as failureText } from "../../gguf/error-texts.ts";
import { failureOf } from "../../gguf/failure.ts";
import { ABOUT_ERROR } from "../../gguf/nmse.ts";
import type { OpenedModel } from "../../gguf/opened-model.ts";
import type { Machine } from "../../memory/machine.ts";
import type { MemoryState } from "../../memory/memory-state.ts";
import { define } from "../../ui/define.ts";
import { icons } from "../../ui/icons.ts";
import { formatInteger } from "../../ui/numbers.ts";
import { sectionStyles } from "../../ui/panel-styles.ts";
import { renderProgressBar } from "../../ui/progress-bar.ts";
import { renderText } from "../../ui/render-text.ts";
import { baseStyles } from "../../ui/styles.ts";
import { taskStyles } from "../../ui/task-progress.ts";
import type { ConvertSettings } from "../settings.ts";
import { type CardLimit, cardLimits } from "./card-limit.ts";
import { meanError, plannedErrors, qualityPoints } from "./curve-points.ts";
import "./mix-proposal.ts";
import { QualityTask } from "./quality-task.ts";
import "./quality-curve.ts";
import "./tried-tensor.ts";

/**
 * The quality of all file types before anything is written. The event `gguf-target` reports a chosen file type (detail: its name),
 * `gguf-mix` a mix that should be used (detail: a `TypeMix`), and `gguf-estimate` what is known of the errors (detail: an `ErrorEstimate`, or
 * undefined).
 */
export class GgufConvertQuality extends LitElement {
  @property({ attribute: false }) model!: OpenedModel;
  @property({ attribute: false }) settings!: ConvertSettings;
  @property({ attribute: false }) plan: ConversionPlan | undefined;
  @property({ attribute: false }) fileTypes: readonly FileTypeEstimate[] = [];
  /** The settings of the memory panel. */
  @property({ attribute: false }) memory: MemoryState = {};
  @property({ attribute: false }) machine: Machine = {};
  /** The name of the model's file, and of the new one. */
  @property() fileName = "";
  @property() newName = "";
  /** Whether the rows of the model come from a server. They are read when the person asks for them. */
  @property({ type: Boolean }) remote = false;
  /** Whether a conversion runs. */
  @property({ type: Boolean }) disabled = false;
  /** Whether the types of the plan are not those of its file type. */
  @property({ type: Boolean }) own = false;
  /** The largest files for the cards of the person: the last one is that for all of them. */
  @state() private limits: readonly CardLimit[] = [];

  readonly #task = new QualityTask(this);
  #told: ErrorEstimate | undefined;
  /** Whether a conversion has stopped the estimate. */
  #isStopped = false;
  #limitsOf: readonly unknown[] = [];

  static override styles = [
    baseStyles,
    sectionStyles,
    taskStyles,
    css`
      .start {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 12px;
        margin-top: 10px;
      }
      gguf-quality-curve {
        margin-top: 14px;
      }
      gguf-mix-proposal,
      gguf-tried-tensor {
        margin-top: 18px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    const { model, settings } = this;
    const isAsked = this.#task.isOf(model, settings);
    if ((changed.has("model") || changed.has("settings")) && !isAsked) {
      this.#task.forget();
      this.#isStopped = false;
    }
    // A conversion gets all processors. The person can begin the estimate again.
    if (this.disabled && this.#task.state.name === "running") {
      this.#task.forget();
      this.#isStopped = true;
    }
    const isWanted = !this.remote && !this.disabled && !this.#isStopped && this.#isPossible;
    if (isWanted && this.#task.state.name === "idle") this.#start();
  }

  override updated(): void {
    if (this.#told !== this.#task.known) {
      this.#told = this.#task.known;
      this.dispatchEvent(new CustomEvent("gguf-estimate", { detail: this.#told }));
    }
    void this.#findLimits();
  }

  /** Whether there are file types to compare. A model that is quantized already may only keep its type. */
  get #isPossible(): boolean {
    return this.plan !== undefined && this.fileTypes.filter(({ isPossible }) => isPossible).length > 2;
  }

  #start(): void {
    this.#task.start(this.model, this.settings);
  }

  /** Finds the largest files that fit the cards. They change little from one file type to another. */
  async #findLimits(): Promise<void> {
    const { plan, memory, machine, model, settings } = this;
    const of = [model, settings.target, JSON.stringify([memory, machine])];
    if (!plan || of.every((one, i) => one === this.#limitsOf[i])) return;
    this.#limitsOf = of;
    const limits = await cardLimits(plan, memory, machine).catch(() => []);
    if (this.#limitsOf === of) this.limits = limits;
  }

  override render() {
    if (!this.#isPossible) return html`<p class="hint">With these options, there are no file types to compare.</p>`;
    const { known, state } = this.#task;
    return html`<p class="hint">
        Some rows of each tensor are quantized, and compared with the original. ${ABOUT_ERROR}
      </p>
      ${this.#renderTask()} ${known ? this.#renderCurve(known) : nothing}
      ${
        known && state.name === "done"
          ? html`<gguf-mix-proposal
              .plan=${this.plan}
              .estimate=${known}
              .limit=${this.limits.at(-1)}
              .fileName=${this.fileName}
              .newName=${this.newName}
              .imatrixName=${this.settings.imatrix?.fileName}
              ?disabled=${this.disabled}
              @gguf-mix=${({ detail }: CustomEvent<TypeMix>) => this.#report("gguf-mix", detail)}
            ></gguf-mix-proposal>`
          : nothing
      }
      ${
        known && this.plan
          ? html`<gguf-tried-tensor
              .plan=${this.plan}
              .tensors=${this.plan.tensors}
              ?disabled=${this.disabled}
            ></gguf-tried-tensor>`
          : nothing
      }`;
  }

  #renderTask() {
    const { state } = this.#task;
    if (state.name === "idle")
      return html`<div class="start buttons">
        <button type="button" ?disabled=${this.disabled} @click=${() => this.#start()}>Estimate the quality</button>
        ${this.remote ? html`<span class="hint">Rows of all tensors are read from the server, at most 100 MB.</span>` : nothing}
      </div>`;
    if (state.name === "running") {
      const { progress } = state;
      const share = progress && progress.done / Math.max(1, progress.total);
      return html`<div class="task">
        ${renderProgressBar("Tensors tried", share)}
        <p class="task-text">
          ${progress ? `${formatInteger(progress.done)} of ${formatInteger(progress.total)} tensors tried` : "Starting…"}
        </p>
        <button type="button" aria-disabled=${state.isCancelling} @click=${this.#task.cancel}>Cancel</button>
      </div>`;
    }
    if (state.name !== "failed") return nothing;
    if (state.isCancelled)
      return html`<div class="start buttons">
        <button type="button" @click=${() => this.#start()}>Estimate the quality</button>
      </div>`;
    const { title, what } = failureText(failureOf(state.error));
    // The estimate began by itself, so its failure does not interrupt what is read.
    return html`<div class="notice bad">
      ${icons.error}
      <div>
        <p><strong>${title}.</strong> ${renderText(what, { limit: 600 })}</p>
        <div class="buttons"><button type="button" @click=${() => this.#start()}>Try again</button></div>
      </div>
    </div>`;
  }

  #renderCurve(known: ErrorEstimate) {
    const { plan, own } = this;
    const error = own && plan ? meanError(known.tensors, plannedErrors(known, plan.tensors)) : undefined;
    return html`<gguf-quality-curve
      .points=${qualityPoints(known)}
      .chosen=${this.settings.target}
      .own=${plan && error ? { size: plan.size, error } : undefined}
      .limits=${this.limits}
      .fileName=${this.fileName}
      ?disabled=${this.disabled}
      @gguf-target=${({ detail }: CustomEvent<string>) => this.#report("gguf-target", detail)}
    ></gguf-quality-curve>`;
  }

  #report(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

define("gguf-convert-quality", GgufConvertQuality);
