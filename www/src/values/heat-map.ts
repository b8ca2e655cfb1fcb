import type { TensorInfo } from "gguf-wasm/explain";
import type { IndexRange, TensorPreview } from "gguf-wasm/full";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { axisLabels } from "./axis-labels.ts";
import { type ColourScale, colourScale } from "../ui/colour-scale.ts";
import { formatId, formatInteger, formatMeasured } from "../ui/numbers.ts";
import { matrixOf, formatSpan } from "./matrix.ts";
import { isExact, type Measure, MEASURE_WORDS, measured, MEASURES } from "./measures.ts";
import { cellWords, sampleWords } from "./sample-words.ts";
import { formatRows, isStacked, rowLabel, rowTitle } from "./slices.ts";
import { announce } from "../ui/announce.ts";
import { drawCells } from "../ui/heat-canvas.ts";
import { heatLegend } from "./heat-legend.ts";
import { DarkMode } from "../ui/dark-mode.ts";
import { baseStyles, figureStyles } from "../ui/styles.ts";
import { heatMapStyles } from "./heat-map-styles.ts";
import { define } from "../ui/define.ts";

/** The rows and columns of the tensor that one cell shows. */
export interface CellRange {
  rows: IndexRange;
  columns: IndexRange;
}

/** The position of the pointer, as fractions of the map. */
interface TipPlace {
  x: number;
  y: number;
  touch: boolean;
}

/** The most labels of each axis. */
const COLUMN_LABELS = 4;
const ROW_LABELS = 5;

/**
 * A tensor as a grid of coloured cells, with axes. Pointer, finger and arrow keys move to a cell, whose value is shown beside it and below
 * the map. A click or Enter selects the cell with the event `gguf-cell` (detail: a `CellRange`).
 */
export class GgufHeatMap extends LitElement {
  @property({ attribute: false }) preview!: TensorPreview;
  @property({ attribute: false }) tensor!: TensorInfo;
  /** Whether all slices are shown. A row label then contains its slice. */
  @property({ attribute: false }) whole = true;
  /** The name of the map for screen readers. */
  @property() label = "";
  @state() private measure: Measure = "magnitude";
  /** The index of the cell under the pointer or at the keyboard position; -1 for none. */
  @state() private cell = -1;
  /** The position of the pointer; undefined if the cell was reached by keys. */
  @state() private tip: TipPlace | undefined;
  /** The index of the selected cell; -1 for none. */
  @state() private selected = -1;

  #scale: ColourScale | undefined;
  /** The number of each cell, for the colours. */
  #numbers: Float32Array = new Float32Array();
  readonly #scheme = new DarkMode(this);
  readonly #sizes = new ResizeObserver(() => this.#draw());

