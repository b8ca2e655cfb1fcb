import type { Page } from "@playwright/test";
import { expect, factOf, openFile, test } from "../support/fixtures.ts";
import { bar, beginEditing, downloadedBytes, setValue, startEditing } from "../support/editing.ts";
import { firstShard } from "../support/file-kinds.ts";
import { replacePickers, storedBytes } from "../support/picked-file.ts";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

const CONVENTIONAL = "Tiny-1B-Chat-v1.0-F32.gguf";

const model = (sizeLabel = "1B", fineTune = "Chat") =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.basename", text("Tiny")],
      ["general.size_label", text(sizeLabel)],
      ["general.finetune", text(fineTune)],
      ["general.version", text("v1.0")],
      ["general.file_type", uint32(0)],
      ["general.description", text("A model for tests")],
    ],
    [{ name: "a.weight", dimensions: [32], type: 0, bytes: 128 }],
  );

const nameCard = (page: Page) => page.getByRole("region", { name: "File name" });
const choices = (page: Page) => page.getByRole("dialog").getByRole("group", { name: "Name of a new file" });

/** The name and the bytes of the file that a button of the save dialog downloads. */
async function download(page: Page): Promise<{ name: string; bytes: Uint8Array }> {
  const waiting = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Download", exact: true }).click();
  const file = await waiting;
  return { name: file.suggestedFilename(), bytes: await downloadedBytes(file) };
}

test("the summary shows the parts of the name, and the name from the metadata", async ({ page, app }) => {
  await openFile(page, app, model(), "mine.gguf");
  await expect(nameCard(page)).toContainText(`Name from the metadata: ${CONVENTIONAL}`);
  await nameCard(page).getByText("Not named by the convention").click();
  await expect(nameCard(page).locator("li").first()).toBeVisible();
  await openFile(page, app, model(), CONVENTIONAL);
  await expect(nameCard(page)).toContainText("The name conforms to the naming convention.");
  await expect(nameCard(page)).not.toContainText("Name from the metadata");
  for (const [label, value] of [
    ["Base name", "Tiny"],
    ["Size label", "1B"],
    ["Fine-tune", "Chat"],
    ["Version", "v1.0"],
    ["Encoding", "F32"],
  ] as const)
    await expect(factOf(page, label)).toHaveText(value);
});

test("a new file can have the name from the metadata, which follows the changes", async ({ page, app }) => {
  await startEditing(page, app, model(), "mine.gguf");
  await setValue(page, "general.size_label", "7B");
  await page.getByRole("tab", { name: "Summary" }).click();
  await expect(nameCard(page)).toContainText("Name from the metadata: Tiny-7B-Chat-v1.0-F32.gguf");
  await page.getByRole("tab", { name: /^Metadata/ }).click();
  await setValue(page, "general.finetune", "Instruct");
  await page.getByRole("tab", { name: "Summary" }).click();
  await expect(nameCard(page)).toContainText("Name from the metadata: Tiny-7B-Instruct-v1.0-F32.gguf");
  await bar(page).getByRole("button", { name: "Save…" }).click();
  const own = choices(page).getByRole("radio", { name: /^mine-edited\.gguf/ });
  await expect(own).toBeChecked();
  await choices(page)
    .getByRole("radio", { name: /^Tiny-7B-Instruct-v1\.0-F32\.gguf/ })
    .check();
  await expect(own).not.toBeChecked();
  const { name, bytes } = await download(page);
  expect(name).toBe("Tiny-7B-Instruct-v1.0-F32.gguf");
  expect(Buffer.from(bytes).equals(model("7B", "Instruct"))).toBe(true);
});

test("a new file keeps the name of the original unless another one is chosen", async ({ page, app }) => {
  await startEditing(page, app, model(), "mine.gguf");
  await setValue(page, "general.size_label", "7B");
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await choices(page).getByRole("radio", { name: /^Tiny/ }).check();
  await choices(page).getByRole("radio", { name: /^mine/ }).check();
  expect((await download(page)).name).toBe("mine-edited.gguf");
  // The dialog begins anew with the name of the original.
  await page.getByRole("dialog").getByRole("button", { name: "Continue with the original" }).click();
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await expect(choices(page).getByRole("radio", { name: /^mine/ })).toBeChecked();
});

test("no other name is offered for a file that has it", async ({ page, app }) => {
  await startEditing(page, app, model(), CONVENTIONAL);
  await setValue(page, "general.description", "Another text");
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await expect(page.getByRole("dialog")).toContainText("1 change");
  await expect(choices(page)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await setValue(page, "general.finetune", "Instruct");
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await expect(choices(page).getByRole("radio")).toHaveCount(2);
});

test("no name is offered for a shard, and for a file whose metadata has no name", async ({ page, app }) => {
  const unnamed = ggufBytes([["general.description", text("Without a name")]]);
  for (const [file, key, savedName] of [
    [firstShard(), "general.name", "mine-edited-00001-of-00003.gguf"],
    [unnamed, "general.description", "mine-edited.gguf"],
  ] as const) {
    await startEditing(page, app, file, savedName.replace("-edited", ""));
    await setValue(page, key, "Another text");
    await page.getByRole("tab", { name: "Summary" }).click();
    await expect(nameCard(page)).toBeVisible();
    await expect(nameCard(page)).not.toContainText("Name from the metadata");
    await bar(page).getByRole("button", { name: "Save…" }).click();
    await expect(page.getByRole("dialog")).toContainText("1 change");
    await expect(choices(page)).toHaveCount(0);
    expect((await download(page)).name).toBe(savedName);
  }
});

test("the file picker suggests the chosen name, and saving in place keeps the name", async ({ page, app }) => {
  await replacePickers(page, model());
  await page.goto(app.origin);
  await page.getByRole("button", { name: "Choose a file" }).click();
  await beginEditing(page);
  await setValue(page, "general.size_label", "7B");
  const box = page.getByRole("dialog");
  const chosen = "Tiny-7B-Chat-v1.0-F32.gguf";
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await choices(page).getByRole("radio", { name: chosen }).check();
  await box.getByRole("button", { name: "Save as…" }).click();
  await expect(box).toContainText(`${chosen}, `);
  expect((await storedBytes(page, chosen)).equals(model("7B"))).toBe(true);
  expect((await storedBytes(page, "picked.gguf")).equals(model())).toBe(true);
  await box.getByRole("button", { name: "Continue with the original" }).click();
  await setValue(page, "general.size_label", "8B");
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await choices(page).getByRole("radio", { name: /^Tiny/ }).check();
  await box.getByRole("button", { name: "Save", exact: true }).click();
  await expect(box).toBeHidden();
  expect((await storedBytes(page, "picked.gguf")).equals(model("8B"))).toBe(true);
});
