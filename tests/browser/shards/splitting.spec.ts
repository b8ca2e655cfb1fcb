import type { Download, Page } from "@playwright/test";
import { downloadedBytes } from "../support/editing.ts";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { replacePickers, setDisk } from "../support/picked-file.ts";
import {
  filesInFolder,
  openFiles,
  panel,
  removeFolderPicker,
  replaceFolderPicker,
  shardName,
  shardsOf,
  showShards,
  tensorsOf,
  wholeModel,
} from "../support/shard-files.ts";
import { changeGlobals } from "../support/shared-page.ts";
import { fileWith, matrix } from "../support/tensor-files.ts";
import { text } from "../../support/gguf-bytes.mjs";

const NAMES = [1, 2, 3].map((number) => shardName("whole", number, 3));
const preview = (page: Page) => panel(page).locator("gguf-split-file tbody tr");
const most = (page: Page) => page.getByRole("spinbutton", { name: "Most tensors" });
const limit = (page: Page) => page.getByRole("combobox", { name: "Limit of a shard" });
const save = (page: Page) => page.getByRole("button", { name: "Save into a folder…" });

/** Opens the model with six tensors, and plans shards of two tensors. */
async function plan(page: Page, app: Parameters<typeof openFile>[1]): Promise<void> {
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showShards(page);
  await limit(page).selectOption("Number of tensors");
  await most(page).fill("2");
  await expect(preview(page)).toHaveCount(3);
}

const equal = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a !== undefined && b !== undefined && Buffer.from(a).equals(Buffer.from(b));

test("the preview shows the names, tensors and sizes of the shards", async ({ page, app }) => {
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showShards(page);
  await expect(preview(page)).toHaveCount(1);
  await expect(preview(page)).toContainText("whole-00001-of-00001.gguf");
  // People think in gigabytes.
  await expect(limit(page)).toHaveValue("size");
  await expect(page.getByRole("combobox", { name: "Unit" })).toHaveValue("GB");
  await limit(page).selectOption("Number of tensors");
  await most(page).fill("2");
  await expect(preview(page)).toHaveCount(3);
  for (const [at, name] of NAMES.entries())
    await expect(preview(page).nth(at)).toContainText(new RegExp(`${name}\\s+2\\s+\\d`));
  await page.getByRole("checkbox", { name: "First shard with the metadata only" }).check();
  await expect(preview(page)).toHaveCount(4);
  await expect(preview(page).first()).toContainText(/of-00004\.gguf\s+0\s/);
  await page.getByRole("textbox", { name: "Name" }).fill("other");
  await expect(preview(page).first()).toContainText("other-00001-of-00004.gguf");
  await limit(page).selectOption("Size");
  await page.getByRole("combobox", { name: "Unit" }).selectOption("MB");
  // A tensor has 256 bytes.
  await page.getByRole("spinbutton", { name: "Largest size" }).fill("0.0006");
  await expect(preview(page)).toHaveCount(4);
  await page.getByRole("spinbutton", { name: "Largest size" }).fill("0");
  await expect(page.getByRole("alert")).toHaveText("Type a size in MB above 0.");
  await expect(preview(page)).toHaveCount(0);
  await page.getByRole("spinbutton", { name: "Largest size" }).fill("1");
  await page.getByRole("textbox", { name: "Name" }).fill("a/b");
  await expect(page.getByRole("alert")).toContainText("Type a name without");
});

test("a file is split into a folder, and the shards are merged to the same bytes", async ({ page, app }) => {
  await replaceFolderPicker(page);
  await replacePickers(page, new Uint8Array());
  await plan(page, app);
  await save(page).click();
  await expect(panel(page)).toContainText(/3 shards written into models, .*\./);
  const files = await filesInFolder(page);
  expect([...files.keys()]).toEqual(NAMES);
  // The shards open as one model, and merge to the original.
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await page.getByRole("button", { name: "Choose a folder" }).click();
  await expectOpen(page, NAMES[0] ?? "");
  await showShards(page);
  const saving = page.getByRole("button", { name: "Save as…" });
  await saving.click();
  await expect(panel(page)).toContainText("Saved as whole.gguf");
  const merged = await page.evaluate(() =>
    (window as unknown as { stored(name: string): Promise<number[]> }).stored("whole.gguf"),
  );
  expect(equal(Uint8Array.from(merged), wholeModel())).toBe(true);
});

/** Types a number of tensors and clicks a button at once, before the shards are planned. */
async function typeAndClick(page: Page, tensors: string, button: string): Promise<void> {
  await panel(page)
    .locator("gguf-split-file")
    .evaluate(
      ({ shadowRoot }, [tensors = "", button = ""]) => {
        const field = shadowRoot?.querySelector<HTMLInputElement>("input[type=number]");
        if (!field) throw new Error("there is no field");
        field.value = tensors;
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
        const buttons = [...(shadowRoot?.querySelectorAll("button") ?? [])];
        const found = buttons.find((one) => one.textContent.trim().startsWith(button));
        if (!found) throw new Error("there is no button");
        found.click();
      },
      [tensors, button],
    );
}