  static override styles = [baseStyles, figureStyles, heatMapStyles];

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
      this.tip = undefined;
      this.selected = -1;
    }
    if (!changed.has("preview") && !changed.has("measure")) return;
    this.#numbers = measured(this.preview, this.#exact ? "mean" : this.measure);
    this.#scale = colourScale(this.#numbers);
  }

  override updated(): void {
    this.#draw();
  }

  /** Whether every cell is a single element, so that mean, minimum and maximum are equal. */
  get #exact(): boolean {
    return isExact(this.preview);
  }

  #draw(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    const { rows, columns } = this.preview;
    if (canvas) drawCells(canvas, { rows, columns, numbers: this.#numbers }, this.#scale, this.#scheme.isDark);
  }

  override render() {
    return html`<div class="bar">
        <h4>${this.#exact ? "Values" : "Heat map"}</h4>
        ${
          this.#exact
            ? nothing
            : html`<div class="measures" role="group" aria-label="Colours show">
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
      ${this.#renderMap()}
      ${heatLegend({
        scale: this.#scale,
        numbers: this.#numbers,
        read: this.cell >= 0 ? this.#numbers[this.cell] : undefined,
        dark: this.#scheme.isDark,
      })}
      ${this.#renderSample()}
      <div class="readout">${this.#renderReadout()}</div>`;
  }

  /** The cells between the axes. */
  #renderMap() {
    const { rows, columns, sampledColumns } = this.preview;
    // Few rows are drawn as broad bands, a vector as a strip.
    const height = rows === 1 ? "56px" : rows < 16 ? `${rows * 20}px` : "auto";
    const shape = height === "auto" ? `aspect-ratio:${columns < rows / 2 ? "2/3" : "1"};` : "";
    return html`<div class="frame">
      <div class="column-axis" aria-hidden="true">
        <span class="title">${this.#isVector ? "Element" : "Column"}</span>
        <span class="labels">
          ${axisLabels(sampledColumns, COLUMN_LABELS, formatId).map(
            ({ at, text }) => html`<span .style=${`--at:${(at * 100).toFixed(2)}%`}>${text}</span>`,
          )}
        </span>
      </div>
      ${this.#isVector ? nothing : this.#renderRowAxis()}
      <div
        class="map"
        role="application"
        aria-roledescription="heat map"
        aria-label="${this.label}: ${formatInteger(rows)} by ${formatInteger(columns)} cells. Move with the arrow keys. Press Enter to show the elements of a cell."
        aria-describedby="sample"
        tabindex="0"
        @pointermove=${this.#onPointer}
        @pointerdown=${this.#onPointer}
        @pointerleave=${this.#onPointerLeave}
        @pointercancel=${this.#onLeave}
        @click=${this.#onClick}
        @keydown=${this.#onKey}
        @blur=${this.#onLeave}
      >
        <canvas aria-hidden="true" .style=${`--height:${height};${shape}`}></canvas>
        ${this.selected >= 0 ? this.#renderOutline(this.selected, "selected") : nothing}
        ${this.cell >= 0 ? html`${this.#renderOutline(this.cell, "")}${this.#renderTip()}` : nothing}
      </div>
    </div>`;
  }

  /** Which elements the map shows, and what a cell stands for. */
  #renderSample() {
    const { rows, rowLength, sliceRows } = matrixOf(this.tensor);
    const words = sampleWords(this.preview, {
      rows: this.whole ? rows : (sliceRows ?? rows),
      rowLength,
      rowText: (row) =>
        this.whole && isStacked(this.tensor)
          ? formatRows({ start: row, end: row + 1 }, this.tensor)
          : `row ${this.#rowText(row)}`,
    });
    const cell = this.#exact
      ? ""
      : `A cell is the ${MEASURE_WORDS[this.measure]} of ${cellWords(this.preview)} elements.`;
    return html`<p class="sample" id="sample">${words} ${cell}</p>`;
  }

  get #isVector(): boolean {
    return matrixOf(this.tensor).rows === 1;
  }

  /** The label of a row. In a single slice, rows are counted from the start of the slice. */
  #rowText(row: number): string {
    if (this.whole) return rowLabel(row, this.tensor);
    return formatId(row % (this.tensor.dimensions[1] ?? 1));
  }

  #renderRowAxis() {
    const labels = axisLabels(this.preview.sampledRows, ROW_LABELS, (row) => this.#rowText(row));
    // The labels are positioned absolutely, so their width must be set.
    const width = Math.max(3, ...labels.map(({ text }) => text.length));
    return html`<div class="row-axis" aria-hidden="true" .style=${`--width:${width}ch`}>
      <span class="title">${this.whole ? rowTitle(this.tensor) : "Row"}</span>
      <span class="labels">
        ${labels.map(({ at, text }) => html`<span .style=${`--at:${(at * 100).toFixed(2)}%`}>${text}</span>`)}
      </span>
    </div>`;
  }

  /** The value of the current cell, on the side of the pointer where the map has more space. */
  #renderTip() {
    const { rows, columns } = this.preview;
    const range = this.#rangeOf(this.cell);
    if (!range) return nothing;
    const row = Math.floor(this.cell / columns);
    const column = this.cell % columns;
    const touch = this.tip?.touch ?? false;
    const leftOf = (this.tip?.x ?? (column + 0.5) / columns) > 0.5;
    // A finger covers the area below it.
    const above = touch || (this.tip?.y ?? (row + 0.5) / rows) > 0.5;
    const x = this.tip?.x ?? (leftOf ? column : column + 1) / columns;
    const y = this.tip?.y ?? (above ? row : row + 1) / rows;
    const side = `${leftOf ? "left-of" : "right-of"} ${above ? "above" : "below"} ${touch ? "touch" : ""}`;
    return html`<div
      class="tip ${side}"
      aria-hidden="true"
      .style=${`left:${(x * 100).toFixed(2)}%;top:${(y * 100).toFixed(2)}%`}
    >
      ${this.#renderFigures(this.cell)}
      <p class="place">${this.#formatPosition(range)}</p>
    </div>`;
  }

  #renderOutline(cell: number, kind: string) {
    const { rows, columns } = this.preview;
    const row = Math.floor(cell / columns);
    const column = cell % columns;
    return html`<span
      class="outline ${kind}"
      .style=${`left:${(column / columns) * 100}%;top:${(row / rows) * 100}%;width:${100 / columns}%;height:${100 / rows}%`}
    ></span>`;
  }

  #renderReadout() {
    const at = this.cell >= 0 ? this.cell : this.selected;
    const range = this.#rangeOf(at);
    if (!range)
      return html`<p class="place">
        Point at a cell to see its value. Click it to show its elements in the table below.
      </p>`;
    return html`<p class="place">${this.#formatPosition(range)}</p>
      ${this.#renderFigures(at)}`;
  }

  /** The rows and columns of a cell in words. */
  #formatPosition({ rows, columns }: CellRange): string {
    const single = columns.end - columns.start <= 1;
    const columnWords = formatSpan(columns, formatId);
    if (this.#isVector) return `${single ? "Element" : "Elements"} ${columnWords}`;
    return `${formatRows(rows, this.tensor)} · ${single ? "column" : "columns"} ${columnWords}`;
  }

  /** The values of a cell. */
  #renderFigures(cell: number) {
    const { preview } = this;
    if (this.#exact) return html`<p class="figures"><b>${formatMeasured(preview.mean[cell] ?? NaN)}</b></p>`;
    return html`<p class="figures">
      ${MEASURES.filter((name) => name !== "magnitude" || name === this.measure).map(
        (name) =>
          html`<span class=${name === this.measure ? "shown" : ""}
            >${name} <b>${formatMeasured((name === "magnitude" ? this.#numbers : preview[name])[cell] ?? NaN)}</b></span
          >`,
      )}
    </p>`;
  }

  /** The current cell in words, for screen readers. */
  #describeCell(): string {
    const range = this.#rangeOf(this.cell);
    if (!range) return "";
    const value = formatMeasured(this.#numbers[this.cell] ?? NaN);
    return `${this.#exact ? "" : `${this.measure} `}${value}, ${this.#formatPosition(range)}`;
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
    const box = this.renderRoot.querySelector("canvas")?.getBoundingClientRect();
    if (!box) return;
    const share = (at: number, length: number) => Math.max(0, Math.min(at / length, 1));
    this.cell = this.#cellAt(event);
    this.tip = {
      x: share(event.clientX - box.left, box.width),
      y: share(event.clientY - box.top, box.height),
      touch: event.pointerType === "touch",
    };
  };

  readonly #onLeave = () => {
    this.cell = -1;
    this.tip = undefined;
  };

  /** When a finger is lifted, the value stays visible until the map loses the focus. */
  readonly #onPointerLeave = (event: PointerEvent) => {
    if (event.pointerType !== "touch") this.#onLeave();
  };

  readonly #onClick = (event: MouseEvent) => {
    this.#select(this.#cellAt(event));
  };

  #select(cell: number): void {
    const detail = this.#rangeOf(cell);
    if (!detail) return;
    this.selected = cell;
    this.dispatchEvent(new CustomEvent<CellRange>("gguf-cell", { detail, bubbles: true, composed: true }));
  }

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { rows, columns } = this.preview;
    const from = this.cell >= 0 ? this.cell : Math.max(0, this.selected);
    const row = Math.floor(from / columns);
    const column = from % columns;
    const first = this.cell < 0 && this.selected < 0;
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
      this.tip = undefined;
      this.cell = first ? 0 : inside(moved[0], rows) * columns + inside(moved[1], columns);
      announce(this, this.#describeCell());
    } else if (event.key === "Enter" || event.key === " ") {
      this.#select(from);
    } else if (event.key === "Escape" && this.cell >= 0) {
      this.#onLeave();
    } else {
      return;
    }
    event.preventDefault();
  };
}

define("gguf-heat-map", GgufHeatMap);
