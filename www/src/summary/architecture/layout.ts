/** Where the boxes of the picture of an architecture are, and how their texts are broken into lines. */

import type { Box } from "./block-boxes.ts";
import type { BlockFold, Stage } from "./model-parts.ts";

/** A box at its place, in px. */
export interface PlacedBox {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: readonly string[];
  readonly lines: readonly string[];
  /** The place for the keyboard. */
  readonly row: number;
  readonly column: number;
}

/** Folded blocks at their place, in px. */
export interface PlacedFold {
  readonly fold: BlockFold;
  readonly y: number;
  readonly height: number;
}

export interface Layout {
  readonly boxes: readonly PlacedBox[];
  readonly folds: readonly PlacedFold[];
  /** Where an arrow leads from one stage to the next, or from one step of a block to the next: the middles of the gaps. */
  readonly arrows: readonly number[];
  readonly height: number;
}

/** Distances in px: around texts in a box, between boxes, between stages, and the heights of lines. */
export const SPACE = { inner: 9, gap: 8, stage: 24, step: 16, title: 17, line: 16, foldHead: 26 } as const;
/** The width of a letter of a title and of a line, on average, in px. */
const LETTER = { title: 7.7, line: 6.4 } as const;

/** The width in px from which a box has its facts in one line. */
const WIDE = 300;

/** Places the stages of a model below each other. `width` is that of the picture. */
export function layOut(stages: readonly Stage[], width: number): Layout {
  const boxes: PlacedBox[] = [];
  const folds: PlacedFold[] = [];
  const arrows: number[] = [];
  let y = 0;
  let row = 0;
  const most = width < 420 ? 2 : 4;
  const addRows = (items: readonly Box[], left: number, room: number): void => {
    for (let from = 0; from < items.length; from += most) {
      const inRow = items.slice(from, from + most);
      if (from > 0) y += SPACE.gap;
      const boxWidth = (room - SPACE.gap * (inRow.length - 1)) / inRow.length;
      const texts = inRow.map((box) => ({
        title: wrap(box.title, (boxWidth - 2 * SPACE.inner) / LETTER.title),
        // A box that has the whole width needs few lines.
        lines: (boxWidth > WIDE ? [box.lines.join("; ")] : box.lines)
          .filter((line) => line !== "")
          .flatMap((line) => wrap(line, (boxWidth - 2 * SPACE.inner) / LETTER.line)),
      }));
      const height =
        2 * SPACE.inner -
        4 +
        Math.max(...texts.map(({ title, lines }) => title.length * SPACE.title + lines.length * SPACE.line));
      for (const [column, box] of inRow.entries()) {
        const x = left + column * (boxWidth + SPACE.gap);
        const { title, lines } = texts[column] ?? { title: [], lines: [] };
        boxes.push({ box, x, y, width: boxWidth, height, title, lines, row, column });
      }
      y += height;
      row += 1;
    }
  };
  for (const stage of stages) {
    if (y > 0) {
      arrows.push(y + SPACE.stage / 2);
      y += SPACE.stage;
    }
    if ("boxes" in stage) {
      addRows(stage.boxes, 0, width);
      continue;
    }
    for (const [at, fold] of stage.folds.entries()) {
      if (at > 0) y += SPACE.gap;
      const top = y;
      y += SPACE.foldHead;
      const steps = [...new Set(fold.boxes.map(({ step }) => step))].sort((a, b) => a - b);
      for (const [order, step] of steps.entries()) {
        if (order > 0) {
          arrows.push(y + SPACE.step / 2);
          y += SPACE.step;
        }
        const inStep = fold.boxes.filter((box) => box.step === step);
        addRows(inStep, SPACE.gap, width - 2 * SPACE.gap);
      }
      y += SPACE.gap;
      folds.push({ fold, y: top, height: y - top });
    }
  }
  return { boxes, folds, arrows, height: y };
}

/** Breaks a text between words into lines of at most `most` letters. */
export function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= most) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
