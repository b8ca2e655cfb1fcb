/** Rows of a tensor as pictures: the original, the quantized one, and the difference. */

import type { TriedRows } from "gguf-wasm/convert";
import { type ColourScale, colourScale } from "../../ui/colour-scale.ts";
import type { Cells } from "../../ui/heat-canvas.ts";

export interface Strip {
  readonly cells: Cells;
  readonly scale: ColourScale | undefined;
}

export interface Strips {
  readonly all: readonly [original: Strip, converted: Strip, difference: Strip];
  readonly shownColumns: number;
  /** The root mean square of the difference, as a share of that of the weights. */
  readonly relative: number;
}

/** The first columns of the rows. The original and the quantized rows have one scale. */
export function stripsOf({ original, converted, columns, rowCount }: TriedRows, mostColumns: number): Strips {
  const shownColumns = Math.min(columns, mostColumns);
  const difference = converted.map((number, i) => number - (original[i] ?? 0));
  const cellsOf = (numbers: Float32Array): Cells => {
    const shown = new Float32Array(rowCount * shownColumns);
    for (let row = 0; row < rowCount; row += 1)
      shown.set(numbers.subarray(row * columns, row * columns + shownColumns), row * shownColumns);
    return { rows: rowCount, columns: shownColumns, numbers: shown };
  };
  const [before, after, between] = [cellsOf(original), cellsOf(converted), cellsOf(difference)];
  const scale = colourScale(before.numbers);
  const squares = (numbers: Float32Array) => numbers.reduce((sum, number) => sum + number * number, 0);
  const whole = squares(original);
  return {
    all: [
      { cells: before, scale },
      { cells: after, scale },
      { cells: between, scale: colourScale(between.numbers) },
    ],
    shownColumns,
    relative: whole > 0 ? Math.sqrt(squares(difference) / whole) : 0,
  };
}
