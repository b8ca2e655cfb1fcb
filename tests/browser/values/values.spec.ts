import type { IncomingMessage, ServerResponse } from "node:http";
import type { Locator, Page } from "@playwright/test";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { ggufBytes, smallModel } from "../../support/gguf-bytes.mjs";
import { fileOf, matrix } from "../support/tensor-files.ts";
import { float } from "../../../www/src/logic/format.ts";
import { ALLOWED, preflight, send, sendRange, type TestServer } from "../support/server.ts";

const Q8_0 = 8;
const I64 = 27;

const wave = (row: number, column: number) => Math.fround(Math.sin(row / 9) * Math.cos(column / 7) * 2);

const detail = (page: Page) => page.locator("gguf-tensor-table .detail");
const map = (page: Page) => page.locator("gguf-heat-map .map");
const readout = (page: Page) => page.locator("gguf-heat-map .readout");

async function openTensor(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row", { hasText: name }).click();
}

/** Points at a cell of the heat map. */
async function pointAt(page: Page, row: number, column: number, rows: number, columns: number): Promise<void> {
  const box = await page.locator("gguf-heat-map canvas").boundingBox();
  if (!box) throw new Error("there is no heat map");
  await page.mouse.move(box.x + ((column + 0.5) / columns) * box.width, box.y + ((row + 0.5) / rows) * box.height);
}

