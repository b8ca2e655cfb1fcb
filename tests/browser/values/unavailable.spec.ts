import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { fileOf, matrix } from "../support/tensor-files.ts";
import { detail, map, openTensor, shownValues, wave } from "../support/values-panel.ts";
import { send, sendRange } from "../support/server.ts";

test("tensors of unknown or removed types show the reason, their facts and their bytes", async ({ page, app }) => {
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
  await expect(detail(page)).toContainText("this page does not know tensor type 137");
  await expect(detail(page)).toContainText("unknown(137)");
  await detail(page)
    .getByRole("button", { name: /^Show the stored bytes/ })
    .click();
  await expect(detail(page).locator("pre")).toContainText("ab ab ab");
  await page.locator("gguf-tensor-table .row", { hasText: "from.the.past" }).click();
  await expect(detail(page)).toContainText("ggml has removed the type Q4_2");
  await expect(page.locator("gguf-heat-map, gguf-value-table")).toHaveCount(0);
});

test("a tensor beyond the end of a file says so, and has no table to page through", async ({ page, app }) => {
  const whole = fileOf(matrix("first", 64, 64, wave), matrix("second", 64, 64, wave));
  const size = 64 * 64 * 4;
  await openFile(page, app, whole.slice(0, whole.length - size), "cut.gguf");
  await openTensor(page, "second");
  await expect(detail(page)).toContainText("The values cannot be shown: the file ends before the data of this tensor.");
  await expect(page.locator("gguf-heat-map, gguf-value-table")).toHaveCount(0);
  await page.locator("gguf-tensor-table .row", { hasText: "first" }).click();
  await expect(page.locator("gguf-value-table")).toHaveCount(1);

  // Of a tensor that is cut off, the values that are there can be read.
  await openFile(page, app, whole.slice(0, whole.length - size / 2), "half.gguf");
  await openTensor(page, "second");
  expect((await shownValues(page))[0]?.[0]).toBe("0");
});

test.describe(() => {
  // The browser writes failed requests to the console.
  test.use({ expected: /^Failed to load resource/ });

  test("a failed read shows its reason, and can be tried again", async ({ page, app }) => {
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
    await expect(detail(page).getByRole("alert").first()).toContainText("File not found.");
    refuse = false;
    await detail(page).getByRole("button", { name: "Try again" }).first().click();
    await expect(map(page)).toBeVisible();
  });
});

test("a server that sends only whole files provides no values", async ({ page, app }) => {
  // Larger than what is read for the header, so that the values have not arrived with it.
  const data = fileOf(matrix("w", 1024, 1024, wave));
  const url = app.on("/values/whole.gguf", (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": data.length });
    response.end(data);
  });
  await openUrl(page, app, url, "&tensor=w");
  await expect(detail(page).getByRole("alert").first()).toContainText("The server sends only whole files.");
});
