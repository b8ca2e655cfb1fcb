// Operates the values of a tensor, as a person does.

import { expect, type Locator, type Page } from "@playwright/test";

export const wave = (row: number, column: number) => Math.fround(Math.sin(row / 9) * Math.cos(column / 7) * 2);

export const detail = (page: Page) => page.locator("gguf-tensor-table .detail");
export const map = (page: Page) => page.locator("gguf-heat-map .map");
export const readout = (page: Page) => page.locator("gguf-heat-map .readout");

export async function openTensor(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row", { hasText: name }).click();
}

/** Moves the pointer to a cell of the heat map. */
export async function pointAt(page: Page, row: number, column: number, rows: number, columns: number): Promise<void> {
  const box = await page.locator("gguf-heat-map canvas").boundingBox();
  if (!box) throw new Error("the heat map is not visible");
  await page.mouse.move(box.x + ((column + 0.5) / columns) * box.width, box.y + ((row + 0.5) / rows) * box.height);
}

/** The colour in the middle of a cell of a canvas. */
export function colour(canvas: Locator, row: number, column: number, rows: number, columns: number): Promise<number[]> {
  return canvas.evaluate(
    (element, [x = 0, y = 0]) => {
      const { width, height } = element as HTMLCanvasElement;
      // The pixel is read from a copy, because the browser warns of canvases that are read often.
      const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      copy?.drawImage(element as HTMLCanvasElement, Math.floor(x * width), Math.floor(y * height), 1, 1, 0, 0, 1, 1);
      return [...(copy?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
    },
    [(column + 0.5) / columns, (row + 0.5) / rows],
  );
}

/** The values on the shown page of the table, after they have been read. */
export async function shownValues(page: Page): Promise<string[][]> {
  await expect(page.locator("gguf-value-table table")).toHaveAttribute("aria-busy", "false");
  return page
    .locator("gguf-value-table tbody tr")
    .evaluateAll((lines) =>
      lines.map((line) => [...line.querySelectorAll("td")].map((cell) => cell.textContent?.trim() ?? "")),
    );
}

/** Opens a tensor and waits for its heat map. */
export async function openHeatMap(page: Page, name: string): Promise<void> {
  await openTensor(page, name);
  await expect(map(page)).toBeVisible();
}
