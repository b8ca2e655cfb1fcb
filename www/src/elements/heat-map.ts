import type { IndexRange, TensorPreview } from "gguf-wasm";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { type ColourScale, colourScale, cssGradient, placeOn, ramp } from "../logic/colour-scale.ts";
import { counted, grouped, measure } from "../logic/format.ts";
import { matrixOf, rowCoordinates, span } from "../logic/matrix.ts";
import { announce } from "./copy-button.ts";
import { drawCells } from "./heat-canvas.ts";
import { Scheme } from "./scheme.ts";
import { base, headed } from "./styles.ts";
import { heatMapStyles } from "./heat-map-styles.ts";

const MEASURES = ["mean", "min", "max"] as const;
export type Measure = (typeof MEASURES)[number];

/** A part of the tensor that one cell shows. */
export interface CellRange {
  rows: IndexRange;
  columns: IndexRange;
}

/**
 * A tensor as a grid of coloured cells. Pointer, finger and arrow keys read a cell; a click or Enter picks it, which `gguf-cell` tells
 * (detail: a `CellRange`).
 */
export class GgufHeatMap extends LitElement {
  static override properties = {
    preview: { attribute: false },
    dimensions: { attribute: false },
    label: {},
    measure: { state: true },
    cell: { state: true },
    picked: { state: true },
  };

  declare preview: TensorPreview;
  declare dimensions: readonly number[];
  /** What is shown, for those who hear the page. */
  declare label: string;
  declare private measure: Measure;
  /** The cell that is read, -1 for none. */
  declare private cell: number;
  /** The cell that was picked, -1 for none. */
  declare private picked: number;

  #scale: ColourScale | undefined;
  readonly #scheme = new Scheme(this);
  readonly #sizes = new ResizeObserver(() => this.#draw());

  constructor() {
    super();
    this.dimensions = [];
    this.label = "";
    this.measure = "mean";
    this.cell = -1;
    this.picked = -1;
  }