/** The colour of a canvas in the middle of a cell. */
function colour(canvas: Locator, row: number, column: number, rows: number, columns: number): Promise<number[]> {
  return canvas.evaluate(
    (element, [x = 0, y = 0]) => {
      const { width, height } = element as HTMLCanvasElement;
      // Read back off a canvas of its own: the browser warns of those that are read often.
      const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      copy?.drawImage(element as HTMLCanvasElement, Math.floor(x * width), Math.floor(y * height), 1, 1, 0, 0, 1, 1);
      return [...(copy?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
    },
    [(column + 0.5) / columns, (row + 0.5) / rows],
  );
}

/** The values on the page of the table that is shown, once they have been read. */
async function shownValues(page: Page): Promise<string[][]> {
  await expect(page.locator("gguf-value-table table")).toHaveAttribute("aria-busy", "false");
  return page
    .locator("gguf-value-table tbody tr")
    .evaluateAll((lines) =>
      lines.map((line) => [...line.querySelectorAll("td")].map((cell) => cell.textContent?.trim() ?? "")),
    );
}

test("a tensor of the table opens to its heat map, histogram, statistics and values", async ({ page, app }) => {
  await openFile(page, app, fileOf(matrix("w", 32, 24, (row, column) => row * 32 + column - 300)));
  await openTensor(page, "w");
  await expect(detail(page)).toContainText("Each number as a 32-bit float");
  const canvas = page.locator("gguf-heat-map canvas");
  await expect(canvas).toBeVisible();
  await expect(page.locator("gguf-heat-map .ends span")).toHaveText(["-467", "0", "467"]);
  // Blue below zero, orange above.
  const [low, high] = [await colour(canvas, 0, 0, 24, 32), await colour(canvas, 23, 31, 24, 32)];
  expect(low[2]).toBeGreaterThan((low[0] ?? 0) + 60);
  expect(high[0]).toBeGreaterThan((high[2] ?? 0) + 60);

  const statistics = page.locator("gguf-statistics-table");
  await expect(statistics).toContainText("of all 768 elements");
  const figure = (name: string) => statistics.locator("tr", { hasText: name }).locator("td");
  await expect(figure("Minimum")).toHaveText("-300");
  await expect(figure("Maximum")).toHaveText("467");
  await expect(figure("Mean")).toHaveText("83.5");
  await expect(figure("Standard deviation")).toHaveText("221.7");
  await expect(figure("Zeros")).toHaveText(/^\s*1\s+0\.1%\s*$/);
  await expect(page.getByRole("button", { name: "Compute over the whole tensor" })).toHaveCount(0);

  expect((await shownValues(page))[1]?.slice(0, 3)).toEqual(["-268", "-267", "-266"]);
  await pointAt(page, 10, 20, 24, 32);
  await expect(readout(page)).toHaveText(/Row\s+10\s+·\s+column\s+20\s+40/);

  const histogram = page.locator("gguf-histogram");
  await histogram.getByText("As a table").click();
  const counts = await histogram.locator("tbody td:nth-child(3)").allInnerTexts();
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(768);
  const toggle = histogram.getByRole("button", { name: "Logarithmic counts" });
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await histogram.locator(".plot").focus();
  await page.keyboard.press("End");
  await expect(histogram.locator(".readout")).toContainText("to");
});

test("a link leads to a tensor's values; the heat map says what reading says", async ({ page, app }) => {
  const url = app.file("/values/wave.gguf", fileOf(matrix("first", 4, 4, wave), matrix("w", 256, 128, wave)));
  await openUrl(page, app, url, "&tensor=w");
  await expect(map(page)).toBeVisible();
  await pointAt(page, 5, 9, 64, 64);
  await expect(readout(page)).toContainText("10–11");
  await expect(readout(page)).toContainText("36–39");
  const cell = [10, 11].flatMap((row) => [36, 37, 38, 39].map((column) => wave(row, column)));
  const rounded = (value: number) => String(Number(value.toPrecision(4)));
  const [mean = "", min = "", max = ""] = await readout(page).locator("b").allInnerTexts();
  expect(Number(mean)).toBeCloseTo(cell.reduce((sum, value) => sum + value, 0) / 8, 3);
  expect([min, max]).toEqual([rounded(Math.min(...cell)), rounded(Math.max(...cell))]);

  // A click goes to the values of the cell, and marks them.
  await page.mouse.down();
  await page.mouse.up();
  const values = await shownValues(page);
  expect(values[0]?.[0]).toBe(float(wave(10, 36), 32));
  await expect(page.locator("gguf-value-table td.picked")).toHaveCount(8);

  // The same by keys.
  await map(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await expect(readout(page)).toContainText("12–13");
  await expect(readout(page)).toContainText("0–3");
  await page.keyboard.press("Enter");
  await expect(page.locator("gguf-value-table .where")).toContainText("Rows 12–23");

  const before = await colour(page.locator("gguf-heat-map canvas"), 20, 20, 64, 64);
  await page.getByRole("button", { name: "max", exact: true }).click();
  await expect.poll(() => colour(page.locator("gguf-heat-map canvas"), 20, 20, 64, 64)).not.toEqual(before);
});

test("outliers do not take the colours from the others, and the legend says so", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(matrix("w", 64, 64, (row, column) => (row === 5 && column === 7 ? 1e6 : Math.sin(row * 7 + column)))),
  );
  await openTensor(page, "w");
  await expect(page.locator("gguf-heat-map .legend")).toContainText("1 cell beyond the ends of the scale, up to 1e6");
  const canvas = page.locator("gguf-heat-map canvas");
  expect(await colour(canvas, 0, 1, 64, 64)).not.toEqual(await colour(canvas, 0, 5, 64, 64));
});

test("numbers that are none are hatched and counted", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(matrix("w", 8, 8, (row, column) => (row === 0 ? NaN : row === 1 && column < 3 ? -Infinity : row))),
  );
  await openTensor(page, "w");
  await expect(page.locator("gguf-heat-map .legend")).toContainText("11 cells without a finite number");
  const figure = (name: string) => page.locator("gguf-statistics-table tr", { hasText: name }).locator("td");
  await expect(figure("NaN")).toContainText("8");
  await expect(figure("−Infinity")).toContainText("3");
  expect((await shownValues(page))[1]?.slice(2, 4)).toEqual(["-Infinity", "1"]);
});

test("the histogram of a constant tensor is one bar at its value", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(
      matrix("zeros", 64, 64, () => 0),
      matrix("fives", 64, 64, (row) => (row === 0 ? NaN : -5.5)),
    ),
  );
  await openTensor(page, "zeros");
  const histogram = page.locator("gguf-histogram");
  await expect(histogram).toContainText("All finite numbers that were read are 0 (4,096).");
  await expect(histogram.locator(".numbers span")).toHaveText(["0"]);
  // The bar stands in the middle of the plot, and is as wide as can be seen.
  const bar = await histogram.locator("path.bars").boundingBox();
  const plot = await histogram.locator(".plot").boundingBox();
  if (!bar || !plot) throw new Error("there is no bar");
  expect(Math.abs(bar.x + bar.width / 2 - (plot.x + plot.width / 2))).toBeLessThan(3);
  expect(bar.width).toBeGreaterThan(4);
  expect(bar.height).toBeGreaterThan(plot.height * 0.9);
  await histogram.locator(".plot").focus();
  await page.keyboard.press("Home");
  await expect(histogram.locator(".readout")).toHaveText(/^\s*0: 4,096 numbers \(100\.0%\)\s*$/);
  await histogram.getByText("As a table").click();
  await expect(histogram.locator("tbody tr")).toHaveCount(1);

  await page.locator("gguf-tensor-table .row", { hasText: "zeros" }).click();
  await openTensor(page, "fives");
  await expect(histogram).toContainText("All finite numbers that were read are -5.5 (4,032).");
  await expect(histogram).toContainText("Not in the histogram: 64 NaN.");
  await expect(histogram.locator(".numbers span")).toHaveText(["-5.5"]);
});

