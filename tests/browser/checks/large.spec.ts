// Checks of files with large headers, which run in a worker.

import type { Page } from "@playwright/test";
import { expect, openFile, test } from "../support/fixtures.ts";
import { changeGlobals } from "../support/shared-page.ts";
import { largeModel } from "../support/large-model.ts";

const panel = (page: Page) => page.locator("gguf-checks");
const HEADER_WORKER = /header-worker/;

/**
 * A model of which every block lacks a tensor. The file has only its header, so all data is missing, too. Its template needs no tokenizer, which
 * another worker would make.
 */
const broken = largeModel({ without: ["attn_output.weight"], template: "{{ messages }}" }).header;

test("the checks of a large header run in a worker, are cancelled, and run again", async ({ page, app }) => {
  // This worker starts, and never responds.
  await page.route(HEADER_WORKER, (route) =>
    route.fulfill({ contentType: "text/javascript", body: 'postMessage("ready")' }),
  );
  const started = page.waitForEvent("worker", (worker) => HEADER_WORKER.test(worker.url()));
  await openFile(page, app, broken);
  await page.getByRole("tab", { name: /Checks/ }).click();
  const ended = (await started).waitForEvent("close");
  const cancel = panel(page).getByRole("button", { name: "Cancel" });
  await expect(panel(page)).toContainText("Checking…");
  await expect(panel(page).getByRole("progressbar", { name: "Checks" })).toBeVisible();
  await cancel.click();
  await expect(panel(page)).toContainText("The checks were stopped.");
  await ended;
  await page.unroute(HEADER_WORKER);
  const check = panel(page).getByRole("button", { name: "Check", exact: true });
  await expect(check).toBeFocused();
  await check.press("Enter");
  await expect(panel(page)).toContainText("The tensor attn_output.weight is missing in blocks 0 to 60");
  await expect(cancel).toHaveCount(0);
});

test("the checks of a large header wait until the page is idle", async ({ page, app }) => {
  await changeGlobals(page, () => {
    const waiting: (() => void)[] = [];
    Object.assign(window, {
      requestIdleCallback: (call: () => void) => waiting.push(call),
      beIdle: () => {
        for (const call of waiting.splice(0)) call();
      },
    });
  });
  const started: string[] = [];
  const onWorker = (worker: { url(): string }) => started.push(worker.url());
  page.on("worker", onWorker);
  const checking = () => started.filter((url) => HEADER_WORKER.test(url));
  await openFile(page, app, broken);
  await page.getByRole("tab", { name: /Checks/ }).click();
  await expect(panel(page)).toContainText("Checking…");
  // The worker for the memory of the model was asked for after the checks.
  await page.getByRole("tab", { name: "Summary" }).click();
  await expect(page.locator("gguf-will-it-run section")).toHaveAttribute("aria-busy", "false");
  expect(checking()).toHaveLength(0);
  await page.evaluate(() => (window as unknown as { beIdle: () => void }).beIdle());
  await page.getByRole("tab", { name: /Checks/ }).click();
  await expect(panel(page)).toContainText("The tensor attn_output.weight is missing in blocks 0 to 60");
  expect(checking()).toHaveLength(1);
  page.off("worker", onWorker);
});

test.describe("without workers", () => {
  // The policy of the page forbids the other way to start a worker.
  test.use({ expected: /worker-src/ });

  test("the checks of a large header run on the page", async ({ page, app }) => {
    let requests = 0;
    await page.route(HEADER_WORKER, (route) => {
      requests += 1;
      return route.abort();
    });
    await openFile(page, app, broken);
    await page.getByRole("tab", { name: /Checks/ }).click();
    await expect(panel(page)).toContainText("The tensor attn_output.weight is missing in blocks 0 to 60");
    // One for the findings when the file is opened, and one for their fixes.
    await expect.poll(() => requests).toBe(2);
  });
});