  static override styles = [base, headed, heatMapStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("preview")) {
      this.cell = -1;
      this.picked = -1;
    }
    if (changed.has("preview") || changed.has("measure")) this.#scale = colourScale(this.#numbers);
  }

  override updated(): void {
    this.#draw();
  }

  /** Whether a cell is a single element, whose mean, minimum and maximum are the same. */
  get #exact(): boolean {
    const { sampledRows, sampledColumns } = this.preview;
    const single = ({ start, end }: IndexRange) => end - start <= 1;
    return sampledRows.every(single) && sampledColumns.every(single);
  }

  get #numbers(): Float32Array {
    return this.preview[this.#exact ? "mean" : this.measure];
  }

  #draw(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    const { rows, columns } = this.preview;
    if (canvas) drawCells(canvas, { rows, columns, numbers: this.#numbers }, this.#scale, this.#scheme.dark);
  }

  override render() {
    const { rows, columns } = this.preview;
    // Of few rows each is a broad band; a vector is a strip.
    const height = rows === 1 ? "56px" : rows < 16 ? `${rows * 20}px` : "auto";
    const shape = height === "auto" ? `aspect-ratio:${columns < rows / 2 ? "2/3" : "1"};` : "";
    return html`<div class="bar">
        <h4>${this.#exact ? "Values" : "Heat map"}</h4>
        ${
          this.#exact
            ? nothing
            : html`<div class="measures" role="group" aria-label="What the colours show">
                ${MEASURES.map(
                  (measure) =>
                    html`<button
                      type="button"
                      aria-pressed=${measure === this.measure}
                      @click=${() => this.#show(measure)}
                    >
                      ${measure}
                    </button>`,
                )}
              </div>`
        }
      </div>
      <div
        class="map"
        role="application"
        aria-roledescription="heat map"
        aria-label="${this.label}: ${grouped(rows)} by ${grouped(columns)} cells. Arrow keys read them, Enter shows their values."
        tabindex="0"
        @pointermove=${this.#onPointer}
        @pointerdown=${this.#onPointer}
        @pointerleave=${this.#onLeave}
        @click=${this.#onClick}
        @keydown=${this.#onKey}
        @blur=${this.#onLeave}
      >
        <canvas aria-hidden="true" .style=${`--height:${height};${shape}`}></canvas>
        ${this.picked >= 0 ? this.#renderMark(this.picked, "picked") : nothing}
        ${this.cell >= 0 ? this.#renderMark(this.cell, "") : nothing}
      </div>
      ${this.#renderLegend()}
      <div class="readout">${this.#renderReadout()}</div>`;
  }

  #renderMark(cell: number, kind: string) {
    const { rows, columns } = this.preview;
    const row = Math.floor(cell / columns);
    const column = cell % columns;
    return html`<span
      class="mark ${kind}"
      .style=${`left:${(column / columns) * 100}%;top:${(row / rows) * 100}%;width:${100 / columns}%;height:${100 / rows}%`}
    ></span>`;
  }

  #renderLegend() {
    const scale = this.#scale;
    const numbers = this.#numbers;
    const without = numbers.reduce((count, number) => count + (Number.isFinite(number) ? 0 : 1), 0);
    const hatched =
      without === 0
        ? nothing
        : html`<p class="note"><span class="hatch"></span>${counted(without, "cell")} without a finite number</p>`;
    if (!scale) return html`<div class="legend">${hatched}</div>`;
    const { low, high, below, above } = scale;
    const number = this.cell >= 0 ? numbers[this.cell] : undefined;
    return html`<div class="legend">
      <div class="ramp" .style=${`--ramp:${cssGradient(ramp(scale.kind, this.#scheme.dark))}`} aria-hidden="true">
        ${
          number !== undefined && Number.isFinite(number)
            ? html`<span class="needle" .style=${`--at:${(placeOn(scale, number) * 100).toFixed(2)}%`}></span>`
            : nothing
        }
      </div>
      <div class="ends">
        <span>${low === high ? "" : `${below > 0 ? "≤ " : ""}${measure(low)}`}</span>
        <span>${low === high ? measure(low) : scale.kind === "diverging" ? "0" : ""}</span>
        <span>${low === high ? "" : `${above > 0 ? "≥ " : ""}${measure(high)}`}</span>
      </div>
      ${
        below + above > 0
          ? html`<p class="note">
              ${counted(below + above, "cell")} beyond the ends of the scale, up to ${measure(this.#furthest(scale))}
            </p>`
          : nothing
      }
      ${hatched}
    </div>`;
  }

  /** The number that is the furthest beyond the scale. */
  #furthest({ low, high }: ColourScale): number {
    let furthest = 0;
    let distance = 0;
    for (const number of this.#numbers) {
      const beyond = Math.max(low - number, number - high);
      if (beyond > distance) [furthest, distance] = [number, beyond];
    }
    return furthest;
  }

  #renderReadout() {
    const at = this.cell >= 0 ? this.cell : this.picked;
    const range = this.#rangeOf(at);
    if (!range)
      return html`<p class="place">Point at a cell to read it. Click it for its values in the table below.</p>`;
    const { preview } = this;
    const single = (extent: IndexRange) => extent.end - extent.start <= 1;
    const coordinates = single(range.rows) ? rowCoordinates(range.rows.start, this.dimensions) : [];
    const vector = matrixOf({ dimensions: this.dimensions }).rows === 1;
    const place = html`<p class="place">
      ${
        vector
          ? html`${single(range.columns) ? "Element" : "Elements"} ${span(range.columns, grouped)}`
          : html`${single(range.rows) ? "Row" : "Rows"}
            ${span(range.rows, grouped)}${coordinates.length > 0 ? ` (${coordinates.map(grouped).join(", ")})` : nothing}
            · ${single(range.columns) ? "column" : "columns"} ${span(range.columns, grouped)}`
      }
    </p>`;
    if (this.#exact)
      return html`${place}
        <p class="figures"><b>${measure(preview.mean[at] ?? NaN)}</b></p>`;
    return html`${place}
      <p class="figures">
        ${MEASURES.map(
          (name) =>
            html`<span class=${name === this.measure ? "shown" : ""}
              >${name} <b>${measure(preview[name][at] ?? NaN)}</b></span
            >`,
        )}
      </p>`;
  }

  /** The same for those who hear the page. */
  #words(): string {
    const range = this.#rangeOf(this.cell);
    if (!range) return "";
    const value = measure(this.#numbers[this.cell] ?? NaN);
    const place = `row ${span(range.rows, grouped)}, column ${span(range.columns, grouped)}`;
    return `${this.#exact ? "" : `${this.measure} `}${value}, ${place}`;
  }

  #rangeOf(cell: number): CellRange | undefined {
    const { columns, sampledRows, sampledColumns } = this.preview;
    const rows = sampledRows[Math.floor(cell / columns)];
    const range = sampledColumns[cell % columns];
    return cell < 0 || !rows || !range ? undefined : { rows, columns: range };
  }

  #show(shown: Measure): void {
    this.measure = shown;
  }

  #cellAt(event: MouseEvent): number {
    const box = this.renderRoot.querySelector("canvas")?.getBoundingClientRect();
    if (!box) return -1;
    const { rows, columns } = this.preview;
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    const inside = (at: number, count: number) => Math.max(0, Math.min(at, count - 1));
    return inside(row, rows) * columns + inside(column, columns);
  }

  readonly #onPointer = (event: PointerEvent) => {
    this.cell = this.#cellAt(event);
  };

  readonly #onLeave = () => {
    this.cell = -1;
  };

  readonly #onClick = (event: MouseEvent) => {
    this.#pick(this.#cellAt(event));
  };

  #pick(cell: number): void {
    const detail = this.#rangeOf(cell);
    if (!detail) return;
    this.picked = cell;
    this.dispatchEvent(new CustomEvent<CellRange>("gguf-cell", { detail, bubbles: true, composed: true }));
  }

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { rows, columns } = this.preview;
    const from = this.cell >= 0 ? this.cell : Math.max(0, this.picked);
    const row = Math.floor(from / columns);
    const column = from % columns;
    const first = this.cell < 0 && this.picked < 0;
    const to: Partial<Record<string, [number, number]>> = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      PageUp: [row - 8, column],
      PageDown: [row + 8, column],
      Home: [row, 0],
      End: [row, columns - 1],
    };
    const moved = to[event.key];
    if (moved) {
      const inside = (at: number, count: number) => Math.max(0, Math.min(at, count - 1));
      this.cell = first ? 0 : inside(moved[0], rows) * columns + inside(moved[1], columns);
      announce(this, this.#words());
    } else if (event.key === "Enter" || event.key === " ") {
      this.#pick(from);
    } else {
      return;
    }
    event.preventDefault();
  };
}
