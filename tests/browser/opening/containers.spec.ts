import type { Page } from "@playwright/test";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { PROGRAM, zipBytes } from "../../support/zip-bytes.mjs";
import type { TestServer } from "../support/server.ts";
import { chooseFiles } from "../support/local-files.ts";
import { shardsOf } from "../support/shard-files.ts";

// The browser writes requests for parts that are not there to the console.
test.use({ expected: /^Failed to load resource/ });

const model = smallModel();
const parts = [model.subarray(0, 1000), model.subarray(1000)];
const llamafile = zipBytes(
  [
    { name: ".args", bytes: Buffer.from("-m") },
    { name: "inner.gguf", bytes: model, padding: 11 },
  ],
  { before: PROGRAM },
);

/** Chooses a file. Another name than its own may be shown. */
async function choose(page: Page, app: TestServer, bytes: Uint8Array, name: string): Promise<void> {
  await page.goto(`${app.origin}/`);
  await chooseFiles(page, [{ name, bytes }]);
}

test("the GGUF file in a llamafile is opened, from the disk and from a server", async ({ page, app }) => {
  await choose(page, app, llamafile, "my.llamafile");
  await expectOpen(page, "inner.gguf");
  const notice = page.locator(".container");
  await expect(notice).toContainText("llamafile: the GGUF file inside is opened: inner.gguf.");
  await expect(notice.getByRole("button", { name: "Save the GGUF file" })).toBeVisible();
  await openUrl(page, app, app.file("/c/my.llamafile", llamafile));
  await expectOpen(page, "inner.gguf");
  await expect(notice).toContainText("llamafile");
});

test("raw parts are shown as one file, which can be saved", async ({ page, app }) => {
  await page.goto(`${app.origin}/`);
  const [first = model, second = model] = parts;
  await chooseFiles(page, [
    { name: "m.gguf.part2of2", bytes: second },
    { name: "m.gguf.part1of2", bytes: first },
  ]);
  await expectOpen(page, "m.gguf");
  const notice = page.locator(".container");
  await expect(notice).toContainText("2 raw parts are shown as one file: m.gguf.");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    notice.getByRole("button", { name: "Save the joined file" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("m.gguf");
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).equals(Buffer.from(model))).toBe(true);
});

test("raw parts of a server are found beside the one that is opened", async ({ page, app }) => {
  const [first = model, second = model] = parts;
  app.file("/c/m.gguf-split-a", first);
  await openUrl(page, app, app.file("/c/m.gguf-split-b", second));
  await expectOpen(page, "m.gguf");
  await expect(page.locator(".container")).toContainText("2 raw parts are shown as one file: m.gguf.");
});

test("a part without the first one is named", async ({ page, app }) => {
  await openFile(page, app, parts[1] ?? model, "m.gguf.part2of2");
  const panel = page.locator("gguf-error-panel");
  await expect(panel.getByRole("heading", { name: "Parts of this file are missing" })).toBeVisible();
  await expect(panel).toContainText("a part of m.gguf, which was cut into pieces");
  await expect(panel).toContainText("m.gguf.part1of2");
  await expect(panel).not.toContainText("Download");
});

test("the first part alone is shown, with what is missing", async ({ page, app }) => {
  await choose(page, app, model.subarray(0, -1000), "m.gguf.part1of2");
  await expectOpen(page, "m.gguf");
  const notice = page.locator(".container");
  await expect(notice).toContainText("missing beside it: m.gguf.part2of2.");
  await expect(notice).toContainText("Choose all parts together");
  await expect(notice.getByRole("button")).toHaveCount(0);
  await page.getByRole("tab", { name: /Checks/ }).click();
  await expect(page.locator("gguf-checks")).toContainText("A later part is probably missing.");
});

test("a part that ends in the header is no interrupted download", async ({ page, app }) => {
  await choose(page, app, parts[0] ?? model, "m.gguf.part1of2");
  const panel = page.locator("gguf-error-panel");
  await expect(panel.getByRole("heading", { name: "Parts of this file are missing" })).toBeVisible();
  await expect(panel).toContainText("m.gguf.part2of2");
  await expect(panel).not.toContainText("Download");
});

test("shards that were joined with cat are shown as one model", async ({ page, app }) => {
  const shards = shardsOf(3);
  const joined = Buffer.concat(shards.map(({ bytes }) => bytes));
  const open = async (start: () => Promise<void>) => {
    await start();
    await expect(page.locator(".container")).toContainText(
      "3 shards that were joined into one file are shown as one model: m.gguf.",
    );
    await expect(page.getByRole("tab", { name: /^Shards/ })).toBeVisible();
  };
  await open(() => choose(page, app, joined, "m.gguf"));
  await open(() => openUrl(page, app, app.file("/c/m.gguf", joined)));
});

test("files that were joined with cat are named by the checks", async ({ page, app }) => {
  await openFile(page, app, Buffer.concat([model, model]), "m.gguf");
  await expectOpen(page, "m.gguf");
  await page.getByRole("tab", { name: /Checks/ }).click();
  await expect(page.locator("gguf-checks")).toContainText(`Another GGUF file begins at offset ${model.length}`);
});
