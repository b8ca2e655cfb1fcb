/** Where the figures of a card stand: beside each other, with the same space between them. */

import { escapeText } from "../ui/text.ts";
import type { CardFigure } from "./card-facts.ts";

/** The size of a value's letters in px, unless many long values need smaller ones. */
const SIZE = 18;
/** The width of the widest letters in common use: of a value, as a part of its size, and of a label, in px. */
const LETTER = { value: 0.62, label: 6.1 };
/** The most letters of a value. */
const MOST_LETTERS = 16;
/** The least and the most space between two figures in px. */
const SPACE = { least: 10, most: 44 };

export interface FigurePlace extends CardFigure {
  /** The distance from the left edge of the figures, in px. */
  readonly x: number;
  /** The width that is reserved for it, in px. */
  readonly width: number;
  /** The size of the value's letters in px. */
  readonly size: number;
}

/** The places of the figures in a line of `inner` px. */
export function figurePlaces(figures: readonly CardFigure[], inner: number): FigurePlace[] {
  const placed = figures.map(({ value, label }) => ({ value: escapeText(value, MOST_LETTERS), label }));
  const gaps = Math.max(1, placed.length - 1);
  const widthsFor = (size: number) =>
    placed.map(({ value, label }) => Math.max(LETTER.value * size * value.length, LETTER.label * label.length));
  const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);
  let size = SIZE;
  while (size > 9 && total(widthsFor(size)) + gaps * SPACE.least > inner) size -= 1;
  const widths = widthsFor(size);
  const space = Math.min(SPACE.most, (inner - total(widths)) / gaps);
  let next = 0;
  return placed.map((figure, at) => {
    const width = widths[at] ?? 0;
    const x = next;
    next += width + space;
    return { ...figure, x, width, size };
  });
}
