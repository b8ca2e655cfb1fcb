import { type ColourScale, positionOn, colourRamp } from "./colour-scale.ts";

/** A grid of numbers, row after row. */
export interface Cells {
  rows: number;
  columns: number;
  numbers: Float32Array;
}

/** Draws the cells over the whole canvas, with cell edges on device pixels. A cell without a finite number is hatched. */
export function drawCells(
  canvas: HTMLCanvasElement,
  cells: Cells,
  scale: ColourScale | undefined,
  dark: boolean,
): void {
  const ratio = devicePixelRatio;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (width === 0 || height === 0) return;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const colours = scale && colourRamp(scale.kind, dark);
  const [ground, stroke] = dark ? [0xff2b2522, 0xff5e554c] : [0xffeceae6, 0xffa9a5a0];
  const line = new Uint32Array(width);
  const period = Math.max(3, Math.round(4 * ratio));
  for (let row = 0; row < cells.rows; row += 1) {
    const top = edge(row, cells.rows, height);
    const bottom = edge(row + 1, cells.rows, height);
    if (bottom === top) continue;
    let hatched = false;
    for (let column = 0; column < cells.columns; column += 1) {
      const number = cells.numbers[row * cells.columns + column] ?? NaN;
      let pixel = ground;
      if (scale && colours && Number.isFinite(number)) {
        const at = Math.round(positionOn(scale, number) * 255) * 3;
        // Little-endian: alpha, blue, green, red.
        pixel = (0xff << 24) | ((colours[at + 2] ?? 0) << 16) | ((colours[at + 1] ?? 0) << 8) | (colours[at] ?? 0);
      } else {
        hatched = true;
      }
      line.fill(pixel, edge(column, cells.columns, width), edge(column + 1, cells.columns, width));
    }
    for (let y = top; y < bottom; y += 1) pixels.set(line, y * width);
    if (!hatched) continue;
    for (let y = top; y < bottom; y += 1)
      for (let x = 0; x < width; x += 1)
        if (pixels[y * width + x] === ground && (x + y) % period < ratio) pixels[y * width + x] = stroke;
  }
  context.putImageData(image, 0, 0);
}

function edge(index: number, count: number, length: number): number {
  return Math.round((index * length) / count);
}
