// A module that has stopped is started again, and nothing that a person wrote is lost.

import type { Page } from "@playwright/test";
import { bar, openEntry, setValue, startEditing, valueOf } from "../support/editing.ts";
import { expect, openUrl, test } from "../support/fixtures.ts";
import { rowOf } from "../support/metadata-table.ts";
import { loseDocument } from "../support/shared-page.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

const notice = (page: Page) => page.getByRole("alert").filter({ hasText: "A part of the page has stopped." });

/** Makes the editors of the page end as if WebAssembly had stopped them, when they set a value to 13. */
function stopEditors(dialog: Element): void {
  const { session } = dialog as unknown as { session: { gguf: { edit(): object } } };
  const editors = Object.getPrototypeOf(session.gguf.edit()) as { set(...args: unknown[]): void };
  const { set } = editors;
  Object.assign(editors, {
    set(this: unknown, ...args: unknown[]) {
      if (args[1] === 13) throw new WebAssembly.RuntimeError("unreachable");
      set.apply(this, args);
    },
  });
}

test("an edit session whose module has stopped is started again, with its changes and typed text", async ({
  page,
  app,
}) => {
  await startEditing(page, app, smallModel());
  await setValue(page, "general.name", "Changed");
  await openEntry(page, "llama.block_count");
  await page.locator("gguf-add-entry").evaluate(stopEditors);
  await valueOf(page, "llama.block_count").fill("13");
  await valueOf(page, "llama.block_count").press("Enter");
  await expect(notice(page)).toContainText("unreachable. Your unsaved changes and typed text are kept.");
  await notice(page).getByRole("button", { name: "Reload" }).click();
  await expect(notice(page)).toHaveCount(0);
  await expect(bar(page)).toContainText("1 change");
  await expect(rowOf(page, "general.name")).toContainText("Changed");
  await openEntry(page, "llama.block_count");
  await expect(valueOf(page, "llama.block_count")).toHaveValue("13");
  await valueOf(page, "llama.block_count").fill("14");
  await valueOf(page, "llama.block_count").press("Enter");
  await expect(bar(page)).toContainText("2 changes");
  loseDocument(page);
});

test.describe("a trap that nobody has caught", () => {
  test.use({ expected: /unreachable/ });

  test("is reported, too", async ({ page, app }) => {
    await openUrl(page, app, app.file("/stopped/model.gguf", smallModel()));
    await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
    await page.evaluate(() => {
      // A real trap: the module has one function, and its body is `unreachable`.
      const bytes = [
        0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11,
      ];
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)));
      void Promise.resolve().then(exports["f"] as () => void);
    });
    await notice(page).getByRole("button", { name: "Reload" }).click();
    await expect(notice(page)).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  });
});
