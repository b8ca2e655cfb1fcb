/** Draws the blocks of a model: a column for each block, a row for each role. */

import { scaleBand } from "d3-scale";
import { css } from "lit";
import { formatId } from "../../ui/numbers.ts";
import { svgElement, svgLabel } from "../../ui/svg-element.ts";
import { commonStart } from "../common-start.ts";
import type { Grid, GridCell, GridRow } from "./grid.ts";

/** The heights of rows, of the line between the roles and the whole block, and of the parts around the cells, in px. */
const SIZES = { row: 19, whole: 6, title: 20, axis: 20, between: 18 };

/** How a cell is drawn. */
export interface DrawnCell {
  /** The class that fills it. */
  readonly kind: string;
  readonly style: string;
  /** What it says to people who do not see it. */
  readonly words: string;
  /** Whether a line crosses it, because it has no figure. */
  readonly isCrossed?: boolean;
  /** Whether it leads nowhere. */
  readonly isDead?: boolean;
}

/** How a cell of a grid is drawn. */
export type DrawCell = (grid: Grid, row: GridRow, cell: GridCell) => DrawnCell;

/** A cell of a drawing, with its line once it has one. */
interface PlacedCell {
  readonly grid: Grid;
  readonly row: GridRow;
  readonly cell: GridCell;
  readonly rect: SVGRectElement;
  cross: SVGLineElement | undefined;
}

/**
 * The parts of a model below each other. The cells keep their places: `paint` changes only how they look, so a cell that has the focus or the
 * pointer stays. With templates of lit, the update of a map of 1,025 tensors takes 36 ms
 * instead of 20.
 */
export class GridDrawing {
  readonly element: SVGElement;
  readonly #cells: PlacedCell[] = [];

  constructor(grids: readonly Grid[], width: number) {
    const left = width < 480 ? 104 : 148;
    this.element = svgElement("svg", { width, role: "group", "aria-labelledby": "title" });
    this.element.setAttribute("height", String(drawingHeight(grids)));
    let top = 0;
    let row = 0;
    for (const grid of grids) {
      const place = { left, width, top, row, hasTitle: grids.length > 1 };
      top += drawGrid(this.element, grid, place, this.#cells) + SIZES.between;
      row += grid.rows.length + 1;
    }
  }

  /** Gives each cell its colour and its words. */
  paint(cellOf: DrawCell): void {
    for (const placed of this.#cells) paintCell(placed, cellOf(placed.grid, placed.row, placed.cell));
  }
}

function paintCell(placed: PlacedCell, { kind, style, words, isCrossed = false, isDead = false }: DrawnCell): void {
  const { rect, grid, row, cell } = placed;
  rect.setAttribute("class", `cell face ${kind}`);
  rect.setAttribute("role", isDead ? "img" : "link");
  if (isDead) rect.removeAttribute("data-filter");
  else rect.setAttribute("data-filter", filterOf(grid, row, cell));
  rect.setAttribute("aria-label", words);
  // The content security policy of the page refuses an attribute `style`.
  rect.style.cssText = style;
  if (isCrossed) {
    placed.cross ??= crossOf(rect);
    rect.after(placed.cross);
  } else placed.cross?.remove();
}

/** A line through a cell. */
function crossOf(rect: SVGRectElement): SVGLineElement {
  const [x, y, height] = [numberOf(rect, "x"), numberOf(rect, "y"), numberOf(rect, "height")];
  const right = (x + numberOf(rect, "width")).toFixed(2);
  return svgElement("line", { class: "cross", "aria-hidden": true, x1: x, x2: right, y1: y + height, y2: y });
}

function numberOf(element: SVGElement, attribute: string): number {
  return Number(element.getAttribute(attribute));
}

export const gridStyles = css`
  .cell {
    rx: 1.5px;
  }
  .cell:hover {
    stroke: var(--gguf-ink);
    stroke-width: 1.5px;
  }
  .cross {
    stroke: var(--gguf-ink-3);
    stroke-width: 1px;
    pointer-events: none;
  }
  .part {
    fill: var(--gguf-ink);
    font-weight: 600;
  }
  .axis {
    font-size: var(--gguf-text-tiny);
  }
  @media (forced-colors: active) {
    .cross {
      stroke: CanvasText;
    }
  }
`;

interface GridPlace {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  /** The number of the first row, for the keyboard. */
  readonly row: number;
  readonly hasTitle: boolean;
}

/** The height of a drawing of grids, which follows from their rows. */
export function drawingHeight(grids: readonly Grid[]): number {
  const title = grids.length > 1 ? SIZES.title : 0;
  const heights = grids.map(({ rows }) => title + (rows.length + 1) * SIZES.row + SIZES.whole + SIZES.axis);
  return heights.reduce((sum, height) => sum + height + SIZES.between, heights.length > 0 ? -SIZES.between : 0);
}

/** Places the cells of a part of the model, with the names of the rows and the numbers of the blocks. Returns the height of the part. */
function drawGrid(
  picture: SVGElement,
  grid: Grid,
  { left, width, top, row: firstRow, hasTitle }: GridPlace,
  cells: PlacedCell[],
): number {
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
  if (hasTitle) picture.append(svgLabel(`${grid.title}s`, { class: "part", "aria-hidden": true, x: 0, y: top + 13 }));
  for (const [rowAt, row] of rows.entries()) {
    picture.append(svgLabel(row.title, { "aria-hidden": true, x: 0, y: rowTop(rowAt) + 13 }));
    const placed = placeRow(grid, row, { x, cellWidth, top: rowTop(rowAt), row: firstRow + rowAt });
    cells.push(...placed);
    picture.append(...placed.map(({ rect }) => rect));
  }
  for (const at of axisTicks(grid.blocks.length, step)) {
    const place = { x: (x(at) + cellWidth / 2).toFixed(1), y: bottom + 13 };
    const words = formatId(grid.blocks[at] ?? at);
    picture.append(svgLabel(words, { class: "axis", "aria-hidden": true, "text-anchor": "middle", ...place }));
  }
  return bottom - top + SIZES.axis;
}

interface RowPlace {
  /** Where the cell of a block starts. */
  readonly x: (at: number) => number;
  readonly cellWidth: number;
  readonly top: number;
  /** The number of the row, for the keyboard. */
  readonly row: number;
}

/** Places the cells of a row. They are copies of one element, which has what they share. */
function placeRow(grid: Grid, row: GridRow, { x, cellWidth, top, row: number }: RowPlace): PlacedCell[] {
  const [width, height] = [cellWidth.toFixed(2), SIZES.row - 2];
  const shared = svgElement("rect", { tabindex: -1, "data-row": number, y: top, width, height });
  return row.cells.flatMap((cell, at) => {
    if (cell === undefined) return [];
    const rect = shared.cloneNode() as SVGRectElement;
    rect.setAttribute("data-column", String(at));
    rect.setAttribute("x", x(at).toFixed(2));
    return [{ grid, row, cell, rect, cross: undefined }];
  });
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
