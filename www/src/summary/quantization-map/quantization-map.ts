import type { TensorInfo } from "gguf-wasm";
import { css, html, nothing, type PropertyValues } from "lit";
import { guard } from "lit/directives/guard.js";
import { tensorRole } from "../../gguf/library.ts";
import { fileTypeName, typeShares } from "../../gguf/tensor-types.ts";
import { define } from "../../ui/define.ts";
import { formatBytes, formatCount, formatPercent } from "../../ui/numbers.ts";
import { renderText } from "../../ui/render-text.ts";
import { bitsStyle, bitsStyles } from "../bits-style.ts";
import { placeFinder } from "../block-roles.ts";
import { Picture } from "../picture.ts";
import { quantization } from "../quantization.ts";
import { type DrawCell, GridDrawing, gridStyles } from "./draw-grid.ts";
import { type Grid, modelGrids, type ModelGrids, MOST_BLOCKS } from "./grid.ts";
import { cellWords, roleWords, spentWords } from "./words.ts";

/** The most parts of a model, such as encoders, and the most tensors outside of blocks that are listed. */
const [MOST_PARTS, MOST_OUTER] = [6, 8];

/** The bits per weight of a model: a column for each block, a row for each role. */
export class GgufQuantizationMap extends Picture {
  protected readonly heading = "How it was quantized";
  protected readonly saveName = "quantization";
  protected override readonly hint = "Each column is a block. Choose a cell to see its tensors.";
  #model: ModelGrids = { grids: [], outer: [] };
  /** The types of the model by their bits per weight, ascending. Only types that ggml has are here, so the list has an end. */
  #types: readonly { type: string; bits: number }[] = [];

  static override styles = [
    ...Picture.styles,
    bitsStyles,
    gridStyles,
    css`
      .outer {
        margin-top: 10px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("gguf")) return;
    const { tensors } = this.gguf;
    this.#model = modelGrids(tensors, placeFinder(tensorRole));
    this.#types = typeShares(tensors)
      .flatMap(({ type, bytes, elements }) =>
        bytes > 0 && elements > 0 ? [{ type, bits: (8 * bytes) / elements }] : [],
      )
      .sort((a, b) => a.bits - b.bits);
  }

  get #bits(): number[] {
    return [...new Set(this.#types.map(({ bits }) => bits))];
  }

  get #grids(): readonly Grid[] {
    return this.#model.grids.slice(0, MOST_PARTS);
  }

  protected override intro() {
    const declared = fileTypeName(this.gguf.metadata.get("general.file_type"));
    const differs = quantization(this.gguf).value?.startsWith("declared") ?? false;
    return html`<p class="intro">
      ${
        declared === undefined
          ? "The file declares no quantization."
          : html`Declared:
              <strong>${renderText(declared)}</strong>${differs ? ", which the tensors are not" : nothing}.`
      }
      ${this.#typesWords()} ${this.#grids.map((grid) => spentWords(grid)).join(" ")}
    </p>`;
  }

  /** The types with the most bytes. */
  #typesWords(): string {
    const shares = typeShares(this.gguf.tensors).filter(({ bytes }) => bytes > 0);
    const total = shares.reduce((sum, { bytes }) => sum + bytes, 0);
    const listed = shares.slice(0, 3).map(({ type, bytes }) => `${type} ${formatPercent(bytes, total)}`);
    return listed.length === 0 ? "" : `The tensors by size: ${listed.join(", ")}.`;
  }

  protected draw(width: number) {
    const knownBits = this.#bits;
    // Many cells have the same bits.
    const styles = new Map<number | undefined, string>();
    const styleOf = (bits: number | undefined) => {
      const style = styles.get(bits) ?? bitsStyle(bits, knownBits);
      styles.set(bits, style);
      return style;
    };
    const cellOf: DrawCell = (grid, row, cell) => ({
      kind: "bits",
      style: styleOf(cell.bits),
      words: cellWords(grid, row, cell),
    });
    return guard([this.#model, width], () => {
      const drawing = new GridDrawing(this.#grids, width);
      drawing.paint(cellOf);
      return drawing.element;
    });
  }

  protected override legend() {
    return html`<ul class="legend" aria-label="Types by bits per weight">
        ${this.#types.map(
          ({ type, bits }) =>
            html`<li>
              <span class="swatch" .style=${bitsStyle(bits, this.#bits)}></span><span class="mono">${type}</span>
              <span class="dim">${formatShort(bits)} bits</span>
            </li>`,
        )}
      </ul>
      ${this.#renderOuter()}`;
  }

  /** The embedding, the output and other tensors outside of blocks, the largest first. */
  #renderOuter() {
    const outer = this.#model.outer
      .filter(({ tensor }) => tensor.dimensions.length > 1)
      .sort((a, b) => (b.tensor.byteLength ?? 0) - (a.tensor.byteLength ?? 0))
      .slice(0, MOST_OUTER);
    return outer.length === 0
      ? nothing
      : html`<ul class="legend outer" aria-label="Tensors outside of blocks">
          ${outer.map(
            ({ title, tensor }) =>
              html`<li>
                <span class="swatch" .style=${bitsStyle(bitsOf(tensor), this.#bits)}></span>${title}
                <span class="dim"
                  ><span class="mono">${tensor.type}</span>${
                    tensor.byteLength === undefined ? nothing : ` ${formatBytes(tensor.byteLength)}`
                  }</span
                >
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
                <th scope="col">Types and bits per weight</th>
              </tr>
            </thead>
            <tbody>
              ${[...grid.rows, grid.whole].map(
                (row) =>
                  html`<tr>
                    <th scope="row">${row.title}</th>
                    <td>
                      ${row === grid.whole ? spentWords(grid) : roleWords(row).map((words) => html`<div>${words}</div>`)}
                    </td>
                  </tr>`,
              )}
            </tbody>
          </table>
          ${
            grid.blockCount > MOST_BLOCKS
              ? html`<p class="hint">
                  The first ${MOST_BLOCKS} of ${formatCount(grid.blockCount, "block")} are shown.
                </p>`
              : nothing
          }`,
    );
  }
}

function bitsOf({ byteLength, elementCount = 0 }: TensorInfo): number | undefined {
  return byteLength === undefined || elementCount === 0 ? undefined : (8 * byteLength) / elementCount;
}

function formatShort(bits: number): string {
  return String(Number(bits.toFixed(2)));
}

define("gguf-quantization-map", GgufQuantizationMap);