test("without a finite number there is no histogram, and it says what there is", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(
      matrix("nans", 64, 64, () => NaN),
      matrix("infinities", 64, 64, (row) => (row < 16 ? -Infinity : Infinity)),
      matrix("mixed", 64, 64, (row, column) => (row === 0 ? Infinity : column)),
    ),
  );
  const histogram = page.locator("gguf-histogram");
  await openTensor(page, "nans");
  await expect(histogram).toContainText("There is no finite number to show: 4,096 NaN.");
  await expect(histogram.locator(".plot")).toHaveCount(0);
  await page.locator("gguf-tensor-table .row", { hasText: "nans" }).click();
  await openTensor(page, "infinities");
  await expect(histogram).toContainText("There is no finite number to show: 3,072 +Infinity, 1,024 −Infinity.");
  await page.locator("gguf-tensor-table .row", { hasText: "infinities" }).click();
  await openTensor(page, "mixed");
  await expect(histogram).toContainText("Not in the histogram: 64 +Infinity.");
  await expect(histogram.locator(".plot")).toBeVisible();
});

test("values page by rows and columns, one after another, and to an element; only what is shown is read", async ({
  page,
  app,
}) => {
  const asked: string[] = [];
  const data = fileOf(matrix("w", 65_536, 20, (row, column) => row * 100_000 + column));
  const url = app.on("/values/paged.gguf", (request, response) => {
    asked.push(request.headers.range ?? "");
    sendRange(request, response, data, "application/octet-stream");
  });
  await openUrl(page, app, url, "&tensor=w");
  const where = page.locator("gguf-value-table .where");
  await expect(map(page)).toBeVisible();
  await expect(where).toHaveText(/^Rows 0–11 of 20 · columns 0–7 of 65,536$/);
  await page.getByRole("button", { name: "Next columns" }).click();
  expect((await shownValues(page))[3]?.slice(0, 2)).toEqual(["300008", "300009"]);
  asked.length = 0;
  await page.getByRole("button", { name: "Next rows" }).click();
  await expect(where).toHaveText(/^Rows 8–19 of 20/);
  expect((await shownValues(page)).at(-1)?.[0]).toBe("1900008");
  await expect(page.getByRole("button", { name: "Next rows" })).toBeDisabled();
  const bytes = asked.map((range) => {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    return Number(end) - Number(start) + 1;
  });
  expect(bytes).toEqual(Array.from({ length: 12 }, () => 32));

  await page.getByRole("spinbutton", { name: "Row to go to" }).fill("3");
  await page.getByRole("spinbutton", { name: "Column to go to" }).fill("65535");
  await page.getByRole("button", { name: "Go to" }).click();
  await expect(where).toHaveText(/^Rows 3–14 of 20 · columns 65,528–65,535/);
  expect((await shownValues(page))[0]?.[7]).toBe("365535");
  await expect(page.locator("gguf-value-table td.picked")).toHaveText("365535");

  await page.getByRole("button", { name: "Flat" }).click();
  await expect(where).toHaveText("Elements 262,136–262,231 of 1,310,720");
  await page.getByRole("spinbutton", { name: "Element to go to" }).fill("1310719");
  await page.keyboard.press("Enter");
  await expect(where).toHaveText("Elements 1,310,624–1,310,719 of 1,310,720");
  expect((await shownValues(page)).at(-1)?.at(-1)).toBe("1965535");
});

test("integers are exact", async ({ page, app }) => {
  const values = BigInt64Array.of(9_007_199_254_740_993n, -1n, 0n, 7n);
  const made = { name: "positions", dimensions: [4], type: I64, data: new Uint8Array(values.buffer) };
  await openFile(page, app, fileOf(made));
  await openTensor(page, "positions");
  expect(await shownValues(page)).toEqual([["9007199254740993", "-1", "0", "7"].concat(await rest(page))]);
});

