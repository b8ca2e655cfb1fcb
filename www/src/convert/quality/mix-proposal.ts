import type { ConversionPlan, ErrorEstimate, TypeMix } from "gguf-wasm/convert";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { refusalText } from "../../gguf/error-texts.ts";
import { failureOf } from "../../gguf/failure.ts";
import { formatError } from "../../gguf/nmse.ts";
import { announce } from "../../ui/announce.ts";
import "../../ui/copy-button.ts";
import { define } from "../../ui/define.ts";
import { formatBytes, formatCount } from "../../ui/numbers.ts";
import { sectionStyles } from "../../ui/panel-styles.ts";
import { baseStyles } from "../../ui/styles.ts";
import type { CardLimit } from "./card-limit.ts";
import { bestWithin, errorOf, qualityPoints, savedText } from "./curve-points.ts";
import { mixCommand } from "./mix-command.ts";

/** Proposes the mix of types with the least error under a size. The event `gguf-mix` reports that it should be used (detail: a `TypeMix`). */
export class GgufMixProposal extends LitElement {
  @property({ attribute: false }) plan: ConversionPlan | undefined;
  @property({ attribute: false }) estimate!: ErrorEstimate;
  @property({ attribute: false }) limit: CardLimit | undefined;
  @property() fileName = "";
  @property() newName = "";
  @property() imatrixName: string | undefined;
  @property({ type: Boolean }) disabled = false;
  /** What is typed, in GB. Undefined: the size that is proposed. */
  @state() private typed: string | undefined;
  @state() private mix: TypeMix | undefined;
  @state() private problem = "";

  static override styles = [
    baseStyles,
    sectionStyles,
    css`
      h4 {
        margin-bottom: 4px;
        font-size: var(--gguf-text-body);
        font-weight: 650;
      }
      .mix {
        margin-top: 10px;
        font-size: var(--gguf-text-control);
      }
      .command {
        position: relative;
        margin-top: 8px;
      }
      pre {
        max-height: 220px;
        margin: 0;
        padding: 10px 44px 10px 12px;
        border-radius: 6px;
        background: var(--gguf-sunken);
        font: var(--gguf-text-small)/1.5 var(--gguf-mono);
        position: relative;
        overflow: auto;
        white-space: pre;
      }
      gguf-copy-button {
        position: absolute;
        top: 8px;
        right: 8px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("estimate")) this.mix = undefined;
  }

  /** The size of the largest file in GB: what fits the card if that is less than the largest file type, otherwise the size of the plan. */
  get #size(): string {
    if (this.typed !== undefined) return this.typed;
    const largest = Math.max(...this.estimate.fileTypes.map(({ size }) => size));
    const { limit, plan } = this;
    const bytes = limit && limit.bytes < largest ? limit.bytes : (plan?.size ?? largest);
    // Rounded up, so that the proposed size is enough for the plan itself.
    return String(Math.ceil(bytes / 1e4) / 1e5);
  }

  override render() {
    const isWrong = this.problem !== "";
    return html`<h4 id="title">Best mix of types</h4>
      <p class="hint">
        Tensors in which a byte saves the most error get more bits. A measured error decides, not a rule of the file
        type.
      </p>
      <form class="fields" novalidate aria-labelledby="title" @submit=${this.#onSubmit}>
        <label
          >Largest file of the mix in GB
          <input
            type="number"
            min="0"
            step="any"
            inputmode="decimal"
            ?disabled=${this.disabled}
            aria-invalid=${isWrong}
            aria-describedby=${isWrong ? "problem" : nothing}
            .value=${live(this.#size)}
            @input=${(event: Event) => {
              this.typed = (event.target as HTMLInputElement).value;
              this.problem = "";
            }}
        /></label>
        <button type="submit" aria-disabled=${this.disabled || this.#size === ""}>Propose a mix</button>
      </form>
      ${isWrong ? html`<p class="problem" id="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.mix ? this.#renderMix(this.mix) : nothing}`;
  }

  #renderMix(mix: TypeMix) {
    const command = mixCommand(mix, { input: this.fileName, output: this.newName, imatrix: this.imatrixName });
    const count = new Set(mix.types).size;
    return html`<div class="mix">
      <p>
        ${formatCount(count, "type")} in ${formatBytes(mix.size)}, with an error of about
        ${formatError(errorOf(mix))}${this.#comparison(mix)}.
      </p>
      <div class="buttons">
        <button
          type="button"
          ?disabled=${this.disabled}
          @click=${() => {
            this.dispatchEvent(new CustomEvent("gguf-mix", { detail: mix }));
            announce(this, "The tensors have the types of the mix.");
          }}
        >
          Use this mix
        </button>
      </div>
      <div class="command">
        <pre tabindex="0" role="region" aria-label="Command of llama-quantize">${command}</pre>
        <gguf-copy-button .text=${() => command} label="Copy the command"></gguf-copy-button>
      </div>
    </div>`;
  }

  /** The mix beside the best file type that is not larger. */
  #comparison(mix: TypeMix): string {
    const best = bestWithin(qualityPoints(this.estimate), mix.size);
    return best ? `: ${savedText(best.error, errorOf(mix))} than that of ${best.name} (${formatBytes(best.size)})` : "";
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!this.disabled) void this.#propose();
  };

  async #propose(): Promise<void> {
    const { plan, estimate } = this;
    const bytes = Number(this.#size) * 1e9;
    if (!plan || !(bytes > 0)) return;
    this.problem = "";
    try {
      this.mix = await plan.proposeMix(estimate, bytes);
      if (!this.mix) {
        const least = Math.min(...estimate.fileTypes.map(({ size }) => size));
        this.problem = `No mix is as small. The smallest file type has ${formatBytes(least)}.`;
        return;
      }
      announce(this, `A mix has ${formatBytes(this.mix.size)}, error ${formatError(errorOf(this.mix))}`);
    } catch (error) {
      this.problem = refusalText(failureOf(error));
    }
  }
}

define("gguf-mix-proposal", GgufMixProposal);
