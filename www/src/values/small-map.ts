import type { TensorInfo, TensorPreview } from "gguf-wasm";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { colourScale } from "../ui/colour-scale.ts";
import type { FileValues, TensorValues } from "./file-values.ts";
import { drawCells } from "../ui/heat-canvas.ts";
import { Scheme } from "../ui/scheme.ts";
import { base } from "../ui/styles.ts";
import { Watch } from "./work.ts";
import { define } from "../ui/define.ts";

/** A tensor as a small picture, read when it is scrolled into view; scrolled away before, it is not. */
export class GgufSmallMap extends LitElement {
  static override properties = { values: { attribute: false }, tensor: { attribute: false } };

  declare values: FileValues;
  declare tensor: TensorInfo;

  readonly #watch = new Watch(this);
  readonly #scheme = new Scheme(this);
  #shown: TensorValues | undefined;
  #seen = false;
  readonly #sight = new IntersectionObserver((entries) => {
    this.#seen = entries.at(-1)?.isIntersecting ?? false;
    this.#look();
  });

  static override styles = [
    base,
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
        font-size: 11px;
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
    this.#shown?.glance.cancel();
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("values") && !changed.has("tensor")) return;
    this.#shown?.glance.cancel();
    this.#shown = this.values.of(this.tensor);
    this.#watch.at(this.#shown.glance, this.#shown.preview);
    this.#look();
  }

  get #preview(): TensorPreview | undefined {
    return this.#shown?.preview.value ?? this.#shown?.glance.value;
  }

  #look(): void {
    if (!this.#shown || this.tensor.byteLength === undefined || this.#preview) return;
    // The larger one will do for both.
    if (this.#shown.preview.state.name === "running") return;
    if (this.#seen) this.#shown.glance.start();
    else this.#shown.glance.cancel();
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    const preview = this.#preview;
    if (!canvas || !preview) return;
    const { rows, columns, mean: numbers } = preview;
    drawCells(canvas, { rows, columns, numbers }, colourScale(numbers), this.#scheme.dark);
  }

  override render() {
    if (this.#preview) return html`<canvas aria-hidden="true"></canvas>`;
    const failed = this.tensor.byteLength === undefined || this.#shown?.glance.state.name === "failed";
    return failed ? html`<span aria-label="No picture">?</span>` : nothing;
  }
}

define("gguf-small-map", GgufSmallMap);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-small-map": GgufSmallMap;
  }
}