test("a choice that is made just before saving counts", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await replaceFolderPicker(page);
  await plan(page, app);
  await typeAndClick(page, "3", "Save into a folder");
  await expect(panel(page)).toContainText(/2 shards written into models, .*\./);
  await expect(preview(page)).toHaveCount(2);
  expect([...(await filesInFolder(page)).keys()]).toEqual([1, 2].map((number) => shardName("whole", number, 2)));
  // A choice that cannot be planned is reported, and nothing is written.
  await typeAndClick(page, "0", "Save into a folder");
  await expect(panel(page).getByRole("alert")).toHaveText("Type a number of tensors from 1.");
  expect((await filesInFolder(page)).size).toBe(2);
});

test("a choice that is made just before downloading counts", async ({ page, app }) => {
  await plan(page, app);
  const found = await downloads(page, 2, () => typeAndClick(page, "3", "Download 3 files"));
  const names = [1, 2].map((number) => shardName("whole", number, 2));
  expect(found.map((download) => download.suggestedFilename())).toEqual(names);
  await expect(panel(page)).toContainText("2 shards downloaded");
});

test("a choice that is made before existing files are replaced asks again", async ({ page, app }) => {
  const names = [NAMES[1] ?? "", shardName("whole", 1, 2)];
  await replaceFolderPicker(
    page,
    names.map((name) => ({ name, bytes: Uint8Array.of(1, 2, 3) })),
  );
  await plan(page, app);
  await save(page).click();
  const question = panel(page).getByRole("alert");
  await expect(question).toContainText(`1 file in models would be replaced: ${names[0]}.`);
  await typeAndClick(page, "3", "Replace");
  await expect(question).toContainText(`1 file in models would be replaced: ${names[1]}.`);
  await question.getByRole("button", { name: "Replace" }).click();
  await expect(panel(page)).toContainText("2 shards written into models");
  expect((await filesInFolder(page)).get(names[0] ?? "")?.length).toBe(3);
});

test("a limit that gives too many shards is refused without planning them", async ({ page, app }) => {
  const tensors = Array.from({ length: 1001 }, (_, at) => matrix(`t.${at}`, 32, 1, () => at));
  await openFile(page, app, fileWith([["general.architecture", text("llama")]], tensors), "many.gguf");
  await showShards(page);
  await limit(page).selectOption("Number of tensors");
  await expect(preview(page)).toHaveCount(8);
  await most(page).fill("1");
  await expect(panel(page).getByRole("alert")).toHaveText("This gives 1,001 shards. Choose a larger limit.");
  await expect(most(page)).toHaveAttribute("aria-invalid", "true");
  await expect(save(page)).toHaveCount(0);
  await most(page).fill("2");
  await expect(panel(page).getByRole("heading", { level: 4 })).toContainText("501 shards");
});

test("existing files are replaced only if the person agrees", async ({ page, app }) => {
  const existing = { name: NAMES[1] ?? "", bytes: Uint8Array.of(1, 2, 3) };
  await replaceFolderPicker(page, [existing]);
  await plan(page, app);
  await save(page).click();
  const question = panel(page).getByRole("alert");
  await expect(question).toContainText(`1 file in models would be replaced: ${existing.name}.`);
  await expect(question.getByRole("button", { name: "Replace" })).toBeFocused();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(save(page)).toBeFocused();
  expect([...(await filesInFolder(page)).entries()]).toEqual([[existing.name, existing.bytes]]);
  await save(page).click();
  await question.getByRole("button", { name: "Replace" }).click();
  await expect(panel(page)).toContainText("3 shards written into models");
  const files = await filesInFolder(page);
  expect(files.get(existing.name)?.length).toBeGreaterThan(3);
});

test("a split that is cancelled leaves complete shards and no half-written one", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await replaceFolderPicker(page);
  await plan(page, app);
  await setDisk(page, "busy");
  await save(page).click();
  await page.waitForFunction(() => (window as unknown as { waiting?: boolean }).waiting);
  await expect(panel(page).getByRole("progressbar", { name: "Bytes written" })).toBeVisible();
  await expect(most(page)).toBeDisabled();
  // The split continues while another panel is shown.
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await showShards(page);
  await panel(page).getByRole("button", { name: "Cancel" }).click();
  await expect(panel(page)).toContainText("Cancelling…");
  await setDisk(page, undefined);
  await expect(panel(page)).toContainText("Cancelled. No file was written.");
  await expect(save(page)).toBeFocused();
  expect([...(await filesInFolder(page)).keys()]).toEqual([]);
  await save(page).click();
  await expect(panel(page)).toContainText("3 shards written into models");
});

