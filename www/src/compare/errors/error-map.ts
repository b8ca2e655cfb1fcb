import type { TensorInfo } from "gguf-wasm";
import { html, nothing, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { tensorRole } from "../../gguf/library.ts";
import { bitsStyles } from "../../summary/bits-style.ts";
import { placeFinder } from "../../summary/block-roles.ts";
import { Picture } from "../../summary/picture.ts";
import { type DrawCell, GridDrawing, gridStyles } from "../../summary/quantization-map/draw-grid.ts";
import { type Grid, type GridRow, modelGrids, type ModelGrids } from "../../summary/quantization-map/grid.ts";
import { define } from "../../ui/define.ts";
import { formatMeasured } from "../../ui/numbers.ts";
import { renderText } from "../../ui/render-text.ts";
import { type ErrorScale, errorScale, errorStyle } from "./error-scale.ts";
import { errorStyles } from "./error-styles.ts";
import { kindOf, renderLegend } from "./legend.ts";
import { largestError, stateOf, type TensorError } from "./tensor-errors.ts";
import { countWords, errorWords, typeWords } from "./words.ts";

/** The most parts of a model, such as encoders, and the most tensors outside of blocks that are listed. */
const [MOST_PARTS, MOST_OUTER] = [6, 8];

/** The error of a model by block and role: a column for each block, a row for each role. `gguf` is the first file. */
export class GgufErrorMap extends Picture {
  /** The errors of the tensors of `gguf`. */
  @property({ attribute: false }) errors: readonly TensorError[] = [];
  /** How many tensors only the second file has. */
  @property({ attribute: false }) onlyInB = 0;

  protected readonly heading = "Error by block and role";
  protected readonly saveName = "errors";
  protected override readonly hint = "Each column is a block. Choose a cell to see the differences of its tensors.";
  #model: ModelGrids = { grids: [], outer: [] };
  #byIndex: ReadonlyMap<number, TensorError> = new Map();
  #scale: ErrorScale | undefined;
  #drawing: { readonly model: ModelGrids; readonly width: number; readonly grid: GridDrawing } | undefined;

  static override styles = [...Picture.styles, bitsStyles, gridStyles, errorStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) this.#model = modelGrids(this.gguf.tensors, placeFinder(tensorRole));
    if (!changed.has("errors")) return;
    this.#byIndex = new Map(this.errors.map((error) => [error.tensor.index, error]));
    this.#scale = errorScale(this.errors.map(({ nmse }) => nmse));
  }

  #errorsOf(tensors: readonly TensorInfo[]): TensorError[] {
    return tensors.flatMap(({ index }) => this.#byIndex.get(index) ?? []);
  }

  get #grids(): readonly Grid[] {
    return this.#model.grids.slice(0, MOST_PARTS);
  }

  protected override intro() {
    const largest = largestError(this.errors);
    const where = this.errors.find(({ nmse }) => nmse === largest);
    return html`<p class="intro">
      The normalised mean squared error (NMSE) of B relative to A. A cell has the largest error of its tensors.
      ${
        largest === undefined || largest === 0 || where === undefined
          ? nothing
          : html`The largest of all: <strong>${formatMeasured(largest)}</strong> in
              ${renderText(where.tensor.name, { limit: 120 })}.`
      }
      ${countWords(this.errors, this.onlyInB)}
    </p>`;
  }

  protected draw(width: number) {
    const cellOf: DrawCell = (grid, row, { block, tensors }) => {
      const errors = this.#errorsOf(tensors);
      const state = stateOf(errors);
      const nmse = largestError(errors);
      return {
        kind: kindOf(state, nmse),
        style: errorStyle(this.#scale, nmse),
        words: `${grid.title} ${block}, ${row.title.toLowerCase()}: ${errorWords(errors)}, ${typeWords(errors)}`,
        isCrossed: state === "unmeasured",
        isDead: !errors.some(({ isListed }) => isListed),
      };
    };
    if (this.#drawing?.model !== this.#model || this.#drawing.width !== width)
      this.#drawing = { model: this.#model, width, grid: new GridDrawing(this.#grids, width) };
    const { grid } = this.#drawing;
    // While a comparison runs, errors are added again and again.
    return guard([grid, this.#byIndex], () => {
      grid.paint(cellOf);
      return grid.element;
    });
  }

  protected override legend() {
    return html`${renderLegend(this.#scale, this.errors)}${this.#renderOuter()}`;
  }

  /** The embedding, the output and other tensors outside of blocks, those with the largest errors first. */
  #renderOuter() {
    const outer = this.#model.outer
      .flatMap(({ title, tensor }) => this.#errorsOf([tensor]).map((error) => ({ title, error })))
      .sort((one, other) => (other.error.nmse ?? -1) - (one.error.nmse ?? -1))
      .slice(0, MOST_OUTER);
    return outer.length === 0
      ? nothing
      : html`<ul class="legend" aria-label="Tensors outside of blocks">
          ${outer.map(
            ({ title, error }) =>
              html`<li>
                ${
                  kindOf(error.state, error.nmse) === "bits"
                    ? html`<span class="swatch" .style=${errorStyle(this.#scale, error.nmse)}></span>`
                    : nothing
                }${title} <span class="dim">${errorWords([error])}</span>
              </li>`,
          )}
        </ul>`;
  }

  protected facts() {
    return this.#grids.map(
      (grid) =>
        html`<table>
          <caption class="sr">
            ${grid.title}
          </caption>
          <thead>
            <tr>
              <th scope="col">${grid.title}</th>
              <th scope="col">Least error</th>
              <th scope="col">Largest error</th>
              <th scope="col">Blocks not compared</th>
            </tr>
          </thead>
          <tbody>
            ${[...grid.rows, grid.whole].map((row) => this.#renderRow(row))}
          </tbody>
        </table>`,
    );
  }

  #renderRow({ title, cells }: GridRow) {
    const blocks = cells.flatMap((cell) => {
      if (cell === undefined) return [];
      const errors = this.#errorsOf(cell.tensors);
      return [{ block: cell.block, errors, nmse: largestError(errors) }];
    });
    const measured = blocks
      .flatMap(({ block, errors, nmse }) => (nmse === undefined ? [] : [{ block, errors, nmse }]))
      .sort((one, other) => one.nmse - other.nmse);
    const words = (found: (typeof measured)[number] | undefined) =>
      found === undefined ? "not known" : `${errorWords(found.errors)} in block ${found.block}`;
    return html`<tr>
      <th scope="row">${title}</th>
      <td>${words(measured[0])}</td>
      <td>${words(measured.at(-1))}</td>
      <td>${blocks.length - measured.length}</td>
    </tr>`;
  }
}

define("gguf-error-map", GgufErrorMap);
