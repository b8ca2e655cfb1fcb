import type { FileTypeEstimate } from "gguf-wasm/convert";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { formatBytes, formatCount } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { COMMON_TYPES } from "./first-target.ts";
import { tracks } from "../ui/styles/tracks.ts";
import { boxWidth, windowSize } from "../ui/styles/breakpoints.ts";

/**
 * The file types to choose from: at first those that people use most, then all. The event `gguf-target` reports a choice (detail: the name of
 * the type).
 */
export class GgufTargetList extends LitElement {
  @property({ attribute: false }) types: readonly FileTypeEstimate[] = [];
  /** The name of the chosen type. */
  @property() chosen = "";
  @property({ type: Boolean }) disabled = false;
  /** Whether there is an importance matrix. */
  @property({ type: Boolean }) importance = false;

  /** Whether all types are listed. */
  @state() private showsAll = false;

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
        grid-template-columns: ${tracks(20, 92, "1fr", 76, 76)};
        align-items: baseline;
        gap: 2px 12px;
        padding: 7px 12px;
        font-size: var(--gguf-text-control);
      }
      .head {
        border-bottom: 1px solid var(--gguf-line-strong);
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
        font-weight: 500;
      }
      .list {
        position: relative;
        container: list / inline-size;
      }
      .list.all {
        position: relative;
        max-height: 420px;
        overflow: auto;
        overscroll-behavior: contain;
      }
      .more {
        width: 100%;
        border: 0;
        border-top: 1px solid var(--gguf-line);
        border-radius: 0;
      }
      .more:focus-visible {
        outline-offset: -2px;
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
        width: calc(16 * var(--gguf-unit));
        height: calc(16 * var(--gguf-unit));
        margin: 0;
        accent-color: var(--gguf-accent);
        outline: none;
      }
      .name {
        font: 500 var(--gguf-text-dense)/1.5 var(--gguf-mono);
        white-space: nowrap;
      }
      .advice {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      .number {
        text-align: end;
        white-space: nowrap;
      }
      .needs {
        color: var(--gguf-warning);
      }
      @media (max-width: ${windowSize(640)}) {
        .head {
          display: none;
        }
        .row {
          grid-template-columns: ${tracks(20, "1fr", "auto", "auto")};
        }
        .advice {
          grid-column: 2 / -1;
          grid-row: 2;
        }
        /* The new file should be near, so only the chosen type shows what it is good for. Screen readers have it for each. */
        label:not(:has(:checked)) .advice {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
        .unit {
          position: static;
          width: auto;
          height: auto;
          margin: 0;
          clip-path: none;
        }
      }
      /* With large text on a phone, the facts of a type stand below its name. */
      @container list (max-width: ${boxWidth(280)}) {
        .row {
          grid-template-columns: ${tracks(20, "1fr")};
        }
        .row > :not(input, .name) {
          grid-column: 2;
          grid-row: auto;
          text-align: start;
          white-space: normal;
        }
      }
    `,
  ];

  override updated(changed: PropertyValues): void {
    // The form for a size may have chosen a type that is out of view.
    if (changed.has("chosen") && this.showsAll) this.#scrollToChosen();
  }

  #scrollToChosen(): void {
    // `scrollIntoView` would scroll the panel, too.
    const list = this.renderRoot.querySelector<HTMLElement>(".list");
    const row = list?.querySelector<HTMLElement>("label:has(:checked)");
    if (!list || !row) return;
    const above = row.offsetTop - list.scrollTop;
    if (above < 0) list.scrollTop = row.offsetTop;
    else if (above + row.offsetHeight > list.clientHeight)
      list.scrollTop = row.offsetTop + row.offsetHeight - list.clientHeight;
  }

  /** The common types and the chosen one, or all. The type with the most bits is the first. */
  get #listed(): FileTypeEstimate[] {
    const listed = this.types.filter(({ name }) => this.showsAll || COMMON_TYPES.has(name) || name === this.chosen);
    return listed.sort((a, b) => b.bitsPerWeight - a.bitsPerWeight);
  }

  /** While the choice is disabled, a list that scrolls can have the focus: otherwise the keyboard could not scroll it. */
  override render() {
    const listed = this.#listed;
    const isScroller = this.disabled && this.showsAll;
    return html`<fieldset>
      <legend class="sr">File type</legend>
      <div class="row head" aria-hidden="true">
        <span></span><span>File type</span><span>Good for</span><span class="number">Bits/weight</span
        ><span class="number">Size</span>
      </div>
      <div
        class="list ${this.showsAll ? "all" : ""}"
        role=${isScroller ? "region" : nothing}
        aria-label=${isScroller ? "List of file types" : nothing}
        tabindex=${isScroller ? "0" : nothing}
      >
        ${listed.map((type) => this.#renderType(type))}
      </div>
      ${
        listed.length === this.types.length
          ? nothing
          : html`<button type="button" class="quiet more" @click=${this.#showAll}>
              All ${formatCount(this.types.length, "file type")}
            </button>`
      }
    </fieldset>`;
  }

  /** Lists all types. The button is gone then, so the focus moves to the chosen type. */
  readonly #showAll = async () => {
    this.showsAll = true;
    await this.updateComplete;
    const inputs = [...this.renderRoot.querySelectorAll("input")];
    (inputs.find(({ checked }) => checked) ?? inputs[0])?.focus({ preventScroll: true });
    this.#scrollToChosen();
  };

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
