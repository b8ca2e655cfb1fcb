import type { TensorInfo } from "gguf-wasm/explain";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { blockOf } from "./tensor-rows.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { escapeText } from "../ui/text.ts";
import { colourName } from "../gguf/type-colours.ts";
import type { FileValues } from "../values/file-values.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { typeColours } from "../gguf/type-styles.ts";
import { define } from "../ui/define.ts";
import "../values/thumbnail.ts";

/** The most pictures. Outside blocks there may be many tensors; only the neighbours are shown. */
const MAX_PICTURES = 40;

/** The tensors of one block as small heat maps. A click on one shows its tensor. */
export class GgufTensorStrip extends LitElement {
  @property({ attribute: false }) values!: FileValues;
  /** All tensors of the file. */
  @property({ attribute: false }) tensors!: readonly TensorInfo[];
  @property({ attribute: false }) current!: TensorInfo;

  #block = "";
  #shown: readonly TensorInfo[] = [];

  static override styles = [
    baseStyles,
    typeColours,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      h4 {
        margin-bottom: 6px;
        font-size: var(--gguf-text-control);
        font-weight: 600;
      }
      h4 span {
        font-weight: 400;
        color: var(--gguf-ink-2);
      }
      ul {
        position: relative;
        display: flex;
        gap: 8px;
        padding: 3px;
        margin: 0 -3px;
        overflow-x: auto;
      }
      button {
        display: grid;
        align-content: start;
        justify-items: start;
        gap: 3px;
        width: calc(116 * var(--gguf-unit));
        height: 100%;
        padding: 6px;
        font-weight: 400;
        text-align: start;
      }
      button[aria-current="true"] {
        border-color: var(--gguf-accent);
        background: var(--gguf-accent-soft);
      }
      gguf-thumbnail {
        width: calc(102 * var(--gguf-unit));
        height: calc(72 * var(--gguf-unit));
        margin-bottom: 2px;
      }
      .name,
      .type,
      .dims {
        max-width: 100%;
        overflow-wrap: anywhere;
        white-space: normal;
        font-family: var(--gguf-mono);
        font-size: var(--gguf-text-tiny);
      }
      .type,
      .dims {
        color: var(--gguf-ink-2);
      }
      .type {
        display: flex;
        align-items: center;
        gap: 5px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("tensors") && !changed.has("current")) return;
    this.#block = blockOf(this.current.name);
    const all = this.tensors.filter(({ name }) => blockOf(name) === this.#block);
    const at = all.indexOf(this.current);
    const from = Math.max(0, Math.min(at - MAX_PICTURES / 2, all.length - MAX_PICTURES));
    this.#shown = all.slice(from, from + MAX_PICTURES);
  }

  protected override firstUpdated(): void {
    // The list scrolls to the current tensor if it is not visible.
    const list = this.renderRoot.querySelector("ul");
    const current = list?.querySelector<HTMLElement>("[aria-current]");
    if (list && current)
      list.scrollLeft = current.offsetLeft - list.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
  }

  override render() {
    if (this.#shown.length < 2) return nothing;
    const skipped = this.#block === "" ? 0 : this.#block.length + 1;
    return html`<h4 id="title">
        ${this.#block === "" ? "Outside blocks" : html`Block ${renderText(this.#block, { limit: 60 })}`}
        <span>${formatCount(this.#shown.length, "tensor")}</span>
      </h4>
      <ul aria-labelledby="title">
        ${repeat(
          this.#shown,
          ({ index }) => index,
          (tensor) =>
            html`<li>
              <button
                type="button"
                title=${escapeText(tensor.name)}
                aria-current=${tensor === this.current ? "true" : nothing}
                @click=${() => this.#go(tensor)}
              >
                <gguf-thumbnail .values=${this.values} .tensor=${tensor}></gguf-thumbnail>
                <span class="name">${renderText(tensor.name.slice(skipped), { limit: 80 })}</span>
                <span class="type" data-type=${colourName(tensor.type)}
                  ><span class="swatch"></span>${tensor.type}</span
                >
                <span class="dims">${tensor.dimensions.map(formatInteger).join(" × ") || "scalar"}</span>
              </button>
            </li>`,
        )}
      </ul>`;
  }

  #go(tensor: TensorInfo): void {
    if (tensor === this.current) return;
    this.dispatchEvent(new CustomEvent("gguf-show-tensor", { detail: tensor, bubbles: true, composed: true }));
  }
}

define("gguf-tensor-strip", GgufTensorStrip);
