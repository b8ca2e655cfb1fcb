import type { Page } from "@playwright/test";
import { column, expect, expectOpen, openUrl, test } from "../support/fixtures.ts";
import {
  removeFolderPicker,
  replaceFolderPicker,
  openFiles,
  serve,
  shardName,
  shardRows,
  shardsOf,
  showShards,
  wholeModel,
} from "../support/shard-files.ts";
import { changeGlobals } from "../support/shared-page.ts";

const NAMES = [1, 2, 3].map((number) => shardName("tiny", number, 3));
const notice = (page: Page) => page.locator("gguf-viewer .problem");

/** The tensors that the page lists, in the order of the file. */
async function tensors(page: Page): Promise<string[]> {
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await expect(page.locator("gguf-tensor-table .row").first()).toBeVisible();
  return (await column(page, "gguf-tensor-table", ".name bdi")).map((name) => name.trim());
}

const SIX = [0, 1, 2, 3, 4, 5].map((at) => `blk.${at}.attn_q.weight`);

test.describe("a set", () => {
  for (const number of [1, 2, 3]) {
    test(`opens by the address of shard ${number}, with one request for each shard`, async ({ page, app }) => {
      const urls = serve(app, shardsOf(), `/by-${number}`);
      const url = urls[number - 1] ?? "";
      const before = app.log.length;
      await openUrl(page, app, url);
      await expectOpen(page, NAMES[0] ?? "");
      const asked = app.log
        .slice(before)
        .map((request) => request.url ?? "")
        .filter((path) => path.includes(`/by-${number}/`));
      expect(asked[0]).toBe(new URL(url).pathname);
      expect(asked.toSorted()).toEqual(urls.map((one) => new URL(one).pathname));
      expect(await tensors(page)).toEqual(SIX);
      await expect(page.getByRole("heading", { name: "Tiny", exact: true })).toBeVisible();
      await expect(notice(page)).toHaveCount(0);
      await showShards(page);
      await expect(shardRows(page)).toHaveCount(3);
      for (const [at, name] of NAMES.entries())
        await expect(shardRows(page).nth(at)).toContainText(new RegExp(`${at + 1}\\s*${name}.*2.*Open\\s*$`, "s"));
    });
  }

  test("opens from several files, in any order", async ({ page, app }) => {
    await openFiles(page, app, shardsOf().toReversed());
    await expectOpen(page, NAMES[0] ?? "");
    expect(await tensors(page)).toEqual(SIX);
    expect(new URL(page.url()).hash).toContain(`file=${NAMES[0]}`);
  });

  test("opens from several dropped files", async ({ page, app }) => {
    await page.goto(app.origin);
    await page.evaluate(
      (files) => {
        const dataTransfer = new DataTransfer();
        for (const { name, bytes } of files) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
        document.body.dispatchEvent(
          new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }),
        );
      },
      [...shardsOf(), { name: "README.md", bytes: Uint8Array.of(1) }].map(({ name, bytes }) => ({
        name,
        bytes: [...bytes],
      })),
    );
    await expectOpen(page, NAMES[0] ?? "");
    expect(await tensors(page)).toEqual(SIX);
  });

  test("opens from a folder", async ({ page, app }) => {
    await replaceFolderPicker(page, [...shardsOf(), { name: "notes.txt", bytes: Uint8Array.of(1) }]);
    await page.goto(app.origin);
    await page.getByRole("button", { name: "Choose a folder" }).click();
    await expectOpen(page, NAMES[0] ?? "");
    expect(await tensors(page)).toEqual(SIX);
  });

  test("opens from a dropped folder", async ({ page, app }) => {
    await replaceFolderPicker(page, shardsOf());
    await page.goto(app.origin);
    await page.evaluate(async () => {
      const { showDirectoryPicker } = window as unknown as {
        showDirectoryPicker(): Promise<FileSystemDirectoryHandle>;
      };
      const handle = await showDirectoryPicker();
      // A folder that a program drops has no handle, so the test adds one.
      Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle: () => Promise.resolve(handle) });
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([], "models"));
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }),
      );
    });
    await expectOpen(page, NAMES[0] ?? "");
    expect(await tensors(page)).toEqual(SIX);
  });

  test("opens from a folder in browsers without a picker of folders", async ({ page, app }, info) => {
    const folder = info.outputPath("models");
    const { mkdir, writeFile } = await import("node:fs/promises");
    await mkdir(folder, { recursive: true });
    for (const { name, bytes } of shardsOf()) await writeFile(`${folder}/${name}`, bytes);
    await removeFolderPicker(page);
    await page.goto(app.origin);
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose a folder" }).click();
    await (await choosing).setFiles(folder);
    await expectOpen(page, NAMES[0] ?? "");
    expect(await tensors(page)).toEqual(SIX);
  });

  test("opens one shard alone, and the set again", async ({ page, app }) => {
    const [, second = ""] = serve(app, shardsOf(), "/alone");
    await openUrl(page, app, second);
    await showShards(page);
    await page.getByRole("button", { name: `Open this shard alone: ${NAMES[1]}` }).click();
    await expect(page).toHaveURL(/&alone=shard/);
    await expectOpen(page, NAMES[1] ?? "");
    expect(await tensors(page)).toEqual(SIX.slice(2, 4));
    await showShards(page);
    await expect(page.getByRole("heading", { name: "Shard 2 of 3" })).toBeVisible();
    await page.reload();
    await expectOpen(page, NAMES[1] ?? "");
    await showShards(page);
    await page.getByRole("button", { name: "Open all shards" }).click();
    await expectOpen(page, NAMES[0] ?? "");
    await expect(page).not.toHaveURL(/alone=/);
    await page.goBack();
    await expectOpen(page, NAMES[1] ?? "");
  });

  test("opens one local shard alone", async ({ page, app }) => {
    await openFiles(page, app, shardsOf());
    await showShards(page);
    await page.getByRole("button", { name: `Open this shard alone: ${NAMES[2]}` }).click();
    await expectOpen(page, NAMES[2] ?? "");
    await showShards(page);
    await expect(page.locator("gguf-shards")).toContainText("Choose or drop all shards together");
  });
});

