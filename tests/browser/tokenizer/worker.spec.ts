// The tokenizer of a large header is made and runs in a worker.

import type { Page } from "@playwright/test";
import { expect, expectOpen, openUrl, test } from "../support/fixtures.ts";
import { bar, setValue, startEditing } from "../support/editing.ts";
import { leaveDocument, loseDocument } from "../support/shared-page.ts";
import {
  HELLO_TOKENS,
  helloVocabulary,
  idsField,
  openTokenizer,
  shownTokens,
  textField,
  tokenizerPanel,
} from "../support/tokenizer-panel.ts";

const HEADER_WORKER = /header-worker/;
const COUNT = 262_144;

/** The small vocabulary, and tokens that make the header larger than a megabyte. */
const large = helloVocabulary({
  "tokenizer.ggml.tokens": { type: "strings", count: COUNT, at: (id) => HELLO_TOKENS[id] ?? `token${id}` },
  "tokenizer.ggml.token_type": { type: "int32s", count: COUNT, at: (id) => (HELLO_TOKENS[id] === "<end>" ? 3 : 1) },
});

const workers = (page: Page) => page.workers().filter((worker) => HEADER_WORKER.test(worker.url()));

async function expectTokenised(page: Page): Promise<void> {
  await textField(page).fill("hi hi");
  await expect(idsField(page)).toHaveValue("3 4 5");
  await expect(shownTokens(page)).toHaveText(["hi3", "·hi4", "<end>5"]);
  await textField(page).fill("");
  await expect(idsField(page)).toHaveValue("5");
  await idsField(page).fill("4 262143");
  await expect(textField(page)).toHaveValue(" hitoken262143");
  await idsField(page).fill("262144");
  await expect(idsField(page)).toHaveAccessibleDescription(/^The vocabulary has no token 262144\./);
  await expect(textField(page)).toHaveValue("");
}

test("a large vocabulary is tokenised in a worker, which ends with the file", async ({ page, app }) => {
  // Counts the workers of the page.
  await leaveDocument(page);
  await openUrl(page, app, app.file("/tokenizer/large.gguf", large), "&view=tokenizer");
  await expectTokenised(page);
  // The worker of the checks has ended.
  await expect.poll(() => workers(page).length).toBe(1);
  await openUrl(page, app, app.file("/tokenizer/small.gguf", helloVocabulary()), "&view=tokenizer");
  await expectOpen(page, "small.gguf");
  await expect.poll(() => workers(page).length).toBe(0);
});

/** Counts the workers that a document makes. Runs before its scripts. */
function countWorkers(): void {
  const counted = { count: 0 };
  Object.assign(globalThis, {
    workersMade: counted,
    Worker: class extends Worker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        counted.count += 1;
      }
    },
  });
}

/** The number of workers that the page has made, after all that it does when it is idle. */
const workersMade = (page: Page) =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 3; turn += 1)
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 }));
    return (globalThis as unknown as { workersMade: { count: number } }).workersMade.count;
  });

test("a viewer that was removed makes no tokenizer, until it is back", async ({ page, app }) => {
  await page.addInitScript(countWorkers);
  await openUrl(page, app, app.file("/tokenizer/large.gguf", large), "&view=tokenizer");
  await expectTokenised(page);
  const field = await page.locator("gguf-try-tokenizer").elementHandle();
  const removed = await page.locator("gguf-app").elementHandle();
  await removed?.evaluate((element) => element.remove());
  await expect.poll(() => workers(page).length).toBe(0);
  const made = await workersMade(page);
  // The panel asks for the tokenizer when it is updated, also outside of the document.
  await field?.evaluate(async (element) => {
    const panel = element as HTMLElement & { requestUpdate(): void; updateComplete: Promise<boolean> };
    panel.requestUpdate();
    await panel.updateComplete;
  });
  expect(await workersMade(page)).toBe(made);
  await removed?.evaluate((element) => document.body.prepend(element));
  await expectTokenised(page);
  expect(await workersMade(page)).toBe(made + 1);
  await removed?.evaluate((element) => element.remove());
  await expect.poll(() => workers(page).length).toBe(0);
});

test("the page answers while the worker makes the tokenizer", async ({ page, app }) => {
  // This worker starts, and never responds.
  await page.route(HEADER_WORKER, (route) =>
    route.fulfill({ contentType: "text/javascript", body: 'postMessage("ready")' }),
  );
  await openTokenizer(page, app, large);
  await expect.poll(() => workers(page).length).toBe(2);
  await expect(tokenizerPanel(page)).toContainText("Reading the vocabulary…");
  await tokenizerPanel(page).getByRole("searchbox", { name: "Search tokens" }).fill("token262143");
  await expect(tokenizerPanel(page).getByRole("treegrid", { name: "Tokens" })).toContainText("262143");
  await expect(tokenizerPanel(page)).toContainText("Reading the vocabulary…");
  await expect(idsField(page)).toHaveValue("");
});

test.describe("without workers", () => {
  // The policy of the page forbids the other way to start a worker.
  test.use({ expected: /worker-src/ });

  test("a large vocabulary is tokenised on the page", async ({ page, app }) => {
    await page.route(HEADER_WORKER, (route) => route.abort());
    await openTokenizer(page, app, large);
    await expectTokenised(page);
  });
});

/** Makes the tokenizers of the page end as if WebAssembly had stopped them. Workers have modules of their own. */
function stopTokenizers(viewer: Element): void {
  const { gguf } = viewer as unknown as { gguf: { tokenizer(): object } };
  Object.assign(Object.getPrototypeOf(gguf.tokenizer()) as object, {
    encode: () => {
      throw new WebAssembly.RuntimeError("Out of bounds memory access");
    },
  });
}

test("a tokenizer that has stopped is started again, and unsaved changes and the text stay", async ({ page, app }) => {
  await startEditing(page, app, helloVocabulary());
  await setValue(page, "general.name", "Changed");
  await page.getByRole("tab", { name: "Tokenizer" }).click();
  await textField(page).fill("hi");
  await expect(idsField(page)).toHaveValue("3 5");
  await page.locator("gguf-viewer").evaluate(stopTokenizers);
  await textField(page).fill("hi hi");
  const notice = tokenizerPanel(page).getByRole("alert");
  await expect(notice).toContainText("The tokenizer has stopped. Out of bounds memory access");
  const reload = notice.getByRole("button", { name: "Reload the tokenizer" });
  await expect(reload).toBeFocused();
  await reload.click();
  // It has a module of its own now, although the one of the page still stops.
  await expect(idsField(page)).toHaveValue("3 4 5");
  await expect(textField(page)).toHaveValue("hi hi");
  await expect(textField(page)).toBeFocused();
  await expect(bar(page)).toContainText("1 change");
  // The module of this document stays as it is.
  loseDocument(page);
});
