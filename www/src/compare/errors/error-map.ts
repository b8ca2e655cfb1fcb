import type { TensorInfo } from "gguf-wasm/explain";
import { html, nothing, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { type ErrorScale, errorScale, errorStyle } from "../../gguf/error-scale.ts";
import { ABOUT_ERROR, formatError } from "../../gguf/nmse.ts";
import { BlockMap } from "../../summary/quantization-map/block-map.ts";
import type { DrawCell } from "../../summary/quantization-map/draw-grid.ts";
import type { GridRow } from "../../summary/quantization-map/grid.ts";
import { define } from "../../ui/define.ts";
import { renderText } from "../../ui/render-text.ts";
import { errorStyles } from "./error-styles.ts";
import { kindOf, renderLegend } from "./legend.ts";
import { largestError, stateOf, type TensorError } from "./tensor-errors.ts";
import { countWords, errorWords, typeWords } from "./words.ts";

/** The error of a model by block and role: a column for each block, a row for each role. `gguf` is the first file. */
export class GgufErrorMap extends BlockMap {
  /** The errors of the tensors of `gguf`. */
  @property({ attribute: false }) errors: readonly TensorError[] = [];
  /** How many tensors only the second file has. */
  @property({ attribute: false }) onlyInB = 0;

  protected readonly heading = "Error by block and role";
  protected readonly saveName = "errors";
  protected override readonly hint = "Each column is a block. Choose a cell to see the differences of its tensors.";
  #byIndex: ReadonlyMap<number, TensorError> = new Map();
  #scale: ErrorScale | undefined;

  static override styles = [...BlockMap.styles, errorStyles];

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!changed.has("errors")) return;
    this.#byIndex = new Map(this.errors.map((error) => [error.tensor.index, error]));
    this.#scale = errorScale(this.errors.map(({ nmse }) => nmse));
  }

  #errorsOf(tensors: readonly TensorInfo[]): TensorError[] {
    return tensors.flatMap(({ index }) => this.#byIndex.get(index) ?? []);
  }

  protected override intro() {
    const largest = largestError(this.errors);
    const where = this.errors.find(({ nmse }) => nmse === largest);
    return html`<p class="intro">
      ${ABOUT_ERROR} A is the original. A cell has the largest error of its tensors.
      ${
        largest === undefined || largest === 0 || where === undefined
          ? nothing
          : html`The largest of all: <strong>${formatError(largest)}</strong> in
              ${renderText(where.tensor.name, { limit: 120 })}.`
      }
      ${countWords(this.errors, this.onlyInB)}
    </p>`;
  }

  protected readonly cellOf: DrawCell = (grid, row, { block, tensors }) => {
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

  /** While a comparison runs, errors are added again and again. */
  protected get painted() {
    return this.#byIndex;
  }

  /** With the tensors outside of blocks, those with the largest errors first. */
  protected override legend() {
    const outer = this.outer
      .flatMap(({ title, tensor }) => this.#errorsOf([tensor]).map((error) => ({ title, error })))
      .sort((one, other) => (other.error.nmse ?? -1) - (one.error.nmse ?? -1))
      .map(({ title, error }) => ({
        title,
        style: kindOf(error.state, error.nmse) === "bits" ? errorStyle(this.#scale, error.nmse) : undefined,
        about: errorWords([error]),
      }));
    return html`${renderLegend(this.#scale, this.errors)}${this.renderOuter(outer)}`;
  }

  protected facts() {
    const headings = ["Least error", "Largest error", "Blocks not compared"];
    return this.grids.map((grid) => this.renderTable(grid, headings, (row) => this.#cells(row)));
  }

  #cells({ cells }: GridRow) {
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
    return [words(measured[0]), words(measured.at(-1)), blocks.length - measured.length];
  }
}

define("gguf-error-map", GgufErrorMap);
