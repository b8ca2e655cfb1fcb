import type { TensorInfo } from "gguf-wasm/explain";
import { css, html, nothing, type PropertyValues } from "lit";
import { fileTypeName, typeShares } from "../../gguf/tensor-types.ts";
import { define } from "../../ui/define.ts";
import { formatBytes, formatCount, formatPercent } from "../../ui/numbers.ts";
import { renderText } from "../../ui/render-text.ts";
import { bitsStyle } from "../bits-style.ts";
import { quantization } from "../quantization.ts";
import { BlockMap } from "./block-map.ts";
import type { DrawCell } from "./draw-grid.ts";
import { MOST_BLOCKS } from "./grid.ts";
import { cellWords, roleWords, spentWords } from "./words.ts";

/** The bits per weight of a model: a column for each block, a row for each role. */
export class GgufQuantizationMap extends BlockMap {
  protected readonly heading = "How it was quantized";
  protected readonly saveName = "quantization";
  protected override readonly hint = "Each column is a block. Choose a cell to see its tensors.";
  /** The types of the model by their bits per weight, ascending. Only types that ggml has are here, so the list has an end. */
  #types: readonly { type: string; bits: number }[] = [];

  static override styles = [
    ...BlockMap.styles,
    css`
      .outer {
        margin-top: 10px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!changed.has("gguf")) return;
    this.#styles.clear();
    const { tensors } = this.gguf;
    this.#types = typeShares(tensors)
      .flatMap(({ type, bytes, elements }) =>
        bytes > 0 && elements > 0 ? [{ type, bits: (8 * bytes) / elements }] : [],
      )
      .sort((a, b) => a.bits - b.bits);
  }

  get #bits(): number[] {
    return [...new Set(this.#types.map(({ bits }) => bits))];
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
      ${this.#typesWords()} ${this.grids.map((grid) => spentWords(grid)).join(" ")}
    </p>`;
  }

  /** The types with the most bytes. */
  #typesWords(): string {
    const shares = typeShares(this.gguf.tensors).filter(({ bytes }) => bytes > 0);
    const total = shares.reduce((sum, { bytes }) => sum + bytes, 0);
    const listed = shares.slice(0, 3).map(({ type, bytes }) => `${type} ${formatPercent(bytes, total)}`);
    return listed.length === 0 ? "" : `The tensors by size: ${listed.join(", ")}.`;
  }

  /** Many cells have the same bits. */
  readonly #styles = new Map<number | undefined, string>();

  protected readonly cellOf: DrawCell = (grid, row, cell) => {
    const style = this.#styles.get(cell.bits) ?? bitsStyle(cell.bits, this.#bits);
    this.#styles.set(cell.bits, style);
    return { kind: "bits", style, words: cellWords(grid, row, cell) };
  };

  protected get painted() {
    return this.#types;
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

  /** The tensors outside of blocks, the largest first. */
  #renderOuter() {
    const outer = this.outer
      .filter(({ tensor }) => tensor.dimensions.length > 1)
      .sort((a, b) => (b.tensor.byteLength ?? 0) - (a.tensor.byteLength ?? 0));
    return this.renderOuter(
      outer.map(({ title, tensor }) => ({
        title,
        style: bitsStyle(bitsOf(tensor), this.#bits),
        about: html`<span class="mono">${tensor.type}</span>${
            tensor.byteLength === undefined ? nothing : ` ${formatBytes(tensor.byteLength)}`
          }`,
      })),
    );
  }

  protected facts() {
    return this.grids.map(
      (grid) =>
        html`${this.renderTable(grid, ["Types and bits per weight"], (row) => [
          row === grid.whole ? spentWords(grid) : roleWords(row).map((words) => html`<div>${words}</div>`),
        ])}${
          grid.blockCount > MOST_BLOCKS
            ? html`<p class="hint">The first ${MOST_BLOCKS} of ${formatCount(grid.blockCount, "block")} are shown.</p>`
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
