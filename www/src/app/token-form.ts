import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import { define } from "../ui/define.ts";

/**
 * A field for an access token, and a button that removes the token in use. Events: `gguf-token` (detail: the text) and `gguf-token-remove`.
 * The field is not in a form, because browsers offer to store the passwords of forms.
 */
export class GgufTokenForm extends LitElement {
  /** The host that the token is for; "" if it is not known yet. */
  @property() host = "";
  /** The host that the token in use is for; "" if there is none. */
  @property() used = "";
  /** Whether the token in use was refused. */
  @property({ type: Boolean }) refused = false;
  @property() problem = "";

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        text-align: start;
      }
      label {
        display: block;
        margin-bottom: 6px;
        font-size: var(--gguf-text-control);
        font-weight: 500;
      }
      .line {
        display: flex;
        gap: 8px;
      }
      input {
        flex: 1;
        width: 100%;
        font-family: var(--gguf-mono);
      }
      p {
        margin-top: 6px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
        overflow-wrap: anywhere;
      }
      p.problem {
        color: var(--gguf-danger);
      }
      .used {
        display: flex;
        align-items: center;
        gap: 8px;
        margin: 0 0 10px;
        color: var(--gguf-ink);
        font-size: var(--gguf-text-control);
      }
      .used svg {
        flex: none;
        color: var(--gguf-accent);
      }
      .used button {
        min-height: calc(26 * var(--gguf-unit));
        padding: 0 8px;
        font-size: var(--gguf-text-small);
      }
    `,
  ];

  override focus(): void {
    this.renderRoot.querySelector("input")?.focus();
  }

  /** The text that has not been sent. */
  get pasted(): string {
    return this.renderRoot.querySelector("input")?.value ?? "";
  }

  clear(): void {
    const input = this.renderRoot.querySelector("input");
    if (input) input.value = "";
  }

  override render() {
    const host = this.host === "" ? "the host of the address" : this.host;
    return html`${
        this.used === ""
          ? nothing
          : html`<p class="used">
              ${icons.key}<span
                >${this.refused ? "Access token refused by" : "Access token used for"}
                <strong>${this.used}</strong></span
              ><button type="button" @click=${this.#remove}>Remove</button>
            </p>`
      }
      <label for="token">${this.used === "" ? "Access token" : "Another access token"}</label>
      <div class="line">
        <input
          id="token"
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          placeholder="hf_…"
          aria-describedby="about"
          aria-invalid=${this.problem !== ""}
          @keydown=${this.#onKey}
        />
        <button type="button" @click=${this.#send}>Use token</button>
      </div>
      ${this.problem === "" ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      <p id="about">The token is sent only to ${host}, and is forgotten when this page is closed.</p>`;
  }

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.#send();
  };

  readonly #send = () => {
    this.dispatchEvent(new CustomEvent("gguf-token", { detail: this.pasted, bubbles: true, composed: true }));
  };

  readonly #remove = () => {
    this.dispatchEvent(new CustomEvent("gguf-token-remove", { bubbles: true, composed: true }));
  };
}

define("gguf-token-form", GgufTokenForm);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-token-form": GgufTokenForm;
  }
}
