import type { TensorInfo } from "gguf-wasm/explain";
import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { type SliceDimension, sliceDimensions, formatSlice } from "./slices.ts";
import { announce } from "../ui/announce.ts";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import { define } from "../ui/define.ts";

/**
 * Chooses one slice of a tensor with more than two dimensions, for example one expert, or all slices. The event `gguf-slice` reports the
 * choice (detail: the index in each dimension beyond the second, or null for all slices).
 */
export class GgufSlicePicker extends LitElement {
  @property({ attribute: false }) tensor!: TensorInfo;
  /** The chosen slice; undefined for all slices. */
  @property({ attribute: false }) slice: readonly number[] | undefined;

  static override styles = [
    baseStyles,
    css`
      :host,
      .field,
      .all {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 14px;
        font-size: var(--gguf-text-dense);
      }
      .field {
        flex-wrap: nowrap;
        gap: 6px;
      }
      button,
      input[type="number"] {
        min-height: calc(28 * var(--gguf-unit));
        font-size: var(--gguf-text-small);
      }
      .icon {
        width: calc(30 * var(--gguf-unit));
      }
      input[type="number"] {
        width: 6.4em;
      }
      .of {
        color: var(--gguf-ink-2);
        white-space: nowrap;
      }
      @media (pointer: coarse) {
        button,
        input[type="number"] {
          min-height: calc(40 * var(--gguf-unit));
        }
        .icon {
          width: calc(40 * var(--gguf-unit));
        }
      }
    `,
  ];

  override render() {
    const dimensions = sliceDimensions(this.tensor);
    const count = dimensions.reduce((product, { size }) => product * size, 1);
    if (count < 2) return nothing;
    const noun = dimensions.length === 1 && dimensions[0]?.label === "Expert" ? "expert" : "slice";
    return html`<button type="button" aria-pressed=${this.slice === undefined} @click=${() => this.#choose(undefined)}>
        All ${formatCount(count, noun)}
      </button>
      ${dimensions.map((dimension, i) => this.#renderDimension(dimension, i)).reverse()}`;
  }

  #renderDimension({ label, size }: SliceDimension, dimension: number) {
    const at = this.slice?.[dimension];
    const step = (name: string, icon: unknown, to: number) =>
      html`<button
        type="button"
        class="icon"
        aria-label="${name} ${label.toLowerCase()}"
        title="${name} ${label.toLowerCase()}"
        ?disabled=${to < 0 || to >= size}
        @click=${() => this.#set(dimension, to)}
      >
        ${icon}
      </button>`;
    return html`<span class="field"
      ><label for="at-${dimension}">${label}</label>${step("Previous", icons.left, (at ?? 0) - 1)}<input
        type="number"
        id="at-${dimension}"
        min="0"
        max=${size - 1}
        placeholder="All"
        .value=${at === undefined ? "" : String(at)}
        @change=${(event: Event) => this.#onInput(event, dimension, size)}
      />${step("Next", icons.right, at === undefined ? 0 : at + 1)}<span class="of"
        >of ${formatInteger(size)}</span
      ></span
    >`;
  }

  #onInput(event: Event, dimension: number, size: number): void {
    const input = event.target as HTMLInputElement;
    const { valueAsNumber: value } = input;
    if (Number.isNaN(value)) {
      this.#choose(undefined);
      return;
    }
    const inside = Math.max(0, Math.min(Math.trunc(value), size - 1));
    // The field must not show a number out of range, even if the choice does not change.
    input.value = String(inside);
    this.#set(dimension, inside);
  }

  #set(dimension: number, index: number): void {
    const slice = sliceDimensions(this.tensor).map((_, i) => this.slice?.[i] ?? 0);
    slice[dimension] = index;
    this.#choose(slice);
  }

  #choose(slice: readonly number[] | undefined): void {
    this.slice = slice;
    announce(this, slice === undefined ? "All slices" : formatSlice(slice, this.tensor));
    this.dispatchEvent(new CustomEvent("gguf-slice", { detail: slice ?? null, bubbles: true, composed: true }));
  }
}

define("gguf-slice-picker", GgufSlicePicker);