test("a whole file with the name of a shard is one file, with one request", async ({ page, app }) => {
  const url = app.file("/claims/x-00001-of-99999.gguf", wholeModel());
  const before = app.log.length;
  await openUrl(page, app, url);
  await expectOpen(page, "x-00001-of-99999.gguf");
  expect(app.log.slice(before).filter((request) => request.url?.includes("/claims/"))).toHaveLength(1);
  await showShards(page);
  await expect(page.getByRole("heading", { name: "Split into shards" })).toBeVisible();

  // The same for a local file, whose number is not that of the first shard.
  await openFiles(page, app, [{ name: "x-00002-of-99999.gguf", bytes: wholeModel() }]);
  await expectOpen(page, "x-00002-of-99999.gguf");
  await expect(notice(page)).toHaveCount(0);
});

test.describe("a set with a missing shard", () => {
  // The browser reports the missing file.
  test.use({ expected: /404|Failed to load resource/ });

  test("is shown with a notice that names the file: an address", async ({ page, app }) => {
    const [first, , third] = shardsOf();
    if (!first || !third) throw new Error("there are three shards");
    const [url = ""] = serve(app, [first, third], "/missing");
    await openUrl(page, app, url);
    await expectOpen(page, NAMES[0] ?? "");
    await expect(notice(page)).toContainText(`2 of 3 shards could be opened.`);
    await expect(notice(page)).toContainText(`Missing: ${NAMES[1]}.`);
    expect(await tensors(page)).toEqual([...SIX.slice(0, 2), ...SIX.slice(4)]);
    await notice(page).getByRole("button", { name: "Show shards" }).click();
    await expect(shardRows(page).nth(1)).toContainText(new RegExp(`${NAMES[1]}.*Missing`, "s"));
    await expect(page.locator("gguf-merge-set")).toContainText("shard 2 of 3");
    await expect(page.locator("gguf-merge-set").getByRole("button")).toHaveCount(0);
  });

  test("is shown with a notice that names the file: local files", async ({ page, app }) => {
    await openFiles(page, app, shardsOf().slice(1));
    await expect(notice(page)).toContainText(`Missing: ${NAMES[0]}.`);
    expect(await tensors(page)).toEqual(SIX.slice(2));
    // The first shard has the metadata, so there is nothing to edit.
    await expect(page.getByRole("button", { name: "Edit", exact: true })).toHaveCount(0);
    await page.getByRole("tab", { name: /Checks/ }).click();
    await expect(page.locator("gguf-checks li", { hasText: "missing-shard" })).toContainText(/Shard 1/);
  });

  test("a shard that is no GGUF file has a reason", async ({ page, app }) => {
    const files = shardsOf();
    const broken = files.map(({ name, bytes }, at) => ({ name, bytes: at === 2 ? Uint8Array.of(1, 2, 3, 4) : bytes }));
    await openFiles(page, app, broken);
    await expect(notice(page)).toContainText(`Not readable: ${NAMES[2]}.`);
    await showShards(page);
    await expect(shardRows(page).nth(2)).toContainText("This is not a GGUF file");
  });
});

