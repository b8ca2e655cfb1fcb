/** The facts of a header are shown while it arrives, and kept if the rest does not. */

import type { ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import { expect, factOf, openFile, openUrl, test } from "../support/fixtures.ts";
import type { TestServer } from "../support/server.ts";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { PUBLISHED_HEADERS, type PublishedHeader } from "../../support/published-headers.mjs";
import { shardFiles } from "../../support/shards.mjs";

/** The size of the whole file that the server tells. */
const FILE_SIZE = 4_920_739_232;
/** The range that the page requests before it knows anything about the header. */
const FIRST_RANGE = 384 << 10;

const [LLAMA] = PUBLISHED_HEADERS as readonly [PublishedHeader];

/** Serves the first bytes of a header. Later requests get no response. */
function stopping(app: TestServer, { fileName, bytes }: PublishedHeader, length = FIRST_RANGE): string {
  const header = bytes();
  return app.on(`/arriving/${fileName}`, ({ headers }, response) => {
    if (headers.range !== `bytes=0-${FIRST_RANGE - 1}`) return;
    writeHead(response);
    response.write(header.subarray(0, length));
    if (length === FIRST_RANGE) response.end();
  });
}

function writeHead(response: ServerResponse): void {
  response.writeHead(206, {
    "content-length": FIRST_RANGE,
    "content-range": `bytes 0-${FIRST_RANGE - 1}/${FILE_SIZE}`,
  });
}

const rows = (page: Page) => page.locator("gguf-known-header");

async function expectFacts(page: Page, { name, architecture, context, blocks }: PublishedHeader): Promise<void> {
  await expect(page.locator("gguf-identity h2")).toHaveText(name);
  await expect(factOf(page, "Architecture")).toHaveText(architecture);
  await expect(factOf(page, "Context length")).toHaveText(context);
  await expect(factOf(page, "Blocks")).toHaveText(blocks);
  await expect(rows(page).getByText("general.name", { exact: true })).toBeVisible();
  await expect(
    rows(page)
      .getByText(/^\d+ others not read/)
      .first(),
  ).toBeVisible();
}

for (const published of PUBLISHED_HEADERS) {
  test(`384 KiB of ${published.fileName} show what it is`, async ({ page, app }) => {
    await openUrl(page, app, stopping(app, published));
    await expectFacts(page, published);
    await expect(factOf(page, "File size")).toHaveText("4.92 GB");
    if (published.fileType) await expect(factOf(page, "Quantization")).toHaveText(published.fileType);
    else await expect(factOf(page, "Quantization by name")).toHaveText("Q4_K_M");
    await expect(factOf(page, "Tensors")).toHaveText(/^0 of \d+$/);
    await expect(factOf(page, "Bits per weight")).toHaveText("not read yet");
    await expect(page.locator("gguf-progress")).toContainText("of about");
  });
}

test("before the first bytes, the name of the file tells what it declares, and nothing moves when they arrive", async ({
  page,
  app,
}) => {
  let respond = () => {};
  const header = LLAMA.bytes();
  const url = app.on(`/early/${LLAMA.fileName}`, ({ headers }, response) => {
    if (headers.range !== `bytes=0-${FIRST_RANGE - 1}`) return;
    respond = () => {
      writeHead(response);
      response.end(header.subarray(0, FIRST_RANGE));
    };
  });
  await openUrl(page, app, url);
  await expect(page.locator("gguf-identity h2")).toHaveText("Meta-Llama-3.1-8B-Instruct");
  await expect(factOf(page, "Parameters by name")).toHaveText("8B");
  await expect(factOf(page, "Quantization by name")).toHaveText("Q4_K_M");
  await expect(factOf(page, "Architecture")).toHaveText("not read yet");
  await expect(page.locator("gguf-progress")).toContainText("Starting…");
  const places = async () => {
    const of = (label: string) => factOf(page, label).evaluate((fact) => Math.round(fact.getBoundingClientRect().top));
    return [await of("Architecture"), await of("Context length"), await of("Vocabulary"), await of("Bits per weight")];
  };
  const before = await places();
  respond();
  await expectFacts(page, LLAMA);
  expect(await places()).toEqual(before);
});

/**
 * Serves three shards: shard `one` at once, and the others when the test calls the functions in `held`. Returns the address of shard `one`.
 */
function shardOf(app: TestServer, one: number) {
  const held: (() => void)[] = [];
  const addresses = Object.entries(shardFiles(3, { prefix: "Tiny-1B-Q8_0" })).map(([name, bytes], at) =>
    app.on(`/shard-${one}/${name}`, (_request, response) => {
      const send = () => response.end(bytes);
      if (at + 1 === one) send();
      else held.push(send);
    }),
  );
  return { address: addresses[one - 1] ?? "", held };
}

test("the first shard shows what the model is, before the others have come", async ({ page, app }) => {
  const { address, held } = shardOf(app, 1);
  await openUrl(page, app, address);
  await expect(factOf(page, "Architecture")).toHaveText("llama");
  await expect(factOf(page, "Blocks")).toHaveText("1");
  await expect(factOf(page, "Vocabulary")).toHaveText("10");
  // Facts that need all shards are not known.
  await expect(factOf(page, "Tensors")).toHaveText("1 of 3");
  await expect(factOf(page, "Parameters by name")).toHaveText("1B");
  for (const label of ["File size", "Bits per weight"]) await expect(factOf(page, label)).toHaveText("not read yet");
  await expect(page.locator("gguf-progress")).toContainText("1 of 3 shards");
  await expect.poll(() => held).toHaveLength(2);
  for (const send of held) send();
  await expect(factOf(page, "Tensors")).toHaveText("3");
  await expect(page.getByRole("tab", { name: "Shards" })).toBeVisible();
});

test("another shard keeps the places of the facts of the model, and what is declared", async ({ page, app }) => {
  const { address, held } = shardOf(app, 2);
  await openUrl(page, app, address);
  await expect(factOf(page, "Tensors")).toHaveText("1 of 3");
  for (const label of ["Architecture", "Context length", "Metadata", "File size"])
    await expect(factOf(page, label)).toHaveText("not read yet");
  await expect(factOf(page, "Quantization by name")).toHaveText("Q8_0");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toContainText("Opening was cancelled");
  await expect(factOf(page, "Architecture")).toHaveText("not read");
  await page.getByRole("button", { name: "Open again" }).click();
  await expect.poll(() => held.length).toBeGreaterThanOrEqual(4);
  for (const send of held) send();
  await expect(factOf(page, "Architecture")).toHaveText("llama");
});

test("a shard is shown as one, whatever the page of another author calls it; a file of one shard is a file", async ({
  page,
  app,
}) => {
  const viewer = (path: string, attributes: string) =>
    app.on(path, (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<!doctype html><meta charset="utf-8"><title>Theirs</title><link rel="icon" href="data:,">
        <script type="module" src="/viewer.js"></script>
        <gguf-viewer ${attributes} style="height: 700px"></gguf-viewer>`);
    });
  await page.goto(viewer("/named-shard.html", `name="My model" src="${shardOf(app, 1).address}"`));
  await expect(factOf(page, "Tensors")).toHaveText("1 of 3");
  await expect(factOf(page, "File size")).toHaveText("not read yet");

  const [whole] = Object.values(shardFiles(1));
  const url = app.on("/models/whole-00001-of-00001.gguf", (_request, response) => {
    response.writeHead(200, { "content-length": 1_000_000 });
    response.write(whole?.subarray(0, 100));
  });
  await page.goto(viewer("/one-shard.html", `src="${url}"`));
  await expect(factOf(page, "File size")).toHaveText("1.00 MB");
});

test("what has arrived stays after Cancel", async ({ page, app }) => {
  await openUrl(page, app, stopping(app, LLAMA, 100_000));
  await expectFacts(page, LLAMA);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toContainText("Opening was cancelled");
  await expectFacts(page, LLAMA);
  await expect(factOf(page, "Bits per weight")).toHaveText("not read");
  await page.getByRole("button", { name: "Open again" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expectFacts(page, LLAMA);
});

for (const viewport of [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
]) {
  test(`a header that is cut off is shown with the error, ${viewport.width} px wide`, async ({ page, app }) => {
    await page.setViewportSize(viewport);
    await openFile(page, app, LLAMA.bytes().slice(0, 200_000), LLAMA.fileName);
    await expect(page.getByRole("alert")).toContainText(/cut off|incomplete|truncated/i);
    await expectFacts(page, LLAMA);
    await expect(factOf(page, "File size")).toHaveText(/^200/);
  });
}

test("the first entry with a key counts, even if it is an array, as in the whole header", async ({ page, app }) => {
  const names = { type: "strings", count: 1, at: () => "first" } as const;
  const bytes = ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.name", names],
      ["general.name", text("second")],
    ],
    [{ name: "a", dimensions: [32], type: 0, bytes: 128 }],
  );
  for (const length of [bytes.length - 160, bytes.length]) {
    await openFile(page, app, bytes.slice(0, length), `m${length}.gguf`);
    await expect(page.getByRole("alert")).toHaveCount(length < bytes.length ? 1 : 0);
    await expect(factOf(page, "Architecture")).toHaveText("llama");
    await expect(page.locator("gguf-identity h2")).toContainText(`m${length}`);
  }
});

test("a file of which nothing can be read shows the error only", async ({ page, app }) => {
  await openFile(page, app, new TextEncoder().encode("not a model"), "none.gguf");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.locator("gguf-summary-panel")).toHaveCount(0);
});
