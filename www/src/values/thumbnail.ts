import type { TensorInfo } from "gguf-wasm/explain";
import type { TensorPreview } from "gguf-wasm/full";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { colourScale } from "../ui/colour-scale.ts";
import type { FileValues, TensorValues } from "./file-values.ts";
import { isExact, measured } from "./measures.ts";
import { drawCells } from "../ui/heat-canvas.ts";
import { DarkMode } from "../ui/dark-mode.ts";
import { baseStyles } from "../ui/styles.ts";
import { TaskWatcher } from "../ui/long-task.ts";
import { define } from "../ui/define.ts";

/**
 * A tensor as a small heat map. It is read when it is scrolled into view, and cancelled if it is scrolled out of view before it has been
 * read.
 */
export class GgufThumbnail extends LitElement {
  @property({ attribute: false }) values!: FileValues;
  @property({ attribute: false }) tensor!: TensorInfo;

  readonly #watch = new TaskWatcher(this);
  readonly #scheme = new DarkMode(this);
  #shown: TensorValues | undefined;
  #seen = false;
  readonly #sight = new IntersectionObserver((entries) => {
    this.#seen = entries.at(-1)?.isIntersecting ?? false;
    this.#updateRead();
  });

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        overflow: hidden;
        border-radius: 2px;
        background: var(--gguf-sunken);
        outline: 1px solid var(--gguf-line);
      }
      canvas {
        display: block;
        width: 100%;
        height: 100%;
      }
      span {
        display: grid;
        place-items: center;
        height: 100%;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-tiny);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sight.disconnect();
    this.#seen = false;
    this.#shown?.thumbnail.withdraw();
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("values") && !changed.has("tensor")) return;
    this.#shown?.thumbnail.withdraw();
    this.#shown = this.values.of(this.tensor);
    this.#watch.watch(this.#shown.thumbnail, this.#shown.preview);
    this.#updateRead();
  }

  get #preview(): TensorPreview | undefined {
    return this.#shown?.preview.value ?? this.#shown?.thumbnail.value;
  }

  #updateRead(): void {
    if (!this.#shown || this.tensor.byteLength === undefined || this.#preview) return;
    // The preview is being read, and will also be shown as the thumbnail.
    if (this.#shown.preview.state.name === "running") return;
    if (this.#seen) this.#shown.thumbnail.start();
    else this.#shown.thumbnail.withdraw();
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    const preview = this.#preview;
    if (!canvas || !preview) return;
    const { rows, columns } = preview;
    const numbers = measured(preview, isExact(preview) ? "mean" : "magnitude");
    drawCells(canvas, { rows, columns, numbers }, colourScale(numbers), this.#scheme.isDark);
  }

  override render() {
    if (this.#preview) return html`<canvas aria-hidden="true"></canvas>`;
    const failed = this.tensor.byteLength === undefined || this.#shown?.thumbnail.state.name === "failed";
    return failed ? html`<span aria-label="No heat map">?</span>` : nothing;
  }
}

define("gguf-thumbnail", GgufThumbnail);
