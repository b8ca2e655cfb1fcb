import type { ConversionPlan } from "gguf-wasm/convert";
import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { formatBytes } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { baseStyles } from "../ui/styles.ts";

const UNITS = { GB: 1e9, MB: 1e6, GiB: 2 ** 30 } as const;

type Unit = keyof typeof UNITS;

/** Finds the largest file type whose file fits into a size. The event `gguf-target` reports its name (detail: a string). */
export class GgufSizeLimit extends LitElement {
  @property({ attribute: false }) plan: Pick<ConversionPlan, "largestFileType"> | undefined;
  @property({ type: Boolean }) disabled = false;
  @state() private typed = "";
  @state() private unit: Unit = "GB";
  @state() private problem = "";

  static override styles = [
    baseStyles,
    sectionStyles,
    css`
      button {
        white-space: normal;
      }
    `,
  ];

  override render() {
    const isWrong = this.problem !== "";
    return html`<form class="fields" novalidate @submit=${this.#onSubmit}>
        <label
          >Largest file
          <input
            type="number"
            min="0"
            step="any"
            inputmode="decimal"
            placeholder="8"
            ?disabled=${this.disabled}
            aria-invalid=${isWrong}
            aria-describedby=${isWrong ? "problem" : nothing}
            .value=${live(this.typed)}
            @input=${(event: Event) => {
              this.typed = (event.target as HTMLInputElement).value;
              this.problem = "";
            }}
        /></label>
        <label
          >Unit
          <select
            ?disabled=${this.disabled}
            @change=${(event: Event) => {
              this.unit = (event.target as HTMLSelectElement).value as Unit;
              this.problem = "";
            }}
          >
            ${Object.keys(UNITS).map((unit) => html`<option .selected=${live(unit === this.unit)}>${unit}</option>`)}
          </select></label
        >
        <button type="submit" aria-disabled=${this.disabled || this.typed === ""}>
          Choose the best type that fits
        </button>
      </form>
      ${isWrong ? html`<p class="problem" id="problem" role="alert">${this.problem}</p>` : nothing}`;
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const { plan, typed, unit } = this;
    if (!plan || this.disabled || typed === "") return;
    const bytes = Number(typed) * UNITS[unit];
    const found = bytes > 0 ? plan.largestFileType(bytes) : undefined;
    if (!found) {
      this.problem = "No file type makes a file of this size that can be written with these options.";
      return;
    }
    this.problem = "";
    announce(this, `${found.name}: ${formatBytes(found.size)}`);
    this.dispatchEvent(new CustomEvent("gguf-target", { detail: found.name }));
  };
}

define("gguf-size-limit", GgufSizeLimit);
