import type { Page } from "@playwright/test";
import { expect, expectOpen, test } from "../support/fixtures.ts";
import { beginEditing, downloadedBytes, openEntry } from "../support/editing.ts";
import { removeSavePicker, replacePickers } from "../support/picked-file.ts";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

const model = () =>
  ggufBytes([["general.name", text("Remote")]], [{ name: "a.weight", dimensions: [65_536], type: 0, bytes: 262_144 }]);

const edited = () =>
  ggufBytes(
    [["general.name", text("Local copy")]],
    [{ name: "a.weight", dimensions: [65_536], type: 0, bytes: 262_144 }],
  );

async function changeName(page: Page, url: string, origin: string): Promise<void> {
  await page.goto(`${origin}/#url=${encodeURIComponent(url)}`);
  await beginEditing(page);
  const field = (await openEntry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await field.fill("Local copy");
  await field.press("Enter");
  await page.getByRole("button", { name: "Save…" }).click();
}

test("are saved as an edited copy directly to the disk", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await changeName(page, app.file("/edit/remote.gguf", model()), app.origin);
  const box = page.getByRole("dialog");
  await box.getByRole("button", { name: "Save an edited copy…" }).click();
  await box.getByRole("button", { name: "Open the new file" }).click();
  await expectOpen(page, "remote-edited.gguf");
  await expect(page.getByRole("heading", { name: "Local copy" })).toBeVisible();
  const stored = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const file = await (await folder.getFileHandle("remote-edited.gguf")).getFile();
    return [...new Uint8Array(await file.arrayBuffer())];
  });
  expect(Buffer.from(stored).equals(edited())).toBe(true);
});

test("are prepared in the private storage if there is no file picker, and the header is saved alone", async ({
  page,
  app,
}) => {
  await removeSavePicker(page);
  await changeName(page, app.file("/edit/collected.gguf", model()), app.origin);
  const box = page.getByRole("dialog");
  const header = page.waitForEvent("download");
  await box.getByRole("button", { name: "Download the edited header" }).click();
  const head = Buffer.from(await downloadedBytes(await header));
  expect(edited().length).toBeGreaterThan(head.length);
  expect(Buffer.from(edited()).subarray(0, head.length).equals(head)).toBe(true);
  await expect(box).toContainText("the header without the tensor data");
  await box.getByRole("button", { name: "Continue editing" }).click();
  await page.getByRole("button", { name: "Save…" }).click();
  const whole = page.waitForEvent("download");
  await box.getByRole("button", { name: "Download", exact: true }).click();
  expect(Buffer.from(await downloadedBytes(await whole)).equals(edited())).toBe(true);
});
