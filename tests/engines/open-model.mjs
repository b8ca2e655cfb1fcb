// How flows open the model, and how they know that it is open.

/**
 * Opens the model by a link to a panel.
 *
 * @param {import("./page.mjs").Page} page
 * @param {import("./app.mjs").App} app
 * @param {string} state The rest of the hash, such as `view=tensors`.
 * @param {string} [url]
 */
export async function openModel(page, app, state, url = app.url("model.gguf")) {
  await page.open(app.page(`url=${encodeURIComponent(url)}&${state}`));
  await page.see({ css: "gguf-identity", text: "Wave" });
}

/**
 * Waits until the summary of the model is shown, with its pictures.
 *
 * @param {import("./page.mjs").Page} page
 * @param {string} name The name of the file.
 * @param {string} [title] The name of the model.
 */
export async function seeSummary(page, name, title = "Wave") {
  await page.see({ css: "gguf-identity", text: name });
  await page.see({ role: "heading", name: title });
  await page.see({ css: "svg [data-row]", within: "gguf-summary-panel" });
}

/**
 * Removes the picker of new files, which is a window of the system. The page then downloads them, as in browsers without it.
 *
 * @param {import("./page.mjs").Page} page
 */
export async function removePickers(page) {
  await page.run(() => {
    Object.assign(globalThis, { showSaveFilePicker: undefined, showOpenFilePicker: undefined });
  });
}

/**
 * Opens a tensor, and waits for its heat map. Gives the number of colours in it.
 *
 * @param {import("./page.mjs").Page} page
 * @param {string} tensor
 */
export async function seeHeatMap(page, tensor) {
  await page.click({ css: ".row", within: "gguf-tensor-table", text: tensor });
  return page.until("colours in the heat map", () =>
    page.with({ css: "canvas", within: "gguf-heat-map" }, ([canvas]) => {
      if (!(canvas instanceof HTMLCanvasElement) || canvas.width < 8) return 0;
      // The pixels are read from a copy, because browsers warn of canvases that are read often.
      const copy = new OffscreenCanvas(32, 32).getContext("2d", { willReadFrequently: true });
      copy?.drawImage(canvas, 0, 0, 32, 32);
      const pixels = new Uint32Array(copy?.getImageData(0, 0, 32, 32).data.buffer ?? new ArrayBuffer(0));
      return new Set(pixels).size > 8;
    }),
  );
}
