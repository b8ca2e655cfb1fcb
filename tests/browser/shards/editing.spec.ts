import { bar, openEntry } from "../support/editing.ts";
import { expect, expectOpen, test } from "../support/fixtures.ts";
import { openFiles, replaceFolderPicker, shardName, shardsOf, filesInFolder } from "../support/shard-files.ts";
import { downloadEdited } from "../support/editing.ts";

const FIRST = shardName("tiny", 1, 3);

test("an edit changes the first shard only", async ({ page, app }) => {
  await openFiles(page, app, shardsOf());
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(bar(page)).toBeVisible();
  await expect(page.locator("gguf-edit-bar")).toContainText(`Changes are made to the first shard, ${FIRST}.`);
  const field = (await openEntry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await field.fill("Tony");
  await field.press("Control+Enter");
  await page.getByRole("button", { name: "Save…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading").first()).toHaveText(`Save ${FIRST}`);
  await expect(dialog).toContainText("This saves the first of 3 shards. The other shards do not change.");
  await page.keyboard.press("Escape");
  const saved = Buffer.from(await downloadEdited(page));
  expect(saved.equals(Buffer.from(shardsOf(3, "tiny", "Tony")[0]?.bytes ?? []))).toBe(true);
});

test("the first shard is saved in place, and the set stays open", async ({ page, app }) => {
  await replaceFolderPicker(page, shardsOf());
  await page.goto(app.origin);
  await page.getByRole("button", { name: "Choose a folder" }).click();
  await expectOpen(page, FIRST);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const field = (await openEntry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await field.fill("Tony");
  await field.press("Control+Enter");
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  await expect(page.getByRole("heading", { name: "Tony", exact: true })).toBeVisible();
  const files = await filesInFolder(page);
  for (const { name, bytes } of shardsOf(3, "tiny", "Tony"))
    expect(Buffer.from(files.get(name) ?? []).equals(Buffer.from(bytes)), name).toBe(true);
  await page.getByRole("button", { name: "Stop editing" }).click();
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await expect(page.locator("gguf-tensor-table .row", { hasText: "blk.5.attn_q.weight" })).toBeVisible();
});
