import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { PROGRAM, zipBytes } from "../../support/zip-bytes.mjs";
import { chooseFiles } from "../support/local-files.ts";

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

test("the GGUF file in a llamafile is opened, from the disk and from a server", async ({ page, app }) => {
  await openFile(page, app, llamafile, "my.llamafile");
  await expectOpen(page, "inner.gguf");
  const notice = page.locator(".container");
  await expect(notice).toContainText("llamafile: the GGUF file inside is opened.");
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
  await expect(notice).toContainText("2 raw parts are shown as one file.");
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
  await expect(page.locator(".container")).toContainText("2 raw parts are shown as one file.");
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
  await openFile(page, app, parts[0] ?? model, "m.gguf.part1of2");
  await expectOpen(page, "m.gguf");
  const notice = page.locator(".container");
  await expect(notice).toContainText("missing beside it: m.gguf.part2of2.");
  await expect(notice).toContainText("Choose all parts together");
  await expect(notice.getByRole("button")).toHaveCount(0);
});

test("shards that were joined with cat are named by the checks", async ({ page, app }) => {
  await openFile(page, app, Buffer.concat([model, model]), "m.gguf");
  await expectOpen(page, "m.gguf");
  await page.getByRole("tab", { name: /Checks/ }).click();
  await expect(page.locator("gguf-checks-panel")).toContainText(
    `Another GGUF file begins at offset ${model.length}`,
  );
});