/** The empty cells at the end of a short line. */
async function rest(page: Page): Promise<string[]> {
  const columns = await page.locator("gguf-value-table thead th").count();
  return Array.from({ length: columns - 5 }, () => "");
}

/** A model with one large tensor of which every block is the same, made as it is asked for. */
function largeModel(app: TestServer, path: string, rows: number, gate?: (length: number) => Promise<void>): string {
  const columns = 4096;
  const size = (columns / 32) * 34 * rows;
  const head = ggufBytes([], [{ name: "large", dimensions: [columns, rows], type: Q8_0, bytes: 0 }]);
  const block = Uint8Array.from({ length: 34 }, (_, i) => (i === 0 ? 0 : i === 1 ? 0x3c : i));
  const pattern = Buffer.alloc(34 * 32_768, block);
  const total = head.length + size;
  return app.on(path, async (request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const start = Number(from ?? 0);
    const end = to ? Math.min(Number(to) + 1, total) : total;
    if (start >= head.length) await gate?.(end - start);
    response.writeHead(206, {
      "content-type": "application/octet-stream",
      "content-length": end - start,
      "content-range": `bytes ${start}-${end - 1}/${total}`,
    });
    if (start < head.length) response.write(head.subarray(start, end));
    for (let at = Math.max(start, head.length); at < end && !response.destroyed;) {
      const skip = (at - head.length) % 34;
      const length = Math.min(end - at, pattern.length - skip);
      at += length;
      if (!response.write(pattern.subarray(skip, skip + length)))
        await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
    }
    response.end();
  });
}

