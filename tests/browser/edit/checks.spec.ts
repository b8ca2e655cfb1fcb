import type { Page } from "@playwright/test";
import { expect, openFile, test } from "../support/fixtures.ts";
import { bar, openEntry, setValue, startEditing } from "../support/editing.ts";
import { table } from "../support/metadata-table.ts";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

const flawed = () =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.name", text("First")],
      ["general.name", text("Second")],
      ["a.broken", text(Uint8Array.of(0x61, 0xff))],
    ],
    [{ name: "a.weight", dimensions: [32], type: 0, bytes: 128 }],
  ).subarray(0, -64);

const tab = (page: Page) => page.getByRole("tab", { name: /Checks/ });

test("are visible at once and link to the problem", async ({ page, app }) => {
  await openFile(page, app, flawed());
  await expect(tab(page)).toHaveAccessibleName(/errors?/);
  await expect(tab(page).locator(".badge.error")).toBeVisible();
  await tab(page).click();
  const panel = page.locator("gguf-checks");
  await expect(panel.getByRole("heading", { name: /errors?/ })).toBeVisible();
  await expect(panel).toContainText("duplicate-key");
  await expect(panel).toContainText("truncated");
  await panel
    .locator("li", { hasText: "duplicate-key" })
    .getByRole("button", { name: /Show entry general.name/ })
    .click();
  // The second entry with the key is the duplicate.
  const active = page.locator(`${table} .row.active`);
  await expect(active).toContainText("Second");
  await expect(active).toHaveAttribute("aria-expanded", "true");
  await expect(page.locator(`${table} .scroller`).first()).toBeFocused();
  await tab(page).click();
  await panel
    .locator("li", { hasText: "truncated" })
    .getByRole("button", { name: /Show tensor a.weight/ })
    .click();
  await expect(page.locator("gguf-tensor-table .row.active")).toContainText("a.weight");
  await expect(page.locator("gguf-tensor-table .detail")).toBeVisible();
});

test("follow the changes, and also report that there are no problems", async ({ page, app }) => {
  await startEditing(
    page,
    app,
    ggufBytes([
      ["general.architecture", text("llama")],
      ["llama.context_length", uint32(8)],
    ]),
  );
  await expect(tab(page)).toHaveAccessibleName(/No problems found/);
  const detail = await openEntry(page, "general.architecture");
  await page.getByRole("combobox", { name: "Type of general.architecture" }).selectOption("UINT32");
  await expect(detail.getByRole("alert")).toBeVisible();
  await detail.getByRole("button", { name: "Replace with an empty UINT32" }).click();
  await expect(tab(page).locator(".badge")).toBeVisible();
  await tab(page).click();
  await expect(page.locator("gguf-checks")).toContainText("These are the checks of the file after editing.");
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await expect(page.getByRole("dialog").locator(".notice")).toBeVisible();
  await page.keyboard.press("Escape");
  await bar(page).getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("gguf-checks")).toContainText("No problems found");
});

test("of a large header run in a worker, and the summary follows them", async ({ page, app }) => {
  const tokens = { type: "strings" as const, count: 100_000, at: (i: number) => `token${i}` };
  await startEditing(
    page,
    app,
    ggufBytes([
      ["general.architecture", text("llama")],
      ["general.type", text("model")],
      ["tokenizer.ggml.tokens", tokens],
    ]),
  );
  // The checks of the stored file have run in a worker, too.
  await expect(tab(page).locator(".badge").first()).toBeVisible();
  const started = page.waitForEvent("worker", (worker) => /header-worker/.test(worker.url()));
  await setValue(page, "general.type", "adapter");
  await started;
  await expect(page.locator("gguf-summary-panel")).toContainText("was Vocabulary");
});
