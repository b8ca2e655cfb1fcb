import { expect, expectOpen, openUrl, test } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { fileOf, matrix } from "../support/tensor-files.ts";
import { map, openTensor, pointAt, readout, wave } from "../support/values-panel.ts";
import { ALLOWED, preflight, sendRange } from "../support/server.ts";
import { leaveDocument } from "../support/shared-page.ts";

test("the requests of the worker contain the token", async ({ page, app, other }) => {
  const data = fileOf(matrix("w", 64, 64, wave));
  const url = other.on("/values/gated.gguf", (request, response) => {
    if (preflight(request, response)) return;
    if (request.headers.authorization !== "Bearer hf_right") {
      response.writeHead(401, ALLOWED).end();
      return;
    }
    sendRange(request, response, data, "application/octet-stream", ALLOWED);
  });
  await leaveDocument(page);
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

test("a worker that has died is replaced when the next values are read", async ({ page, app }) => {
  const file = app.file("/values/died.gguf", fileOf(matrix("w", 64, 64, wave), matrix("v", 64, 64, wave)));
  await openUrl(page, app, file, "&tensor=w");
  await expect(map(page)).toBeVisible();
  const [worker] = page.workers();
  const ended = worker?.waitForEvent("close");
  await worker?.evaluate(() => {
    setTimeout(() => {
      throw new WebAssembly.RuntimeError("unreachable");
    });
  });
  // The page ends the worker.
  await ended;
  await openTensor(page, "v");
  await expect(map(page)).toBeVisible();
  await expect.poll(() => page.workers().length).toBe(1);
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
