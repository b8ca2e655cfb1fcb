import type { Gguf, TensorInfo } from "gguf-wasm";
import { scaleBand } from "d3-scale";
import { css, html, nothing, type PropertyValues, svg } from "lit";
import { tensorRole } from "../../gguf/library.ts";
import { fileTypeName, typeShares } from "../../gguf/tensor-types.ts";
import { define } from "../../ui/define.ts";
import { formatBytes, formatCount, formatId, formatPercent } from "../../ui/numbers.ts";
import { renderText } from "../../ui/render-text.ts";
import { bitsStyle, bitsStyles } from "../bits-style.ts";
import { placeFinder } from "../block-roles.ts";
import { commonStart } from "../common-start.ts";
import { Picture } from "../picture.ts";
import { quantisation } from "../quantisation.ts";
import { type Grid, type GridCell, type GridRow, modelGrids, type ModelGrids, MOST_BLOCKS } from "./grid.ts";
import { cellWords, roleWords, spentWords } from "./words.ts";

/** The heights of rows, of the line between the roles and the whole block, and of the parts around the cells, in px. */
const SIZES = { row: 19, whole: 6, title: 20, axis: 20, between: 18 };
/** The most parts of a model, such as encoders, and the most tensors outside of blocks that are listed. */
const [MOST_PARTS, MOST_OUTER] = [6, 8];

/** The bits per weight of a model: a column for each block, a row for each role. */
export class GgufQuantisationMap extends Picture {
  protected readonly heading = "How it was quantized";
  protected readonly saveName = "quantization";
  protected override readonly hint = "Each column is a block. Choose a cell to see its tensors.";
  #model: ModelGrids = { grids: [], outer: [] };
  /** The types of the model by their bits per weight, ascending. */
  #types: readonly { type: string; bits: number }[] = [];

  static override styles = [
    ...Picture.styles,
    bitsStyles,
    css`
      .cell {
        rx: 1.5px;
      }
      .cell:hover {
        stroke: var(--gguf-ink);
        stroke-width: 1.5px;
      }
      .part {
        fill: var(--gguf-ink);
        font-weight: 600;
      }
      .axis {
        font-size: 11px;
      }
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
    const differs = quantisation(this.gguf).value?.startsWith("declared") ?? false;
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
    const left = width < 480 ? 104 : 148;
    let top = 0;
    let row = 0;
    const parts = this.#grids.map((grid) => {
      const drawn = drawGrid(grid, { left, width, top, row, hasTitle: this.#grids.length > 1, knownBits: this.#bits });
      top += drawn.height + SIZES.between;
      row += grid.rows.length + 1;
      return drawn.content;
    });
    const height = Math.max(0, top - SIZES.between);
    return html`<svg width=${width} height=${height} role="group" aria-labelledby="title">${parts}</svg>`;
  }

  protected override legend() {
    return html`<ul class="legend" aria-label="Types by bits per weight">
        ${this.#types.slice(0, 16).map(
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

interface GridPlace {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  /** The number of the first row, for the keyboard. */
  readonly row: number;
  readonly hasTitle: boolean;
  readonly knownBits: readonly number[];
}

/** The cells of a part of the model, with the names of the rows and the numbers of the blocks. */
function drawGrid(grid: Grid, { left, width, top, row: firstRow, hasTitle, knownBits }: GridPlace) {
  const columns = scaleBand<number>()
    .domain(grid.blocks.map((_, at) => at))
    .range([left, width])
    .paddingInner(grid.blocks.length * 4 < width - left ? 0.12 : 0);
  // A model of two blocks has no cells as wide as the page.
  const cellWidth = Math.min(columns.bandwidth(), 60);
  const step = Math.min(columns.step(), 64);
  const x = (at: number) => left + at * step;
  const cellsTop = top + (hasTitle ? SIZES.title : 0);
  const rows = [...grid.rows, grid.whole];
  const rowTop = (at: number) => cellsTop + at * SIZES.row + (at === grid.rows.length ? SIZES.whole : 0);
  const bottom = rowTop(rows.length - 1) + SIZES.row;
  const cell = (found: GridCell | undefined, row: GridRow, rowAt: number, at: number) =>
    found === undefined
      ? nothing
      : svg`<rect
          class="cell face bits"
          role="link"
          data-row=${firstRow + rowAt}
          data-column=${at}
          data-filter=${filterOf(grid, row, found)}
          aria-label=${cellWords(grid, row, found)}
          x=${x(at).toFixed(2)}
          y=${rowTop(rowAt)}
          width=${cellWidth.toFixed(2)}
          height=${SIZES.row - 2}
          .style=${bitsStyle(found.bits, knownBits)}
        ></rect>`;
  const content = svg`
    ${hasTitle ? svg`<text class="part" aria-hidden="true" x="0" y=${top + 13}>${grid.title}s</text>` : nothing}
    ${rows.map(
      (row, rowAt) => svg`
        <text aria-hidden="true" x="0" y=${rowTop(rowAt) + 13}>${row.title}</text>
        ${row.cells.map((found, at) => cell(found, row, rowAt, at))}`,
    )}
    ${axisTicks(grid.blocks.length, step).map(
      (at) => svg`<text
        class="axis"
        aria-hidden="true"
        text-anchor="middle"
        x=${(x(at) + cellWidth / 2).toFixed(1)}
        y=${bottom + 13}
      >${formatId(grid.blocks[at] ?? at)}</text>`,
    )}`;
  return { content, height: bottom - top + SIZES.axis };
}

/** The columns whose block numbers are written: as many as fit beside each other. */
function axisTicks(count: number, step: number): number[] {
  const every = [1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100].find((each) => each * step >= 26) ?? count;
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}

/** The words that filter the table of tensors: the block, and the beginning of the name if all tensors of the cell share one. */
function filterOf({ prefix }: Grid, row: GridRow, { block, tensors }: GridCell): string {
  const inBlock = `${prefix}${formatId(block)}.`;
  if (row.name === "whole") return inBlock;
  const names = tensors.map(({ name }) => name.slice(inBlock.length));
  return `${inBlock}${commonStart(names)}`;
}

function bitsOf({ byteLength, elementCount = 0 }: TensorInfo): number | undefined {
  return byteLength === undefined || elementCount === 0 ? undefined : (8 * byteLength) / elementCount;
}

function formatShort(bits: number): string {
  return String(Number(bits.toFixed(2)));
}

/** Whether the map has something to show: a model with blocks whose tensors have known roles. */
export function hasBlocks({ tensors }: Pick<Gguf, "tensors">): boolean {
  return tensors.some(({ name }) => /(?:^|\.)blk\.\d+\./.test(name));
}

define("gguf-quantisation-map", GgufQuantisationMap);
