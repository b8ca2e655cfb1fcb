import { smallModel } from "../../support/gguf-bytes.mjs";
import { address, compareWith, panel as comparePanel, showCompare } from "../support/compare-panel.ts";
import { expect, expectOpen, openUrl, test } from "../support/fixtures.ts";
import { HUB, routeHub } from "../support/hub.ts";
import { ALLOWED, sendRange } from "../support/server.ts";

// The clock of the page is moved, so that no test waits for a server.

test("a server that does not answer is named, and can be asked again", async ({ page, app, other }) => {
  await page.clock.install();
  let requests = 0;
  const url = other.on("/silent.gguf", (request, response) => {
    requests += 1;
    if (requests > 1) sendRange(request, response, smallModel(), "application/octet-stream", ALLOWED);
  });
  await openUrl(page, app, url);
  await expect.poll(() => requests).toBe(1);
  const { host } = new URL(url);
  const progress = page.locator("gguf-progress");
  await expect(progress.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await page.clock.fastForward(10_000);
  await expect(progress.getByRole("status")).toHaveText(`${host} has not answered for 10 s. The page keeps waiting.`);
  await page.clock.fastForward(10_000);
  await expect(progress.getByRole("status")).toContainText("for 20 s");
  await progress.getByRole("button", { name: "Try again" }).click();
  await expectOpen(page, "silent.gguf");
  expect(requests).toBe(2);
});

test("a server that stops in the middle is named; a pause is no silence", async ({ page, app }) => {
  await page.clock.install();
  const url = app.on("/models/stops.gguf", (_request, response) => {
    response.writeHead(206, { "content-length": 393_216, "content-range": "bytes 0-393215/400000" });
    response.write(smallModel().subarray(0, 300));
  });
  await openUrl(page, app, url);
  const progress = page.locator("gguf-progress");
  await expect(progress).toContainText("300 bytes");
  await progress.getByRole("button", { name: "Pause" }).click();
  await page.clock.fastForward(20_000);
  await expect(progress.getByRole("status")).toHaveCount(0);
  await progress.getByRole("button", { name: "Resume" }).click();
  await page.clock.fastForward(10_000);
  await expect(progress.getByRole("status")).toContainText(`${new URL(url).host} has sent nothing for 10 s`);
  await progress.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Opening was cancelled" })).toBeVisible();
});

test("a hub that does not answer is named", async ({ page, app }) => {
  await page.clock.install();
  let isSilent = true;
  await routeHub(page);
  let asked = 0;
  await page.route(`${HUB}/api/**`, async (route) => {
    asked += 1;
    if (!isSilent) await route.fallback();
  });
  await page.goto(`${app.origin}/#repo=owner/name`);
  await expect.poll(() => asked).toBe(2);
  await page.clock.fastForward(10_000);
  const list = page.locator("gguf-repository");
  await expect(list).toContainText("huggingface.co has not answered for 10 s");
  isSilent = false;
  await list.getByRole("button", { name: "Try again" }).click();
  await expect(list.locator("tbody tr")).toHaveCount(40);
});

test("the silent server of a second file is named", async ({ page, app, other }) => {
  await page.clock.install();
  const waiting = new Set<string>();
  const silent = (path: string) => other.on(path, () => void waiting.add(path));
  await openUrl(page, app, app.file("/models/first.gguf", smallModel()));
  await showCompare(page);
  await compareWith(page, silent("/compared.gguf"));
  await expect.poll(() => waiting.has("/compared.gguf")).toBe(true);
  await page.clock.fastForward(10_000);
  const sentence = `${new URL(other.origin).host} has not answered for 10 s`;
  await expect(comparePanel(page)).toContainText(sentence);
  await comparePanel(page).getByRole("button", { name: "Cancel" }).click();
  await expect(address(page)).toBeVisible();
  await expect(comparePanel(page)).not.toContainText(sentence);

  await page.getByRole("tab", { name: "Memory" }).click();
  const field = page.getByRole("textbox", { name: "Address of the second file" });
  await field.fill(silent("/added.gguf"));
  await field.press("Enter");
  await expect.poll(() => waiting.has("/added.gguf")).toBe(true);
  await page.clock.fastForward(10_000);
  await expect(page.locator("gguf-second-file")).toContainText(sentence);
  await page.locator("gguf-second-file").getByRole("button", { name: "Cancel" }).click();
  await expect(field).toBeVisible();
});
