import { expect, openUrl, test } from "../support/fixtures.ts";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { detail, map } from "../support/values-panel.ts";
import { type TestServer } from "../support/server.ts";

const Q8_0 = 8;

/** A model with one large tensor of equal blocks, whose bytes are computed for each request. */
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

test("a sample is labelled as one; the whole tensor is read with progress, in a worker, so that the page can answer", async ({
  page,
  app,
}) => {
  const url = largeModel(app, "/values/large.gguf", 32_768);
  await openUrl(page, app, url, "&tensor=large");
  await expect(map(page)).toHaveAttribute("aria-label", /64 by 64 cells/);
  // The ends of the sample are those of the first and the last cell.
  const sample = page.locator("gguf-heat-map .sample");
  await expect(sample).toHaveText(
    /^Shows [\d,]+ of 32,768 rows, in \d+ groups of \d+, .* A cell is the largest magnitude of \d+ × 64 elements\.$/,
  );
  const [, from = "", to = ""] = /from row (\d+) to row (\d+)\./.exec(await sample.innerText()) ?? [];
  const readout = page.locator("gguf-heat-map .readout");
  await map(page).focus();
  await page.keyboard.press("ArrowDown");
  await expect(readout).toContainText(new RegExp(`^\\s*Rows ${from}–\\d+ · columns 0–63`));
  for (let i = 0; i < 8; i += 1) await page.keyboard.press("PageDown");
  await expect(readout).toContainText(new RegExp(`^\\s*Rows \\d+–${to} ·`));
  const statistics = page.locator("gguf-statistics-table");
  await expect(statistics).toContainText(/of a sample: [\d,]+ of 134,217,728 elements/);
  await expect(detail(page)).toContainText("downloads 143 MB");
  await page.getByRole("button", { name: "Compute statistics of the whole tensor" }).click();
  await expect(page.getByRole("progressbar", { name: "Statistics computed" })).toBeVisible();
  expect(page.workers()).toHaveLength(1);
  await expect(statistics).toContainText("of all 134,217,728 elements", { timeout: 30_000 });
  // Bytes 2 to 33 of a block are the elements, and the scale is 1.
  await expect(statistics.locator("tr", { hasText: "Mean" }).locator("td")).toHaveText("17.5");
  await expect(statistics.locator("tr", { hasText: "Maximum" }).locator("td")).toHaveText("33");
  await expect(page.getByRole("button", { name: "Compute statistics of the whole tensor" })).toHaveCount(0);
});

test("over a network, a thumbnail is shown before the preview", async ({ page, app }) => {
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

test("cancelled statistics read no further, and can be started again", async ({ page, app }) => {
  let waiting = 0;
  let held = false;
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const url = largeModel(app, "/values/held.gguf", 32_768, async () => {
    if (!held) return;
    waiting += 1;
    await gate;
  });
  await openUrl(page, app, url, "&tensor=large");
  const button = page.getByRole("button", { name: "Compute statistics of the whole tensor" });
  await expect(map(page)).toHaveAttribute("aria-label", /64 by 64 cells/);
  held = true;
  await button.click();
  await expect.poll(() => waiting).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(button).toBeVisible();
  const asked = waiting;
  letGo();
  // A task that read on would send its next requests before these.
  for (let i = 0; i < 5; i += 1)
    await page.evaluate((url) => fetch(url, { headers: { range: "bytes=0-0" } }).then((answer) => answer.text()), url);
  expect(waiting).toBe(asked);
  held = false;
  await button.click();
  await expect(page.locator("gguf-statistics-table")).toContainText("of all", { timeout: 30_000 });
});
