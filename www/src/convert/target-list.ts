import type { FileTypeEstimate } from "gguf-wasm/convert";
import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { formatBytes } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";

/** The file types to choose from. The event `gguf-target` reports a choice (detail: the name of the type). */
export class GgufTargetList extends LitElement {
  @property({ attribute: false }) types: readonly FileTypeEstimate[] = [];
  /** The name of the chosen type. */
  @property() chosen = "";
  @property({ type: Boolean }) disabled = false;
  /** Whether there is an importance matrix. */
  @property({ type: Boolean }) importance = false;

  /** Whether the chosen type has been scrolled into view. */
  #isInView = false;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
      }
      .list:focus-visible {
        outline-offset: -2px;
      }
      fieldset {
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 1px solid var(--gguf-line);
        border-radius: var(--gguf-radius);
        overflow: hidden;
      }
      .row {
        display: grid;
        grid-template-columns: 20px 92px minmax(0, 1fr) 76px 76px;
        align-items: baseline;
        gap: 2px 12px;
        padding: 7px 12px;
        font-size: 13px;
      }
      .head {
        border-bottom: 1px solid var(--gguf-line-strong);
        color: var(--gguf-ink-2);
        font-size: 12px;
        font-weight: 500;
      }
      .list {
        position: relative;
        max-height: 292px;
        overflow: auto;
        overscroll-behavior: contain;
      }
      label + label {
        border-top: 1px solid var(--gguf-line);
      }
      label {
        cursor: pointer;
      }
      label:has(:disabled) {
        cursor: default;
      }
      label:hover:has(:enabled) {
        background: var(--gguf-hover);
      }
      label:has(:checked) {
        background: var(--gguf-active);
        box-shadow: inset 3px 0 0 var(--gguf-accent);
      }
      label:has(:focus-visible) {
        outline: 2px solid var(--gguf-accent);
        outline-offset: -2px;
      }
      input {
        align-self: center;
        width: 16px;
        height: 16px;
        margin: 0;
        accent-color: var(--gguf-accent);
        outline: none;
      }
      .name {
        font: 500 12.5px/1.5 var(--gguf-mono);
        white-space: nowrap;
      }
      .advice {
        color: var(--gguf-ink-2);
        font-size: 12.5px;
      }
      .number {
        text-align: end;
        white-space: nowrap;
      }
      .needs {
        color: var(--gguf-warning);
      }
      @media (max-width: 640px) {
        .head {
          display: none;
        }
        .row {
          grid-template-columns: 20px minmax(0, 1fr) auto auto;
        }
        .advice {
          grid-column: 2 / -1;
          grid-row: 2;
        }
        .unit {
          position: static;
          width: auto;
          height: auto;
          margin: 0;
          clip-path: none;
        }
      }
    `,
  ];

  override updated(): void {
    if (this.#isInView || this.types.length === 0) return;
    this.#isInView = true;
    // `scrollIntoView` would scroll the panel, too.
    const list = this.renderRoot.querySelector<HTMLElement>(".list");
    const row = list?.querySelector<HTMLElement>("label:has(:checked)");
    if (list && row) list.scrollTop = row.offsetTop - (list.clientHeight - row.offsetHeight) / 2;
  }

  /** While the choice is disabled, the list can have the focus: otherwise the keyboard could not scroll it. */
  override render() {
    const sorted = [...this.types].sort((a, b) => b.bitsPerWeight - a.bitsPerWeight);
    return html`<fieldset>
      <legend class="sr">File type</legend>
      <div class="row head" aria-hidden="true">
        <span></span><span>File type</span><span>Good for</span><span class="number">Bits/weight</span
        ><span class="number">Size</span>
      </div>
      <div
        class="list"
        role=${this.disabled ? "region" : nothing}
        aria-label=${this.disabled ? "List of file types" : nothing}
        tabindex=${this.disabled ? "0" : nothing}
      >
        ${sorted.map((type) => this.#renderType(type))}
      </div>
    </fieldset>`;
  }

  #renderType({ name, advice, description, bitsPerWeight, size, requiresImatrix }: FileTypeEstimate) {
    return html`<label class="row" title=${description}>
      <input
        type="radio"
        name="target"
        value=${name}
        ?disabled=${this.disabled}
        .checked=${live(name === this.chosen)}
        @change=${() => this.dispatchEvent(new CustomEvent("gguf-target", { detail: name }))}
      />
      <span class="name">${name}</span>
      <span class="advice"
        >${advice}${
          requiresImatrix && !this.importance ? html` <span class="needs">Needs an importance matrix.</span>` : nothing
        }</span
      >
      <span class="number">${bitsPerWeight.toFixed(2)}<span class="sr unit"> bits per weight</span></span>
      <span class="number">${formatBytes(size)}</span>
    </label>`;
  }
}

define("gguf-target-list", GgufTargetList);
