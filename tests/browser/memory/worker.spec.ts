// What fits is searched in a worker if the model has many tensors.

import type { Page } from "@playwright/test";
import { expect, expectOpen, openFile, test } from "../support/fixtures.ts";
import { choice, field, largest, openModel, panel, smallMixture, verdict } from "../support/memory-panel.ts";
import { leaveDocument } from "../support/shared-page.ts";
import { missing } from "../../package/corpus.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

const MEMORY_WORKER = /memory-worker/;

const workers = (page: Page) => page.workers().filter((worker) => MEMORY_WORKER.test(worker.url()));

async function expectFound(page: Page): Promise<void> {
  await choice(page, "GPU memory").selectOption("8 GB");
  await expect(largest(page)).toHaveText(/Largest context\s+19,456 tokens fit on the GPU\./);
  await panel(page).getByText("Make it fit").click();
  await expect(panel(page).getByRole("region", { name: "Ways to make it fit" }).getByRole("button")).toHaveText([
    "16 of 33 layers on the GPU, KV cache type Q8_0",
    "10 of 33 layers on the GPU",
    "Everything on the GPU, a context of 19,456 tokens",
  ]);
}

test.skip(missing !== false, String(missing));

test("the panels of a file search in one worker, which ends with the file", async ({ page, app }) => {
  // Counts the workers of the page.
  await leaveDocument(page);
  await openModel(page, app, "llama-3.1-8b", "&memory.context=131072&memory.card=24");
  await expectFound(page);
  await page.getByRole("tab", { name: "Summary" }).click();
  await expect(page.locator("gguf-will-it-run .answer")).toContainText("GPU memory");
  expect(workers(page)).toHaveLength(1);
  await openFile(page, app, smallMixture(), "small.gguf");
  await expectOpen(page, "small.gguf");
  await expect.poll(() => workers(page).length).toBe(0);
  // A model with few tensors needs none.
  await expect(page.locator("gguf-will-it-run .answer")).toContainText("GPU memory");
  expect(workers(page)).toHaveLength(0);
});

test("the worker that waits for a file ends if the file needs none", async ({ page, app }) => {
  // Counts the workers of the page.
  await leaveDocument(page);
  const tensors = Array.from({ length: 120 }, (_, at) => ({
    name: `blk.${at}.attn_q.weight.in_sum2`,
    dimensions: [32],
    type: 0,
    bytes: 128,
  }));
  const started = page.waitForEvent("worker", (worker) => MEMORY_WORKER.test(worker.url()));
  // The page does not know yet that the file is no model.
  await page.route(/gguf_wasm_explain_bg/, async (route) => {
    await started;
    await route.continue();
  });
  await openFile(page, app, ggufBytes([["general.type", text("imatrix")]], tensors), "imatrix.gguf");
  await expectOpen(page, "imatrix.gguf");
  await expect.poll(() => workers(page).length).toBe(0);
});

test("the page answers while a worker searches", async ({ page, app }) => {
  // This worker starts, and never responds.
  await page.route(MEMORY_WORKER, (route) =>
    route.fulfill({ contentType: "text/javascript", body: 'postMessage("ready")' }),
  );
  await openModel(page, app, "llama-3.1-8b", "&memory.context=131072&memory.card=24");
  await expect(largest(page)).toHaveAttribute("aria-busy", "true");
  await expect(largest(page)).toContainText("It is computed…");
  await panel(page).getByText("Make it fit").click();
  await expect(panel(page)).toContainText("They are computed…");
  await choice(page, "GPU memory").selectOption("12 GB");
  await expect(verdict(page, "GPU")).toContainText("Does not fit: ");
  await field(page, "Context length in tokens").fill("4096");
  await expect(verdict(page, "GPU")).toContainText("Fits: ");
  await page.getByRole("tab", { name: "Summary" }).click();
  await expect(page.locator("gguf-will-it-run section")).toHaveAttribute("aria-busy", "true");
  await expect(page.locator("gguf-will-it-run")).toContainText("The memory is computed…");
  expect(workers(page)).toHaveLength(1);
});

test("a question that was changed while the worker was busy is not asked", async ({ page, app }) => {
  const asked: string[] = [];
  // This worker opens the header, and answers nothing else.
  const body = `onmessage = ({ data: { id, job } }) => {
    if (job === "open") postMessage({ id, response: undefined });
    // A message without a job cancels one.
    else if (job) console.log("asked for", job);
  };
  postMessage("ready");`;
  await page.route(MEMORY_WORKER, (route) => route.fulfill({ contentType: "text/javascript", body }));
  page.on("console", (message) => {
    const [, job] = /^asked for (\w+)$/.exec(message.text()) ?? [];
    if (job) asked.push(job);
  });
  await openModel(page, app, "llama-3.1-8b", "&memory.context=131072&memory.card=24");
  await expect.poll(() => asked).toHaveLength(1);
  await panel(page).getByText("Make it fit").click();
  for (const size of ["8 GB", "12 GB", "16 GB"]) await choice(page, "GPU memory").selectOption(size);
  await expect(largest(page)).toHaveAttribute("aria-busy", "true");
  // The first question was dropped, and the worker is asked to say when it has ended it.
  await expect.poll(() => asked.slice(1)).toEqual(["becomeFree"]);
});

test("the page goes on if the worker fails", async ({ page, app }) => {
  // This worker opens the header, and ends with an error when it is asked for anything else.
  const body = `onmessage = ({ data: { id, job } }) => {
    if (job !== "open") throw new Error("no memory");
    postMessage({ id, response: undefined });
  };
  postMessage("ready");`;
  await page.route(MEMORY_WORKER, (route) => route.fulfill({ contentType: "text/javascript", body }));
  await openModel(page, app, "llama-3.1-8b", "&memory.context=131072&memory.card=24");
  await expectFound(page);
  await page.getByRole("tab", { name: "Summary" }).click();
  await expect(page.locator("gguf-will-it-run .answer")).toContainText("GPU memory");
});

test.describe("without workers", () => {
  // The policy of the page forbids the other way to start a worker.
  test.use({ expected: /worker-src/ });

  test("the page searches", async ({ page, app }) => {
    let requests = 0;
    await page.route(MEMORY_WORKER, (route) => {
      requests += 1;
      return route.abort();
    });
    await openModel(page, app, "llama-3.1-8b", "&memory.context=131072&memory.card=24");
    await expectFound(page);
    expect(requests).toBe(1);
  });
});
