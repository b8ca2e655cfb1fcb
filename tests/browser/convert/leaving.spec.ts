/** Leaving the file while a conversion runs: the page asks before it ends. */

import type { Page } from "@playwright/test";
import { file } from "../../package/convert/corpus.mjs";
import { missing } from "../../package/corpus.mjs";
import { panel, save, showConvert, storedNames, target, whenWriting } from "../support/convert-panel.ts";
import { expect, expectOpen, openUrl, test } from "../support/fixtures.ts";
import { replacePickers, setDisk } from "../support/picked-file.ts";

test.skip(missing !== false);

const question = (page: Page) => page.getByRole("dialog", { name: "A conversion is running" });

const stay = (page: Page) => question(page).getByRole("button", { name: "Continue converting" });

const leave = (page: Page) => question(page).getByRole("button", { name: "Cancel the conversion" });

const drop = async (page: Page) => {
  const transfer = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], "other.gguf"));
      return transfer;
    },
    [...file("tiny-align64.gguf")],
  );
  await page.locator("gguf-viewer").dispatchEvent("drop", { dataTransfer: transfer });
};

/** The first step leads to the panel before. */
const back = async (page: Page) => {
  if (await panel(page).isVisible()) {
    await page.goBack();
    await expect(panel(page)).toBeHidden();
  }
  await page.goBack();
};

/** The ways in which another file is opened, or none. */
const WAYS: readonly (readonly [name: string, go: (page: Page) => Promise<unknown>])[] = [
  ["a file is dropped", drop],
  ["the person goes back", back],
  ["the start page is chosen", (page) => page.getByRole("link", { name: "GGUF viewer" }).click()],
];

for (const [name, go] of WAYS) {
  test(`a conversion continues, or is cancelled, when ${name}`, async ({ page, app }) => {
    await replacePickers(page, new Uint8Array());
    await page.goto(app.origin);
    await openUrl(page, app, app.file("/models/tiny.gguf", file("tiny.gguf")));
    await expectOpen(page, "tiny.gguf");
    await showConvert(page);
    const before = await storedNames(page);
    await setDisk(page, "busy");
    await save(page).click();
    await whenWriting(page);
    await go(page);
    await expect(question(page)).toContainText("its new file is not kept");
    await expect(stay(page)).toBeFocused();
    await stay(page).click();
    await expect(question(page)).toBeHidden();
    await expect(panel(page).locator("[role=progressbar]")).toHaveCount(1);
    // Going back has changed the address, and staying changes it again.
    await expect(page).toHaveURL(/tiny\.gguf/);
    await go(page);
    await leave(page).click();
    await setDisk(page, undefined);
    await expect(panel(page).locator("[role=progressbar]")).toHaveCount(0);
    await expect.poll(() => storedNames(page)).toEqual(before);
  });
}

test("nobody is asked after the conversion", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openUrl(page, app, app.file("/models/tiny.gguf", file("tiny.gguf")));
  await showConvert(page);
  await target(page, "Q8_0").check();
  await save(page).click();
  await expect(panel(page)).toContainText("Saved as tiny-Q8_0.gguf");
  await drop(page);
  await expectOpen(page, "other.gguf");
  await expect(question(page)).toHaveCount(0);
});
