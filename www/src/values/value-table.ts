import type { TensorInfo } from "gguf-wasm/explain";
import type { IndexRange } from "gguf-wasm/full";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { type ColourScale, colourScale, cssColour, positionOn, colourRamp } from "../ui/colour-scale.ts";
import { dataErrorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { formatFloat, formatId } from "../ui/numbers.ts";
import { matrixOf, rowCoordinates } from "./matrix.ts";
import { isStacked, rowLabel, rowOfSlice, rowTitle, sliceDimensions } from "./slices.ts";
import type { ElementArray, ElementValues } from "./value-messages.ts";
import {
  pageLines,
  pageAt,
  type PageSize,
  pageTitle,
  readRanges,
  type ValueLine,
  type ValuePage,
  clampPage,
} from "./value-page.ts";
import { announce } from "../ui/announce.ts";
import type { FileValues } from "./file-values.ts";
import type { CellRange } from "./heat-map.ts";
import { icons } from "../ui/icons.ts";
import { DarkMode } from "../ui/dark-mode.ts";
import { baseStyles, figureStyles } from "../ui/styles.ts";
import { valueTableStyles } from "./value-table-styles.ts";
import { define } from "../ui/define.ts";
import { ElementWidth } from "../ui/element-width.ts";

const PAGE_ROWS = 12;
/** The possible numbers of columns. The table uses the largest that fits. */
const PAGE_COLUMNS = [16, 8, 4, 3] as const;
/** The widths of the column of row numbers and of a column of values, in units of the text size. */
const HEAD_WIDTH = 70;
const COLUMN_WIDTH = 104;
/** The most elements that one request reads for all lines. Up to this number, the elements between the lines take less time than more requests. */
const MAX_JOINED_READ = 1 << 16;

/** The values of a page that have been read. */
interface LoadedPage {
  lines: readonly ValueLine[];
  values: readonly (readonly (number | bigint)[])[];
}

/** A table of the elements of a tensor, page by page. Only the elements of the shown page are read. */
export class GgufValueTable extends LitElement {
  @property({ attribute: false }) values!: FileValues;
  @property({ attribute: false }) tensor!: TensorInfo;
  /** The first row of the chosen slice. The table shows it when it changes. */
  @property({ attribute: false }) firstRow = 0;
  @state() private page: ValuePage = { order: "matrix", row: 0, column: 0 };
  @state() private columns = 8;
  @state() private read: LoadedPage | undefined;
  @state() private failed = "";
  /** The highlighted range. */
  @state() private highlighted: CellRange | undefined;

  #abort: AbortController | undefined;
  #moved = false;
  readonly #scheme = new DarkMode(this);
  readonly #box = new ElementWidth(this);

  static override styles = [baseStyles, figureStyles, valueTableStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated && !this.read) void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort?.abort();
  }

  get #matrix() {
    return matrixOf(this.tensor);
  }

  get #size(): PageSize {
    const { rowLength, rows, sliceRows = rows } = this.#matrix;
    if (this.page.order === "flat") return { rows: PAGE_ROWS, columns: this.columns };
    return { rows: Math.min(PAGE_ROWS, sliceRows), columns: Math.min(this.columns, rowLength) };
  }

  override willUpdate(changed: PropertyValues): void {
    const room = this.#box.width - HEAD_WIDTH;
    if (room > 0)
      this.columns = PAGE_COLUMNS.find((columns) => columns * COLUMN_WIDTH <= room) ?? PAGE_COLUMNS.at(-1) ?? 3;
    if (changed.has("tensor")) {
      // A vector is shown in flat order.
      const isMatrix = this.#matrix.rows > 1;
      this.page = { order: isMatrix ? "matrix" : "flat", row: isMatrix ? this.firstRow : 0, column: 0 };
      this.highlighted = undefined;
      this.read = undefined;
      this.#moved = false;
    } else if (changed.has("firstRow")) {
      this.highlighted = undefined;
      this.page = pageAt(this.firstRow * this.#matrix.rowLength, this.page.order, this.#matrix, this.#size);
    }
    if (["tensor", "firstRow", "page", "columns"].some((name) => changed.has(name))) {
      this.page = clampPage(this.page, this.#matrix, this.#size);
      void this.#load();
    }
  }

  /** Shows and highlights a range of the tensor. */
  showCell(cell: CellRange): void {
    this.highlighted = cell;
    const element = cell.rows.start * this.#matrix.rowLength + cell.columns.start;
    this.page = pageAt(element, this.page.order, this.#matrix, this.#size);
  }

  /** Shows and highlights an element. */
  showElement(element: number): void {
    const { rowLength } = this.#matrix;
    const row = Math.floor(element / rowLength);
    const column = element % rowLength;
    this.showCell({ rows: { start: row, end: row + 1 }, columns: { start: column, end: column + 1 } });
  }

  async #load(): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const lines = pageLines(this.page, this.#matrix, this.#size);
    const as = elementArrayOf(this.tensor.type);
    try {
      const ranges = readRanges(lines, MAX_JOINED_READ);
      const parts = await Promise.all(
        ranges.map((range) => this.values.read(this.tensor, { ...range, as }, abort.signal)),
      );
      if (abort.signal.aborted) return;
      this.read = { lines, values: lines.map((line) => lineValues(line, ranges, parts)) };
      this.failed = "";
      // The first page is not announced, because nobody asked for it.
      if (this.#moved) announce(this, pageTitle(this.page, lines, this.tensor));
      this.#moved = true;
    } catch (error) {
      if (abort.signal.aborted) return;
      this.read = undefined;
      this.failed = dataErrorText(failureOf(error));
    }
  }

  override render() {
    const { page } = this;
    const matrix = this.#matrix;
    const size = this.#size;
    const lines = pageLines(page, matrix, size);
    const total = matrix.rowLength * matrix.rows;
    const read = this.read && this.read.lines[0]?.start === lines[0]?.start ? this.read : undefined;
    // The old values stay visible, in grey, until the new ones have been read.
    const shown = read ?? this.read;
    const scale = shown && colourScale(shown.values.flat().map(Number));
    const heads = page.order === "matrix" ? size.columns : Math.min(size.columns, total);
    return html`<div class="bar">
        <h4>Values</h4>
        ${
          matrix.rows > 1
            ? html`<button
                type="button"
                aria-pressed=${page.order === "flat"}
                title="Elements one after another, in storage order"
                @click=${this.#onOrder}
              >
                Flat
              </button>`
            : nothing
        }
        <span class="moves" role="group" aria-label="Pages">${this.#renderMoves()}</span>
        ${this.#renderGoTo()}
        <p class="where">${pageTitle(page, lines, this.tensor)}</p>
      </div>
      <div
        class="scroll"
        .style=${`--head:${Math.max(8, (page.order === "flat" ? formatId(total) : rowLabel(matrix.rows - 1, this.tensor)).length + 3)}ch`}
      >
        <table class=${read ? "" : "reading"} aria-label="Values" aria-busy=${!read}>
          <thead>
            <tr>
              <th scope="col">${page.order === "matrix" ? rowTitle(this.tensor) : "Element"}</th>
              ${Array.from(
                { length: heads },
                (_, i) => html`<th scope="col">${page.order === "matrix" ? formatId(page.column + i) : `+${i}`}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${lines.map((line, i) => this.#renderLine(line, shown?.values[i], heads, scale, read !== undefined))}
          </tbody>
        </table>
      </div>
      ${this.failed === "" ? nothing : html`<p class="failed" role="alert">${this.failed}</p>`}`;
  }

  /** The form that goes to an element. */
  #renderGoTo() {
    const matrix = this.#matrix;
    return html`<form @submit=${this.#onGoTo}>
      ${
        this.page.order === "matrix"
          ? html`${this.#renderSliceFields()}<input
                type="number"
                name="row"
                min="0"
                max=${(matrix.sliceRows ?? matrix.rows) - 1}
                placeholder="Row"
                aria-label="Row to go to"
              />
              <input
                type="number"
                name="column"
                min="0"
                max=${matrix.rowLength - 1}
                placeholder="Column"
                aria-label="Column to go to"
              />`
          : html`<input
              type="number"
              name="element"
              min="0"
              max=${matrix.rowLength * matrix.rows - 1}
              placeholder="Element"
              aria-label="Element to go to"
            />`
      }
      <button type="submit">Go to</button>
    </form>`;
  }

  /** The fields for a slice, the slowest dimension first. */
  #renderSliceFields() {
    if (!isStacked(this.tensor)) return nothing;
    return sliceDimensions(this.tensor)
      .map(
        ({ label, size }, i) =>
          html`<input
            type="number"
            name="slice-${i}"
            min="0"
            max=${size - 1}
            placeholder=${label}
            aria-label="${label} to go to"
          />`,
      )
      .reverse();
  }

  #renderLine(
    line: ValueLine,
    values: LoadedPage["values"][number] | undefined,
    heads: number,
    scale: ColourScale | undefined,
    current: boolean,
  ) {
    const flat = this.page.order === "flat";
    return html`<tr>
      <th scope="row">${flat ? formatId(line.head) : rowLabel(line.head, this.tensor)}</th>
      ${Array.from({ length: heads }, (_, i) => {
        if (i >= line.end - line.start) return html`<td></td>`;
        const value = values?.[i];
        if (value === undefined) return html`<td>·</td>`;
        const number = Number(value);
        const heat =
          scale && Number.isFinite(number) && current
            ? `--heat:${cssColour(colourRamp(scale.kind, this.#scheme.isDark), positionOn(scale, number))}`
            : "";
        const text = elementText(value, this.tensor.type);
        return html`<td
          class="${this.#isHighlighted(line.start + i) ? "highlighted" : ""} ${Number.isFinite(number) ? "" : "odd"}"
          title=${text}
          .style=${heat}
        >
          ${renderNumber(text)}
        </td>`;
      })}
    </tr>`;
  }

  #renderMoves() {
    const { page } = this;
    const size = this.#size;
    const matrix = this.#matrix;
    const move = (name: string, icon: unknown, to: ValuePage) => {
      const target = clampPage(to, matrix, size);
      const stays = target.row === page.row && target.column === page.column;
      return html`<button
        type="button"
        class="icon"
        aria-label=${name}
        title=${name}
        ?disabled=${stays}
        @click=${() => {
          this.page = target;
        }}
      >
        ${icon}
      </button>`;
    };
    if (page.order === "flat") {
      const step = size.rows * size.columns;
      return html`${move("Previous page", icons.up, { ...page, column: page.column - step })}
      ${move("Next page", icons.down, { ...page, column: page.column + step })}`;
    }
    return html`${move("Previous rows", icons.up, { ...page, row: page.row - size.rows })}
    ${move("Next rows", icons.down, { ...page, row: page.row + size.rows })}
    ${move("Previous columns", icons.left, { ...page, column: page.column - size.columns })}
    ${move("Next columns", icons.right, { ...page, column: page.column + size.columns })}`;
  }

  #isHighlighted(element: number): boolean {
    if (!this.highlighted) return false;
    const { rowLength } = this.#matrix;
    const inside = (at: number, { start, end }: IndexRange) => at >= start && at < end;
    return (
      inside(Math.floor(element / rowLength), this.highlighted.rows) &&
      inside(element % rowLength, this.highlighted.columns)
    );
  }

  readonly #onOrder = () => {
    const [first] = pageLines(this.page, this.#matrix, this.#size);
    const order = this.page.order === "flat" ? "matrix" : "flat";
    this.page = { ...this.page, order };
    this.page = pageAt(first?.start ?? 0, order, this.#matrix, this.#size);
  };

  readonly #onGoTo = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const field = (name: string) => (form.elements.namedItem(name) as HTMLInputElement | null)?.valueAsNumber ?? NaN;
    const whole = (value: number) => (Number.isFinite(value) ? Math.trunc(value) : 0);
    if (this.page.order === "flat") {
      if (Number.isFinite(field("element"))) this.showElement(whole(field("element")));
      return;
    }
    const fields = ["row", "column", ...sliceDimensions(this.tensor).map((_, i) => `slice-${i}`)];
    if (!fields.some((name) => Number.isFinite(field(name)))) return;
    const [, ...current] = rowCoordinates(this.page.row, this.tensor.dimensions);
    // An empty field keeps the current slice.
    const slice = current.map((at, i) => (Number.isFinite(field(`slice-${i}`)) ? whole(field(`slice-${i}`)) : at));
    const row = rowOfSlice(whole(field("row")), slice, this.tensor);
    this.showElement(row * this.#matrix.rowLength + whole(field("column")));
  };
}

define("gguf-value-table", GgufValueTable);

/** The array type that holds the elements of a tensor type exactly. */
function elementArrayOf(type: string): ElementArray {
  if (type === "F64") return "float64";
  return type === "I32" || type === "I64" ? "bigint64" : "float32";
}

function elementText(value: number | bigint, type: string): string {
  if (typeof value === "bigint") return String(value);
  const text = formatFloat(value, type === "F64" ? 64 : 32);
  // An exponent is shorter than a row of zeros, and fits into a column.
  return /^-?0\.000/.test(text) ? String(Number(text).toExponential()) : text;
}

/** A number. If a narrow column has no room for it, digits are left out, and the exponent stays. */
function renderNumber(text: string) {
  const at = text.indexOf("e");
  if (at < 0) return text;
  return html`<span class="number"
    ><span class="digits">${text.slice(0, at)}</span><span>${text.slice(at)}</span></span
  >`;
}

/** The elements of a line. */
function lineValues(
  line: ValueLine,
  ranges: readonly IndexRange[],
  parts: readonly ElementValues[],
): (number | bigint)[] {
  const at = ranges.findIndex(({ start, end }) => start <= line.start && line.end <= end);
  const range = ranges[at];
  const part = parts[at];
  if (!range || !part) return [];
  return [...part.subarray(line.start - range.start, line.end - range.start)];
}