test.describe("a shard that the server refuses", () => {
  // The browser reports the answer.
  test.use({ expected: /403|Failed to load resource/ });

  test("is not readable, and the findings agree", async ({ page, app }) => {
    const [url = ""] = serve(app, shardsOf(), "/refused");
    await page.route(`**/refused/${NAMES[2]}`, (route) => route.fulfill({ status: 403 }));
    await openUrl(page, app, url);
    await expect(notice(page)).toContainText(`Not readable: ${NAMES[2]}.`);
    await showShards(page);
    await expect(shardRows(page).nth(2)).toContainText(/403.*Not readable/s);
    await expect(page.getByRole("list", { name: "Problems of the set" })).toContainText(
      new RegExp(`${NAMES[2]}.* could not be opened: .*403`),
    );
    await page.getByRole("tab", { name: /Checks/ }).click();
    await expect(page.locator("gguf-checks li", { hasText: "unreadable-shard" })).toHaveCount(1);
    await expect(page.locator("gguf-checks li", { hasText: "missing-shard" })).toHaveCount(0);
  });
});

test("shards of two models with the same name are refused with both names", async ({ page, app }) => {
  const [first] = shardsOf(3, "tiny", "Tiny");
  const foreign = shardsOf(2, "tiny")[1];
  if (!first || !foreign) throw new Error("there are shards");
  // The second file has the name of a shard of the first model, and was made for another one.
  await openFiles(page, app, [first, { name: NAMES[1] ?? "", bytes: foreign.bytes }]);
  const panel = page.locator("gguf-error-panel");
  await expect(panel).toContainText("These files belong to different models");
  await expect(panel).toContainText(NAMES[0] ?? "");
  await expect(panel).toContainText(NAMES[1] ?? "");
});

test("several models: the person chooses one", async ({ page, app }) => {
  await openFiles(page, app, [
    ...shardsOf(2, "other", "Other").slice(1),
    { name: "whole.gguf", bytes: wholeModel("Whole") },
    ...shardsOf(),
  ]);
  const dialog = page.getByRole("dialog", { name: "Which model?" });
  await expect(dialog.getByRole("listitem")).toHaveText([
    /other-00002-of-00002\.gguf\s+.*1 of 2 shards/,
    /tiny-00001-of-00003\.gguf\s+.*3 of 3 shards/,
    /whole\.gguf/,
  ]);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Look inside");
  await openFiles(page, app, [{ name: "whole.gguf", bytes: wholeModel("Whole") }, ...shardsOf()]);
  await dialog.getByRole("button", { name: /^tiny/ }).click();
  await expectOpen(page, NAMES[0] ?? "");
  expect(await tensors(page)).toEqual(SIX);
});

test("a folder without a model is reported", async ({ page, app }) => {
  await replaceFolderPicker(page, [{ name: "notes.txt", bytes: Uint8Array.of(1) }]);
  await page.goto(app.origin);
  await page.getByRole("button", { name: "Choose a folder" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "There is no .gguf file in what you chose, and no model with config.json and safetensors.",
  );
});

test("a folder that cannot be read is reported", async ({ page, app }) => {
  await changeGlobals(page, () => {
    const entries = () => {
      throw new DOMException("gone", "NotFoundError");
    };
    Object.assign(window, { showDirectoryPicker: () => Promise.resolve({ name: "models", entries }) });
  });
  await page.goto(app.origin);
  await page.getByRole("button", { name: "Choose a folder" }).click();
  await expect(page.getByRole("alert")).toContainText("The folder could not be read.");
});

test("a folder without a model is reported beside the open model", async ({ page, app }) => {
  await openFiles(page, app, shardsOf());
  await expectOpen(page, NAMES[0] ?? "");
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    for (const name of ["a.txt", "b.txt"]) dataTransfer.items.add(new File(["x"], name));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }),
    );
  });
  await expect(page.getByRole("alert")).toHaveText(
    "There is no .gguf file in what you chose, and no model with config.json and safetensors.",
  );
  await expectOpen(page, NAMES[0] ?? "");
});
