/** Draws the blocks of a model: a column for each block, a row for each role. */

import { scaleBand } from "d3-scale";
import { css, html, nothing, svg } from "lit";
import { formatId } from "../../ui/numbers.ts";
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

/** The parts of a model below each other, as an SVG. */
export function drawGrids(grids: readonly Grid[], width: number, cellOf: DrawCell) {
  const left = width < 480 ? 104 : 148;
  let top = 0;
  let row = 0;
  const parts = grids.map((grid) => {
    const drawn = drawGrid(grid, { left, width, top, row, hasTitle: grids.length > 1 }, cellOf);
    top += drawn.height + SIZES.between;
    row += grid.rows.length + 1;
    return drawn.content;
  });
  const height = Math.max(0, top - SIZES.between);
  return html`<svg width=${width} height=${height} role="group" aria-labelledby="title">${parts}</svg>`;
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
    font-size: 11px;
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

/** The cells of a part of the model, with the names of the rows and the numbers of the blocks. */
function drawGrid(grid: Grid, { left, width, top, row: firstRow, hasTitle }: GridPlace, cellOf: DrawCell) {
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
  const cell = (found: GridCell | undefined, row: GridRow, rowAt: number, at: number) => {
    if (found === undefined) return nothing;
    const { kind, style, words, isCrossed = false, isDead = false } = cellOf(grid, row, found);
    const [start, cellTop, cellHeight] = [x(at), rowTop(rowAt), SIZES.row - 2];
    return svg`<rect
        class="cell face ${kind}"
        role=${isDead ? "img" : "link"}
        tabindex="-1"
        data-row=${firstRow + rowAt}
        data-column=${at}
        data-filter=${isDead ? nothing : filterOf(grid, row, found)}
        aria-label=${words}
        x=${start.toFixed(2)}
        y=${cellTop}
        width=${cellWidth.toFixed(2)}
        height=${cellHeight}
        .style=${style}
      ></rect>${
        isCrossed
          ? svg`<line
              class="cross"
              aria-hidden="true"
              x1=${start.toFixed(2)}
              x2=${(start + cellWidth).toFixed(2)}
              y1=${cellTop + cellHeight}
              y2=${cellTop}
            ></line>`
          : nothing
      }`;
  };
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
