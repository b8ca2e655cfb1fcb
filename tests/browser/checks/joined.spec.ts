// Findings that say the same of many blocks, and the filter of the list.

import type { Page } from "@playwright/test";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { answerWithZeros, largeModel } from "../support/large-model.ts";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

const tab = (page: Page) => page.getByRole("tab", { name: /Checks/ });
const panel = (page: Page) => page.locator("gguf-checks");
const filter = (page: Page, name: string) => panel(page).getByRole("group", { name: `Filter by ${name}` });

test("a tensor that is missing in all blocks is one finding, with its places", async ({ page, app }) => {
  const without = ["attn_output.weight", "attn_q_b.weight"];
  app.on("/models/missing.gguf", answerWithZeros(largeModel({ without })));
  await openUrl(page, app, "models/missing.gguf", "&view=checks");
  await expect(tab(page)).toHaveAccessibleName(/2 errors in 122 places/);
  await expect(tab(page).locator(".badge.error")).toHaveText("2");
  await expect(panel(page).getByRole("heading").first()).toHaveText("2 errors in 122 places");
  const messages = panel(page).locator("section.error .message");
  await expect(messages).toHaveText([
    /Error: The tensor attn_q_b.weight is missing in blocks 0 to 60\. /,
    /Error: The tensor attn_output.weight is missing in blocks 0 to 60\. /,
  ]);
  await panel(page).getByRole("button", { name: "Show 61 places" }).first().click();
  await expect(panel(page).locator(".members .subject")).toHaveCount(61);
  await expect(panel(page).locator(".members .subject").last()).toHaveText("blk.60.attn_q_b.weight");
  await panel(page).getByRole("button", { name: "Hide 61 places" }).click();
  await expect(panel(page).locator(".members")).toHaveCount(0);
});

test("tensors with the same problem have buttons of their own, and one for the fix that they share", async ({
  page,
  app,
}) => {
  const tensors = [0, 1, 2].map((block) => ({
    name: `blk.${block}.ffn_up.weight`,
    dimensions: [8, 2],
    type: 0,
    bytes: 64,
  }));
  const file = ggufBytes([["general.alignment", uint32(32)]], tensors);
  // The data of the blocks is stored in the order 2, 1, 0.
  const reversed = Buffer.from(file);
  const offset = (block: number) => reversed.indexOf(`blk.${block}.ffn_up.weight`) + 19 + 4 + 16 + 4;
  [0, 1, 2].forEach((block) => reversed.writeBigUInt64LE(BigInt(64 * (2 - block)), offset(block)));
  await openFile(page, app, reversed);
  await tab(page).click();
  const finding = panel(page).locator("section > ul > li", { hasText: "tensors-out-of-order" });
  await expect(finding.locator(".subject")).toHaveText("ffn_up.weight in blocks 1 and 2");
  await expect(finding.locator(".message")).toContainText("The data lies before that of the previous tensor");
  await finding.getByRole("button", { name: "Show 2 places" }).click();
  await finding.getByRole("button", { name: "Show tensor blk.2.ffn_up.weight" }).click();
  await expect(page.locator("gguf-tensor-table .row.active")).toContainText("blk.2.ffn_up.weight");
  await tab(page).click();
  await finding.getByRole("button", { name: "Fix: Repack the data" }).click();
  await expect(finding).toHaveCount(0);
});

test("the filter shows findings of some severities and subjects, and a link keeps it", async ({ page, app }) => {
  const file = app.file(
    "/models/flawed.gguf",
    ggufBytes([
      ["general.name", text("First")],
      ["general.name", text("Second")],
      ["general.descripton", text("misspelt")],
      ["A", text("unusual")],
      ["tokenizer.ggml.bos_token_id", { type: "int32", value: 1 }],
    ]),
  );
  await openUrl(page, app, file, "&view=checks");
  const sections = panel(page).locator("section");
  await expect(sections).toHaveCount(3);
  await filter(page, "subject").getByRole("button", { name: "Metadata" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: /^\d of \d findings shown$/ })).toHaveCount(1);
  await expect(panel(page)).not.toContainText("tokenizer.ggml.bos_token_id");
  await expect(panel(page)).toContainText("misspelt-key");
  await filter(page, "severity").getByRole("button", { name: "Errors" }).click();
  await expect(panel(page).locator(".code")).toHaveText(/duplicate-key/);
  const about = panel(page).getByRole("link", { name: "duplicate-key" });
  await expect(about).toHaveAttribute("href", /\/docs\/format\/checks\/duplicate-key\.html$/);
  await expect(page).toHaveURL(/checks\.severity=error&checks\.subject=metadata/);
  await page.reload();
  await expect(panel(page).locator(".code")).toHaveText(/duplicate-key/);
  await filter(page, "subject").getByRole("button", { name: "Metadata" }).click();
  await filter(page, "subject").getByRole("button", { name: "Tokenizer" }).click();
  await expect(sections).toHaveCount(0);
  await expect(panel(page)).toContainText("No finding passes the filter.");
  // The row of filters scrolls on a phone, so the button is not in it.
  await page.setViewportSize({ width: 320, height: 640 });
  const clear = panel(page).getByRole("button", { name: "Clear filter" });
  await expect(clear).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });
  await clear.click();
  await expect(sections).toHaveCount(3);
  await expect(page).not.toHaveURL(/checks\./);
  // On a phone, the buttons are one row that scrolls.
  await page.setViewportSize({ width: 390, height: 844 });
  const tops = await panel(page)
    .locator(".filter button")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});
