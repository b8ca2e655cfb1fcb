import { expect, expectOpen, test } from "../support/fixtures.ts";
import { beginEditing } from "../support/editing.ts";
import {
  changeNameAndTemplate,
  editedModel,
  pickedModel,
  replacePickers,
  storedBytes,
} from "../support/picked-file.ts";

test("that are dropped are saved in place, too", async ({ page, app }) => {
  await replacePickers(page, pickedModel());
  await page.goto(app.origin);
  await page.evaluate(async () => {
    const { showOpenFilePicker } = window as unknown as { showOpenFilePicker(): Promise<FileSystemFileHandle[]> };
    const [handle] = await showOpenFilePicker();
    if (!handle) throw new Error("no file");
    const file = await handle.getFile();
    // A file that a program drops has no handle, so the test adds one.
    Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle: () => Promise.resolve(handle) });
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file);
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }),
    );
  });
  await expectOpen(page, "picked.gguf");
  await beginEditing(page);
  await changeNameAndTemplate(page, "Dropped", "other");
  await page.keyboard.press("Control+s");
  const box = page.getByRole("dialog");
  await box.getByRole("button", { name: "Save", exact: true }).click();
  await expect(box).toBeHidden();
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  expect((await storedBytes(page, "picked.gguf")).equals(editedModel("Dropped", "other"))).toBe(true);
});

test("that are dropped and already deleted: the page reports it", async ({ page, app }) => {
  await page.goto(app.origin);
  await page.evaluate(() => {
    const gone = Object.assign(Object.create(FileSystemFileHandle.prototype) as object, {
      getFile: () => Promise.reject(new DOMException("gone", "NotFoundError")),
    });
    Object.defineProperty(gone, "kind", { value: "file" });
    Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle: () => Promise.resolve(gone) });
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["no model"], "gone.gguf"));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }),
    );
  });
  await expect(page.locator("gguf-error-panel")).toContainText("gone.gguf");
});
