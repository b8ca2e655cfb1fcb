import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { formatInteger } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";

/**
 * A field for one number. The event `gguf-number` reports each valid number while it is typed (detail: the number). An invalid text stays
 * in the field with the reason below it, and is not reported.
 */
export class GgufNumberField extends LitElement {
  @property() label = "";
  /** Undefined leaves the field empty. */
  @property({ attribute: false }) value: number | undefined;
  /** The least number; with `fractions`, the number must be greater. */
  @property({ type: Number }) least = 1;
  @property({ type: Number }) most: number = Number.MAX_SAFE_INTEGER;
  /** Whether numbers may have up to three decimals. */
  @property({ type: Boolean }) fractions = false;
  /** Whether the label is only for screen readers. */
  @property({ type: Boolean }) bare = false;
  /** The unit behind the field. */
  @property() unit = "";
  /** The text in the field while a person types. */
  @state() private draft: string | undefined;

  /** The number that was reported last. */
  #reported: number | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        gap: 4px;
        min-width: 0;
      }
      label {
        font-size: var(--gguf-text-dense);
        font-weight: 600;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
        font-size: var(--gguf-text-dense);
        color: var(--gguf-ink-2);
      }
      input[type="number"] {
        width: 9.5em;
        color: var(--gguf-ink);
      }
      [aria-invalid="true"] {
        border-color: var(--gguf-danger);
      }
      p {
        color: var(--gguf-danger);
        font-size: var(--gguf-text-dense);
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    // The value was changed by something other than this field.
    if (changed.has("value") && this.value !== this.#reported) this.draft = undefined;
  }

  override render() {
    const problem = this.#problem;
    return html`<label for="field" class=${this.bare ? "sr" : ""}>${this.label}</label>
      <span class="line"
        ><input
          id="field"
          type="number"
          min=${this.least}
          max=${this.most}
          step=${this.fractions ? "any" : "1"}
          inputmode=${this.fractions ? "decimal" : "numeric"}
          aria-invalid=${problem !== ""}
          aria-describedby=${problem === "" ? nothing : "problem"}
          .value=${live(this.draft ?? String(this.value ?? ""))}
          @input=${this.#onInput}
          @change=${this.#onChange}
        />${this.unit}</span
      >
      ${problem === "" ? nothing : html`<p id="problem" role="alert">${problem}</p>`}`;
  }

  /** Why the text in the field is not used; "" if it is. */
  get #problem(): string {
    if (this.draft === undefined || this.#numberOf(this.draft) !== undefined) return "";
    const range = `from ${formatInteger(this.least)} to ${formatInteger(this.most)}`;
    return this.fractions
      ? `Enter a number above ${formatInteger(this.least)}, with three decimals at most, up to ${formatInteger(this.most)}.`
      : `Enter a whole number ${range}.`;
  }

  /** The number that a text stands for; undefined if it is not valid. */
  #numberOf(text: string): number | undefined {
    const value = text === "" ? NaN : Number(text);
    if (this.fractions) return value > this.least && value <= this.most && hasThreeDecimals(value) ? value : undefined;
    return Number.isInteger(value) && value >= this.least && value <= this.most ? value : undefined;
  }

  readonly #onInput = (event: Event) => {
    this.draft = (event.target as HTMLInputElement).value;
    const value = this.#numberOf(this.draft);
    if (value === undefined) return;
    this.#reported = value;
    this.dispatchEvent(new CustomEvent("gguf-number", { detail: value }));
  };

  /** Writes a valid number in its usual form when the field is left. */
  readonly #onChange = () => {
    if (this.draft !== undefined && this.#numberOf(this.draft) !== undefined) this.draft = undefined;
  };
}

function hasThreeDecimals(value: number): boolean {
  return Number(value.toFixed(3)) === value;
}

define("gguf-number-field", GgufNumberField);
