import type { Page } from "@playwright/test";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { shownTabs, showTab, SIZES } from "../support/layout.ts";
import { showTool } from "../support/tools.ts";
import { ggufBytes, smallModel, text } from "../../support/gguf-bytes.mjs";

/** The places of all tabs in their list, and whether the selected one is in the window. */
function places(page: Page) {
  return page.locator("gguf-viewer").evaluate((viewer) => {
    const tabs = [...(viewer.shadowRoot?.querySelectorAll("[role=tab]") ?? [])];
    const list = viewer.shadowRoot?.querySelector("[role=tablist]")?.getBoundingClientRect();
    const selected = tabs.find((tab) => tab.getAttribute("aria-selected") === "true")?.getBoundingClientRect();
    return {
      places: tabs.map((tab) => {
        const { left, top, width } = tab.getBoundingClientRect();
        return { id: tab.id, left: left - (list?.left ?? 0), top, width };
      }),
      isInView: selected !== undefined && selected.left >= 0 && selected.right <= innerWidth,
    };
  });
}

/** A model whose chat template leaves messages out. */
const flaggedModel = () =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["tokenizer.ggml.model", text("gpt2")],
      ["tokenizer.ggml.tokens", { type: "strings", count: 100, at: (id) => `token ${id}` }],
      ["tokenizer.chat_template", text("{{ messages[0].content }}")],
    ],
    [{ name: "token_embd.weight", dimensions: [32, 100], type: 0, bytes: 12_800 }],
  );

test("tabs are one row, stay where they are whichever is selected, and the selected one is in view", async ({
  page,
  app,
}) => {
  await openFile(page, app, flaggedModel(), "flagged.gguf");
  await expectOpen(page, "flagged.gguf");
  // The flags of the template are findings, and make the tab of the checks wider when they arrive.
  await expect(page.locator("#tab-checks .badge.warning")).toBeVisible();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const names = await shownTabs(page);
    const [first = ""] = names;
    await showTab(page, first);
    const { places: before } = await places(page);
    expect.soft(new Set(before.map(({ top }) => top)).size, "rows of tabs").toBe(1);
    for (const name of names) {
      await showTab(page, name);
      expect.soft(await places(page), `${name} at ${size.width} px`).toEqual({ places: before, isInView: true });
    }
  }
});

test("a row of tabs that do not fit shows at its ends that there are more, and scrolls", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openUrl(page, app, "sample.gguf");
  await expectOpen(page, "sample.gguf");
  const row = page.locator("gguf-viewer gguf-scroll-row").first();
  const [left, right] = [row.locator("button.left"), row.locator("button.right")];
  await expect(left).toHaveCount(0);
  await right.click();
  await expect(left).toBeVisible();
  const summary = page.getByRole("tab", { name: "Summary" });
  await expect(summary).not.toBeInViewport();
  // The keyboard selects the next tab, and the row follows.
  await page.getByRole("tab", { selected: true }).focus();
  await expect(summary).toBeInViewport();
  await page.keyboard.press("End");
  await expect(page.getByRole("tab", { name: "Compare" })).toBeInViewport({ ratio: 1 });
  await expect(right).toHaveCount(0);
});

test("a tool has a tab once it was chosen, and keeps it", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await expect(page.getByRole("tab", { name: "Summary" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tab", { name: "Hash" })).toHaveCount(0);
  await showTool(page, "Hash");
  await expect(page.getByRole("tab", { name: "Hash" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("tab", { name: "Memory" }).click();
  await expect(page.getByRole("tab", { name: "Hash" })).toHaveAttribute("aria-selected", "false");
  await openFile(page, app, smallModel(), "other.gguf");
  await expectOpen(page, "other.gguf");
  await expect(page.getByRole("tab", { name: "Hash" })).toHaveCount(0);
});

test("a button stays that of its tab when a tab before it comes", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await showTool(page, "Hash");
  const hash = await page.getByRole("tab", { name: "Hash" }).elementHandle();
  await page.getByRole("tab", { name: "Summary" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("tab", { name: /Changes/ })).toBeVisible();
  await hash?.click();
  await expect(page.getByRole("tab", { name: "Hash" })).toHaveAttribute("aria-selected", "true");
});
