import { html, nothing, type PropertyValues } from "lit";
import { guard } from "lit/directives/guard.js";
import { tensorRole } from "../../gguf/library.ts";
import { bitsStyles } from "../bits-style.ts";
import { placeFinder } from "../block-roles.ts";
import { Picture } from "../picture.ts";
import { type DrawCell, drawingHeight, GridDrawing, gridStyles } from "./draw-grid.ts";
import { columnHeads } from "../../ui/column-heads.ts";
import { type Grid, type GridRow, modelGrids, type ModelGrids } from "./grid.ts";

/** The most parts of a model, such as encoders, and the most tensors outside of blocks that are listed. */
const [MOST_PARTS, MOST_OUTER] = [6, 8];

/** A tensor outside of blocks in the legend. */
interface OuterItem {
  readonly title: string;
  /** The style of its colour. Undefined for none. */
  readonly style: string | undefined;
  readonly about: unknown;
}

/** A picture of a model with a column for each block and a row for each role. */
export abstract class BlockMap extends Picture {
  #model: ModelGrids = { grids: [], outer: [] };
  #drawing: { readonly model: ModelGrids; readonly width: number; readonly grid: GridDrawing } | undefined;

  static override styles = [...Picture.styles, bitsStyles, gridStyles];

  /** How a cell is drawn. */
  protected abstract readonly cellOf: DrawCell;
  /** What the cells show. While it stays the same object, they are not painted again. */
  protected abstract get painted(): unknown;

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) this.#model = modelGrids(this.gguf.tensors, placeFinder(tensorRole));
  }

  protected get grids(): readonly Grid[] {
    return this.#model.grids.slice(0, MOST_PARTS);
  }

  /** The embedding, the output and other tensors outside of blocks. */
  protected get outer(): ModelGrids["outer"] {
    return this.#model.outer;
  }

  protected override get reservedHeight(): number {
    return drawingHeight(this.grids);
  }

  protected draw(width: number) {
    if (this.#drawing?.model !== this.#model || this.#drawing.width !== width)
      this.#drawing = { model: this.#model, width, grid: new GridDrawing(this.grids, width) };
    const { grid } = this.#drawing;
    return guard([grid, this.painted], () => {
      grid.paint(this.cellOf);
      return grid.element;
    });
  }

  /** The first of the tensors outside of blocks. */
  protected renderOuter(items: readonly OuterItem[]) {
    return items.length === 0
      ? nothing
      : html`<ul class="legend outer" aria-label="Tensors outside of blocks">
          ${items.slice(0, MOST_OUTER).map(
            ({ title, style, about }) =>
              html`<li>
                ${style === undefined ? nothing : html`<span class="swatch" .style=${style}></span>`}${title}
                <span class="dim">${about}</span>
              </li>`,
          )}
        </ul>`;
  }

  /** A table of a grid with a row for each role. */
  protected renderTable(grid: Grid, headings: readonly string[], cells: (row: GridRow) => readonly unknown[]) {
    return html`<table>
      <caption class="sr">
        ${grid.title}
      </caption>
      ${columnHeads(grid.title, ...headings)}
      <tbody>
        ${[...grid.rows, grid.whole].map(
          (row) =>
            html`<tr>
              <th scope="row">${row.title}</th>
              ${cells(row).map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}