test("the plans of shards that are being written are kept while others are planned", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await replaceFolderPicker(page);
  await plan(page, app);
  const freed = () => page.evaluate(() => (window as unknown as { freed: number }).freed);
  await panel(page)
    .locator("gguf-split-file")
    .evaluate((element) => {
      const counter = Object.assign(window, { freed: 0 });
      const { planned } = element as unknown as { planned: { shards: { plan: { free(): void } }[] } };
      for (const { plan } of planned.shards) {
        const free = plan.free.bind(plan);
        plan.free = () => {
          counter.freed += 1;
          free();
        };
      }
    });
  await setDisk(page, "busy");
  await save(page).click();
  await page.waitForFunction(() => (window as unknown as { waiting?: boolean }).waiting);
  // The fields are disabled, so the event is sent by a script. It cancels the writing, which waits for the disk.
  await most(page).evaluate((field: HTMLInputElement) => {
    field.value = "3";
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await expect(preview(page)).toHaveCount(2);
  expect(await freed()).toBe(0);
  await setDisk(page, undefined);
  await expect.poll(freed).toBe(3);
  // A file that is removed while the folder is listed is an error.
  await expect(async () => expect((await filesInFolder(page)).size).toBe(0)).toPass();
  await save(page).click();
  await expect(panel(page)).toContainText("2 shards written into models");
});

test("a full disk is reported, and the incomplete shard is removed", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await replaceFolderPicker(page);
  await plan(page, app);
  await setDisk(page, "full");
  await save(page).click();
  await expect(panel(page).getByRole("alert")).toContainText("The file could not be written.");
  await expect(panel(page).getByRole("alert")).toContainText("No file was written.");
  expect([...(await filesInFolder(page)).keys()]).toEqual([]);
});

test("a folder that may not be written to is reported", async ({ page, app }) => {
  await changeGlobals(page, () => {
    Object.assign(window, {
      showDirectoryPicker: () => Promise.reject(new DOMException("no", "SecurityError")),
    });
  });
  await plan(page, app);
  await save(page).click();
  await expect(panel(page).getByRole("alert")).toContainText("This page may not write to the file");
});

/** The next downloads. */
async function downloads(page: Page, count: number, start: () => Promise<void>): Promise<Download[]> {
  const found: Download[] = [];
  const all = new Promise<void>((resolve) => {
    page.on("download", (download) => {
      found.push(download);
      if (found.length === count) resolve();
    });
  });
  await start();
  await all;
  return found;
}

for (const [kind, open] of [
  [
    "a local file",
    (page: Page, app: Parameters<typeof openFile>[1]) => openFile(page, app, wholeModel(), "whole.gguf"),
  ],
  [
    "an address",
    (page: Page, app: Parameters<typeof openFile>[1]) =>
      openUrl(page, app, app.file("/split/whole.gguf", wholeModel())),
  ],
] as const) {
  test(`the shards are downloaded one after the other: ${kind}`, async ({ page, app }) => {
    await removeFolderPicker(page);
    await open(page, app);
    await showShards(page);
    await limit(page).selectOption("Number of tensors");
    await most(page).fill("2");
    await expect(preview(page)).toHaveCount(3);
    await expect(save(page)).toHaveCount(0);
    const found = await downloads(page, 3, () => page.getByRole("button", { name: "Download 3 files" }).click());
    expect(found.map((download) => download.suggestedFilename())).toEqual(NAMES);
    await expect(panel(page)).toContainText("3 shards downloaded");
    const files = await Promise.all(
      found.map(async (download) => ({
        name: download.suggestedFilename(),
        bytes: Uint8Array.from(await downloadedBytes(download)),
      })),
    );
    await openFiles(page, app, files);
    await expectOpen(page, NAMES[0] ?? "");
    await showShards(page);
    const [merged] = await downloads(page, 1, () =>
      page.getByRole("button", { name: "Download", exact: true }).click(),
    );
    expect(merged?.suggestedFilename()).toBe("whole.gguf");
    expect(equal(merged && (await downloadedBytes(merged)), wholeModel())).toBe(true);
  });
}

test("merged shards keep the split keys only on request", async ({ page, app }) => {
  await openFiles(page, app, shardsOf());
  await showShards(page);
  const merged = async () => {
    const [download] = await downloads(page, 1, () =>
      page.getByRole("button", { name: "Download", exact: true }).click(),
    );
    return Buffer.from(download ? await downloadedBytes(download) : []);
  };
  const plain = await merged();
  expect(equal(plain, wholeModel())).toBe(true);
  await page.getByRole("checkbox", { name: /Keep the split\.\* keys/ }).check();
  expect((await merged()).includes("split.count")).toBe(true);
  expect(plain.includes("split.count")).toBe(false);
});

test("a file that cannot be split is reported", async ({ page, app }) => {
  const whole = fileWith([["general.architecture", text("llama")]], tensorsOf(2));
  await openFile(page, app, whole.subarray(0, -100), "cut.gguf");
  await showShards(page);
  await expect(panel(page).getByRole("alert")).toContainText("The file ends before the data of its tensors.");
  await expect(save(page)).toHaveCount(0);
});
