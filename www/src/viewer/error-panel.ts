import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { errorText, isPackageCode } from "../gguf/error-texts.ts";
import { type Failure, technicalDetails } from "../gguf/failure.ts";
import { linkTarget, escapeText } from "../ui/text.ts";
import { renderText } from "../ui/render-text.ts";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import { define } from "../ui/define.ts";
import { rowLink } from "../ui/documentation.ts";
import { technicalStyles } from "../ui/styles/notices.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** Explains a failure, and what to do about it. */
export class GgufErrorPanel extends LitElement {
  @property({ attribute: false }) failure!: Failure;
  @property() name = "";
  @property({ type: Boolean }) retryable = false;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        place-items: center;
        align-content: center;
        padding: 32px 16px;
      }
      .card {
        width: min(100%, calc(600 * var(--gguf-unit)));
        padding: 24px;
        border: 1px solid var(--gguf-line);
        border-radius: var(--gguf-radius);
        background: var(--gguf-surface);
      }
      header {
        display: flex;
        gap: 12px;
        align-items: flex-start;
      }
      header svg {
        flex: none;
        width: calc(22 * var(--gguf-unit));
        height: calc(22 * var(--gguf-unit));
        margin-top: 2px;
        color: var(--gguf-danger);
      }
      .cancelled header svg {
        color: var(--gguf-ink-3);
      }
      h2 {
        font-size: var(--gguf-text-title);
        font-weight: 650;
        line-height: 1.35;
        text-wrap: balance;
      }
      .name {
        margin-top: 2px;
        color: var(--gguf-ink-2);
        font: var(--gguf-text-small)/1.5 var(--gguf-mono);
        overflow-wrap: anywhere;
      }
      .what {
        margin-top: 14px;
        max-width: 62ch;
      }
      ul {
        margin-top: 12px;
        padding-inline-start: 1.2em;
        list-style: disc;
        color: var(--gguf-ink-2);
      }
      li {
        margin-top: 4px;
      }
      li::marker {
        color: var(--gguf-ink-3);
      }
      ${technicalStyles}
      .about {
        margin-top: 12px;
        font-size: var(--gguf-text-dense);
      }
      ::slotted([slot="help"]) {
        display: block;
        margin-top: 16px;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        margin-top: 18px;
      }
      .actions > * {
        white-space: normal;
      }
      @media (max-width: ${windowSize(480)}), (max-height: ${windowSize(480)}) {
        :host {
          padding: 12px;
        }
        .card {
          padding: 16px;
        }
      }
    `,
  ];

  override render() {
    const { failure } = this;
    const words = errorText(failure);
    const cancelled = failure.code === "cancelled";
    const about = isPackageCode(failure.code) ? rowLink("errors", failure.code, "About this error") : undefined;
    const link = failure.url === undefined ? undefined : linkTarget(failure.url);
    return html`<div class="card ${cancelled ? "cancelled" : ""}" role="alert">
      <header>
        ${cancelled ? icons.close : icons.warning}
        <div>
          <h2>${words.title}</h2>
          ${this.name === "" ? nothing : html`<p class="name">${renderText(this.name, { limit: 300 })}</p>`}
        </div>
      </header>
      <p class="what">${renderText(words.what, { inline: false })}</p>
      ${
        words.next.length > 0
          ? html`<ul>
              ${words.next.map((step) => html`<li>${step}</li>`)}
            </ul>`
          : nothing
      }
      ${cancelled || failure.code === "address" ? nothing : html`<p class="technical">${escapeText(technicalDetails(failure, words.what), 400)}</p>`}
      ${about === undefined ? nothing : html`<p class="about">${about}</p>`}
      <slot name="help"></slot>
      <div class="actions">
        ${this.retryable ? html`<button type="button" class="primary" @click=${this.#retry}>${cancelled ? "Open again" : "Try again"}</button>` : nothing}
        ${link === undefined ? nothing : html`<a class="button" href=${link} target="_blank" rel="noopener noreferrer">Open the address in a browser tab</a>`}
        <slot></slot>
      </div>
    </div>`;
  }

  readonly #retry = () => {
    this.dispatchEvent(new CustomEvent("gguf-retry", { bubbles: true, composed: true }));
  };
}

define("gguf-error-panel", GgufErrorPanel);
