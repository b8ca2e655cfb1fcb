import type { Page } from "@playwright/test";
import { expect, expectOpen, test } from "../support/fixtures.ts";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

const MODEL = ggufBytes([["general.architecture", text("llama")]]);

// The handles are real handles of files in the origin's private file system, and are stored in the real database of the browser. Only the
// file picker and the browser's question for permission are replaced, because a test cannot operate them.

/** Writes a file. The file picker of the page returns its handle. */
async function offer(page: Page, name: string, bytes: Uint8Array = MODEL): Promise<void> {
  await page.evaluate(
    async ([name, bytes]) => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle(name, { create: true });
      const writable = await handle.createWritable();
      await writable.write(Uint8Array.from(bytes));
      await writable.close();
      window.showOpenFilePicker = () => Promise.resolve([handle]);
    },
    [name, [...bytes]] as const,
  );
}

const again = (page: Page, name: string) => page.getByRole("button", { name: new RegExp(`^${name} On this device`) });

async function openAndLeave(page: Page, name: string): Promise<void> {
  await offer(page, name);
  await page.getByRole("button", { name: "Choose a file" }).click();
  await expectOpen(page, name);
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(again(page, name)).toBeVisible();
}

/** The stored names, the oldest first. */
function storedNames(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open("gguf-viewer");
        opening.onerror = () => reject(opening.error ?? new Error("no database"));
        opening.onsuccess = () => {
          const reading = opening.result.transaction("files").objectStore("files").getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve((reading.result as { name: string }[]).map(({ name }) => name));
          };
        };
      }),
  );
}

test("a local file can be opened again after the page was reloaded", async ({ page, app }) => {
  await page.goto(app.origin);
  await openAndLeave(page, "one.gguf");
  await openAndLeave(page, "two.gguf");
  await page.goto(`${app.origin}/#url=`);
  await page.goto(app.origin);
  await expect(page.getByRole("button", { name: /On this device/ })).toHaveText([/^\s*two\.gguf/, /^\s*one\.gguf/]);
  await again(page, "one.gguf").click();
  await expectOpen(page, "one.gguf");
  // The file becomes the first one in the list, once. After a reload, the page offers to open it again.
  await expect.poll(() => storedNames(page)).toEqual(["two.gguf", "one.gguf"]);
  await page.reload();
  await expect(page.getByRole("button", { name: /On this device/ })).toHaveText([/^\s*one\.gguf/, /^\s*two\.gguf/]);
  await page.getByRole("button", { name: "Open again" }).click();
  await expectOpen(page, "one.gguf");
});

test("a deleted file is reported, and removed from the list", async ({ page, app }) => {
  await page.goto(app.origin);
  await openAndLeave(page, "one.gguf");
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry("one.gguf"));
  await again(page, "one.gguf").click();
  await expect(page.getByRole("alert")).toHaveText(/^one\.gguf was not found\. It may have been moved/);
  await page.getByRole("button", { name: "Remove one.gguf from this list" }).click();
  await expect(again(page, "one.gguf")).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: "Choose a file" })).toBeVisible();
  await expect(again(page, "one.gguf")).toHaveCount(0);
});

test("the browser asks for permission when the file is clicked, and a refusal is reported", async ({ page, app }) => {
  await page.goto(app.origin);
  await openAndLeave(page, "one.gguf");
  await page.evaluate(() => {
    const asked: string[] = [];
    const prototype = FileSystemHandle.prototype;
    prototype.queryPermission = () => Promise.resolve("prompt");
    prototype.requestPermission = ({ mode }) => {
      asked.push(mode);
      return Promise.resolve(asked.length === 1 ? "denied" : "granted");
    };
    Object.assign(window, { asked });
  });
  await again(page, "one.gguf").click();
  await expect(page.getByRole("alert")).toHaveText(/did not allow this page to read one\.gguf/);
  await again(page, "one.gguf").click();
  await expectOpen(page, "one.gguf");
  expect(await page.evaluate(() => (window as unknown as { asked: string[] }).asked)).toEqual(["read", "read"]);
});

test("without file handles nothing is stored or shown", async ({ page, app }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "showOpenFilePicker");
    Reflect.deleteProperty(window, "FileSystemFileHandle");
  });
  await page.goto(app.origin);
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "one.gguf", mimeType: "application/octet-stream", buffer: Buffer.from(MODEL) });
  await expectOpen(page, "one.gguf");
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(page.getByRole("button", { name: "Choose a file" })).toBeVisible();
  await expect(page.getByText("Recent files")).toHaveCount(0);
});