test("a sample is said to be one; the whole is computed with progress, and the page stays responsive", async ({
  page,
  app,
}) => {
  const url = largeModel(app, "/values/large.gguf", 32_768);
  await openUrl(page, app, url, "&tensor=large");
  await expect(map(page)).toHaveAttribute("aria-label", /64 by 64 cells/);
  const statistics = page.locator("gguf-statistics-table");
  await expect(statistics).toContainText(/of a sample of [\d,]+ of 134,217,728 elements/);
  await expect(detail(page)).toContainText("downloads 143 MB");
  await page.evaluate(() => {
    const gaps: number[] = [];
    let last = performance.now();
    const frame = () => {
      gaps.push(performance.now() - last);
      last = performance.now();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(window, { gaps });
  });
  await page.getByRole("button", { name: "Compute over the whole tensor" }).click();
  await expect(page.getByRole("progressbar", { name: "Tensor computed" })).toBeVisible();
  await expect(statistics).toContainText("of all 134,217,728 elements", { timeout: 30_000 });
  const gaps = await page.evaluate(() => (window as unknown as { gaps: number[] }).gaps);
  expect(gaps.length).toBeGreaterThan(10);
  // A busy machine may hold up a frame or two; a page that computes would hold up all.
  expect(gaps.filter((gap) => gap > 100).length / gaps.length).toBeLessThan(0.1);
  // Bytes 2 to 33 of a block, times one.
  await expect(statistics.locator("tr", { hasText: "Mean" }).locator("td")).toHaveText("17.5");
  await expect(statistics.locator("tr", { hasText: "Maximum" }).locator("td")).toHaveText("33");
  await expect(page.getByRole("button", { name: "Compute over the whole tensor" })).toHaveCount(0);
});

test("over a network a glance comes before the look", async ({ page, app }) => {
  let asked = 0;
  let held = true;
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const url = largeModel(app, "/values/slow.gguf", 32_768, async (length) => {
    asked += length;
    if (held && asked > 300_000) await gate;
  });
  await openUrl(page, app, url, "&tensor=large");
  await expect(map(page)).toHaveAttribute("aria-label", /32 by 32 cells/);
  held = false;
  letGo();
  await expect(map(page)).toHaveAttribute("aria-label", /64 by 64 cells/);
});

test("a computation that is cancelled reads no further, and can be started again", async ({ page, app }) => {
  let waiting = 0;
  let held = false;
  const url = largeModel(app, "/values/held.gguf", 32_768, async () => {
    if (!held) return;
    waiting += 1;
    await new Promise((resolve) => setTimeout(resolve, 150));
  });
  await openUrl(page, app, url, "&tensor=large");
  const button = page.getByRole("button", { name: "Compute over the whole tensor" });
  await expect(map(page)).toHaveAttribute("aria-label", /64 by 64 cells/);
  held = true;
  await button.click();
  await expect.poll(() => waiting).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(button).toBeVisible();
  await page.waitForTimeout(300);
  const asked = waiting;
  await page.waitForTimeout(600);
  expect(waiting).toBe(asked);
  held = false;
  await button.click();
  await expect(page.locator("gguf-statistics-table")).toContainText("of all", { timeout: 30_000 });
});

test("types that nobody knows or that ggml has removed say so, and show their facts and bytes", async ({
  page,
  app,
}) => {
  const data = new Uint8Array(64).fill(0xab);
  await openFile(
    page,
    app,
    fileOf(
      { name: "from.the.future", dimensions: [64], type: 137, data },
      { name: "from.the.past", dimensions: [64], type: 4, data },
    ),
  );
  await openTensor(page, "from.the.future");
  await expect(detail(page)).toContainText("type 137 is none that this page knows");
  await expect(detail(page)).toContainText("unknown(137)");
  await detail(page)
    .getByRole("button", { name: /^Read its bytes as stored/ })
    .click();
  await expect(detail(page).locator("pre")).toContainText("ab ab ab");
  await page.locator("gguf-tensor-table .row", { hasText: "from.the.past" }).click();
  await expect(detail(page).nth(1)).toContainText("ggml has removed the type Q4_2");
  await expect(page.locator("gguf-heat-map, gguf-value-table")).toHaveCount(0);
});

test("the strip of a block reads what is in view, and goes to what is pressed", async ({ page, app }) => {
  const count = 24;
  const data = fileOf(
    ...Array.from({ length: count }, (_, i) => matrix(`blk.0.part_${i}.weight`, 64, 64, (row) => row * i)),
    matrix("blk.1.other.weight", 64, 64, wave),
  );
  const size = 64 * 64 * 4;
  const first = data.length - (count + 1) * size;
  const read = new Set<number>();
  const url = app.on("/values/strip.gguf", (request, response) => {
    const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    if (start >= first) read.add(Math.floor((start - first) / size));
    sendRange(request, response, data, "application/octet-stream");
  });
  await openUrl(page, app, url, "&tensor=blk.0.part_0.weight");
  const strip = page.locator("gguf-tensor-strip");
  await expect(map(page)).toBeVisible();
  await shownValues(page);
  await page.waitForTimeout(300);
  // The strip is below what is seen.
  expect([...read]).toEqual([0]);
  await strip.scrollIntoViewIfNeeded();
  await expect(strip.locator("h4")).toHaveText(/Block\s+blk\.0\s+24 tensors/);
  await expect(strip.locator("canvas").nth(3)).toBeVisible();
  await page.waitForTimeout(500);
  expect(read.size).toBeGreaterThan(3);
  expect(read.size).toBeLessThan(count / 2);
  const last = strip.getByRole("button", { name: /part_23/ });
  await last.scrollIntoViewIfNeeded();
  await expect.poll(() => read.has(23)).toBe(true);
  expect(read.has(12)).toBe(false);
  await last.click();
  await expect(page.locator("gguf-tensor-table .detail .name-bar")).toContainText("blk.0.part_23.weight");
  await expect(strip.locator("[aria-current=true]")).toContainText("part_23.weight");
  await expect(page).toHaveURL(/tensor=blk\.0\.part_23\.weight/);
  await expect(detail(page)).toHaveCount(1);
});

test.describe(() => {
  // The browser itself writes failed requests to the console.
  test.use({ expected: /^Failed to load resource/ });

  test("what cannot be read is told in words, and tried again", async ({ page, app }) => {
    const whole = fileOf(matrix("w", 64, 64, wave));
    const short = app.file("/values/short.gguf", whole.slice(0, whole.length - 9000));
    await openUrl(page, app, short, "&tensor=w");
    await expect(detail(page).getByRole("alert").first()).toContainText("The file ends before these bytes.");

    let refuse = true;
    const url = app.on("/values/gone.gguf", (request, response) => {
      const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      if (start > 0 && refuse) send(response, 404, "gone", "text/plain");
      else sendRange(request, response, whole, "application/octet-stream");
    });
    await openUrl(page, app, url, "&tensor=w");
    await expect(detail(page).getByRole("alert").first()).toContainText("There is no such file.");
    refuse = false;
    await detail(page).getByRole("button", { name: "Try again" }).first().click();
    await expect(map(page)).toBeVisible();
  });
});

test("a server that sends only whole files cannot be asked for values", async ({ page, app }) => {
  // Longer than what is read for the header, or its values would be there already.
  const data = fileOf(matrix("w", 1024, 1024, wave));
  const url = app.on("/values/whole.gguf", (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": data.length });
    response.end(data);
  });
  await openUrl(page, app, url, "&tensor=w");
  await expect(detail(page).getByRole("alert").first()).toContainText("The server sends files only whole.");
});

test("a token goes along with what the worker asks for", async ({ page, app, other }) => {
  const data = fileOf(matrix("w", 64, 64, wave));
  const url = other.on("/values/gated.gguf", (request, response) => {
    if (preflight(request, response)) return;
    if (request.headers.authorization !== "Bearer hf_right") {
      response.writeHead(401, ALLOWED).end();
      return;
    }
    sendRange(request, response, data, "application/octet-stream", ALLOWED);
  });
  await page.goto(app.origin);
  await page.evaluate((address) => {
    const viewer = document.createElement("gguf-viewer");
    viewer.style.height = "700px";
    Object.assign(viewer, { headers: { Authorization: "Bearer hf_right" }, src: address });
    document.body.replaceChildren(viewer);
  }, url);
  await openTensor(page, "w");
  await expect(map(page)).toBeVisible();
  expect(page.workers()).toHaveLength(1);
});

test("values are read in a worker, which ends with the file", async ({ page, app }) => {
  const first = app.file("/values/first.gguf", fileOf(matrix("w", 64, 64, wave)));
  await openUrl(page, app, first, "&tensor=w");
  await expect(map(page)).toBeVisible();
  expect(page.workers()).toHaveLength(1);
  await openUrl(page, app, app.file("/values/second.gguf", smallModel()));
  await expectOpen(page, "second.gguf");
  await expect.poll(() => page.workers().length).toBe(0);
});

for (const [policy, workers, how] of [
  [undefined, 1, "from a page of another origin"],
  ["worker-src 'none'", 0, "where the page allows no worker"],
] as const) {
  test.describe(() => {
    test.use({ expected: /worker|Content Security Policy/i });
    test(`values are read ${how}`, async ({ page, app, other }) => {
      const model = other.file("/values/theirs.gguf", fileOf(matrix("w", 64, 64, wave)));
      const address = other.on("/theirs.html", (_request, response) => {
        response.writeHead(200, {
          "content-type": "text/html",
          ...(policy === undefined ? {} : { "content-security-policy": policy }),
        });
        response.end(`<!doctype html><meta charset="utf-8"><title>Theirs</title><link rel="icon" href="data:,">
          <script type="module" src="${app.origin}/viewer.js"></script>
          <gguf-viewer src="${model}" style="height: 700px"></gguf-viewer>`);
      });
      await page.goto(address);
      await openTensor(page, "w");
      await expect(map(page)).toBeVisible();
      await pointAt(page, 10, 20, 64, 64);
      await expect(readout(page)).toContainText(String(Number(wave(10, 20).toPrecision(4))));
      expect(page.workers()).toHaveLength(workers);
    });
  });
}

test("the heat map follows the theme", async ({ page, app }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openUrl(page, app, app.file("/values/theme.gguf", fileOf(matrix("w", 64, 64, wave))), "&tensor=w");
  const canvas = page.locator("gguf-heat-map canvas");
  await expect(canvas).toBeVisible();
  const brightness = async () => (await colour(canvas, 0, 0, 64, 64)).reduce((sum, part) => sum + part, 0);
  await expect.poll(brightness).toBeGreaterThan(600);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(brightness).toBeLessThan(200);
  await page.getByRole("button", { name: /^Theme/ }).click();
  await expect.poll(brightness).toBeGreaterThan(600);
});

test.describe(() => {
  test.use({ deviceScaleFactor: 2 });
  test("the heat map is as sharp as the screen", async ({ page, app }) => {
    await openUrl(page, app, app.file("/values/sharp.gguf", fileOf(matrix("w", 64, 64, wave))), "&tensor=w");
    const canvas = page.locator("gguf-heat-map canvas");
    await expect(canvas).toBeVisible();
    await expect
      .poll(() => canvas.evaluate((element) => (element as HTMLCanvasElement).width / element.clientWidth))
      .toBe(2);
  });
});
