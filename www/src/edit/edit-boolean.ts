import type { MetadataValue } from "gguf-wasm/explain";
import { css, html, LitElement } from "lit";
import { property, state } from "lit/decorators.js";
import { refusalText } from "../gguf/error-texts.ts";
import { baseStyles } from "../ui/styles.ts";
import type { Apply } from "./edit-control.ts";
import { editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";

/** A switch for a boolean value. */
export class GgufEditBoolean extends LitElement {
  @property({ attribute: false }) value: MetadataValue = false;
  @property() label = "";
  @property({ attribute: false }) apply: Apply = () => undefined;
  @state() private problem = "";

  static override styles = [
    baseStyles,
    editStyles,
    css`
      :host {
        display: grid;
        gap: 4px;
      }
      label {
        display: inline-flex;
        align-items: center;
        gap: 10px;
        justify-self: start;
        min-height: calc(32 * var(--gguf-unit));
        color: var(--gguf-boolean);
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
        cursor: pointer;
      }
      input {
        appearance: none;
        position: relative;
        width: calc(36 * var(--gguf-unit));
        height: calc(20 * var(--gguf-unit));
        margin: 0;
        border: 1px solid var(--gguf-ink-3);
        border-radius: 10px;
        background: var(--gguf-sunken);
        cursor: pointer;
      }
      input::after {
        content: "";
        position: absolute;
        inset: 3px auto 3px 3px;
        aspect-ratio: 1;
        border-radius: 50%;
        background: var(--gguf-ink-3);
        transition: translate 120ms;
      }
      input:checked {
        border-color: var(--gguf-accent);
        background: var(--gguf-accent);
      }
      input:checked::after {
        background: var(--gguf-on-accent);
        translate: 16px 0;
      }
      @media (forced-colors: active) {
        input {
          appearance: auto;
        }
      }
    `,
  ];

  override render() {
    return html`<label
        ><input
          data-value-field
          type="checkbox"
          role="switch"
          aria-label=${this.label}
          .checked=${this.value === true}
          @change=${this.#onChange}
        />${this.value === true ? "true" : "false"}</label
      >
      <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>`;
  }

  readonly #onChange = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const failure = this.apply(input.checked);
    this.problem = failure ? refusalText(failure) : "";
    if (failure) input.checked = this.value === true;
  };
}

define("gguf-edit-boolean", GgufEditBoolean);
