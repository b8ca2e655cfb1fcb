import { css, html, LitElement, nothing } from "lit";
import { base } from "../elements/styles.ts";
import { AddressError, fetchableAddress } from "../logic/address.ts";

/** Where an address is typed; sends `gguf-address` with the address to fetch. */
export class GgufOpenField extends LitElement {
  static override properties = { value: {}, large: { type: Boolean, reflect: true }, problem: { state: true } };

  declare value: string;
  declare large: boolean;
  declare private problem: string;

  constructor() {
    super();
    this.value = "";
    this.large = false;
    this.problem = "";
  }

  static override styles = [
    base,
    css`
      :host {
        display: block;
        position: relative;
      }
      form {
        display: flex;
        gap: 8px;
      }
      input {
        flex: 1;
        width: 100%;
        text-overflow: ellipsis;
      }
      :host(:not([large])) input {
        font-family: var(--gguf-mono);
        font-size: 12px;
      }
      :host([large]) input,
      :host([large]) button {
        min-height: 46px;
        border-radius: 8px;
        font-size: 15px;
      }
      :host([large]) input {
        padding: 0 14px;
      }
      :host([large]) button {
        padding: 0 22px;
        font-weight: 600;
      }
      p {
        margin-top: 8px;
        color: var(--gguf-danger);
        font-size: 13px;
      }
      :host(:not([large])) p {
        position: absolute;
        z-index: 5;
        inset: calc(100% + 2px) 0 auto;
        margin: 0;
        padding: 8px 12px;
        border: 1px solid var(--gguf-line);
        border-radius: 6px;
        background: var(--gguf-surface);
        box-shadow: 0 6px 20px rgb(0 0 0 / 15%);
      }
      input[aria-invalid="true"] {
        border-color: var(--gguf-danger);
      }
      @media (pointer: coarse) {
        :host(:not([large])) input {
          font-size: 16px;
        }
      }
    `,
  ];

  override focus(): void {
    this.renderRoot.querySelector("input")?.focus();
  }

  override render() {
    const invalid = this.problem !== "";
    return html`<form @submit=${this.#submit} novalidate>
        <input
          type="url"
          inputmode="url"
          aria-label="Address of a GGUF file"
          placeholder=${this.large ? "https://huggingface.co/…/model.gguf" : "Address of a .gguf file"}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${this.value}
          aria-invalid=${invalid}
          aria-describedby=${invalid ? "problem" : nothing}
          @input=${this.#clear}
          @blur=${this.large ? nothing : this.#clear}
        />
        <button type="submit" class=${this.large ? "primary" : ""}>Open</button>
      </form>
      ${invalid ? html`<p id="problem" role="alert">${this.problem}</p>` : nothing}`;
  }

  readonly #clear = () => {
    this.problem = "";
  };

  readonly #submit = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = this.renderRoot.querySelector("input")?.value ?? "";
    try {
      const detail = fetchableAddress(typed, document.baseURI);
      this.problem = "";
      this.dispatchEvent(new CustomEvent("gguf-address", { detail, bubbles: true, composed: true }));
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      this.problem = error.message;
      this.focus();
    }
  };
}
