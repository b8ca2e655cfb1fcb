/** The stored tensors of a model that can be converted, in the viewer. */

import { Gguf } from "gguf-wasm/full";
import { openModel } from "gguf-wasm/models/node";
import { missing } from "../../package/corpus.mjs";
import { folderOf } from "../../package/models/corpus.mjs";
import { expect, test } from "../support/fixtures.ts";
import { chooseFolder, model, region } from "../support/model-page.ts";

test.skip(missing !== false);

test("they are listed with their values, and the way back leads to the conversion", async ({ page, app }) => {
  await chooseFolder(page, app, "models/qwen3-fp8");
  await model(page).getByRole("button", { name: "Look at the stored tensors" }).click();
  await expect(page.locator("gguf-summary-panel")).toContainText("Stored tensors");
  await expect(page.locator("gguf-summary-panel")).toContainText("F8_E4M3 (14)");
  // What is for files of GGUF only is not offered.
  for (const name of ["Checks", "Convert", "Compare", "Hash", "Migrate"])
    await expect(page.getByRole("tab", { name })).toHaveCount(0);
  await page.getByRole("tab", { name: /Tensors/ }).click();
  const row = page.locator("gguf-tensor-table .row", { hasText: "model.layers.0.mlp.down_proj.weight" }).first();
  await row.click();
  const opened = await openModel(folderOf("models/qwen3-fp8"));
  const { statistics } = await Gguf.from(opened.gguf).preview("model.layers.0.mlp.down_proj.weight");
  const mean = page.locator("gguf-tensor-values").getByRole("row", { name: /^Mean/ });
  await expect(mean).toContainText((statistics?.mean ?? NaN).toPrecision(4));
  await page.goBack();
  await page.goBack();
  await expect(region(page, "Found")).toBeVisible();
});

test("they can be looked at although the model cannot be converted", async ({ page, app }) => {
  await chooseFolder(page, app, "hostile/arch-unknown");
  await model(page).getByRole("button", { name: "Look at the stored tensors" }).click();
  await expect(page.locator("gguf-summary-panel")).toContainText("TotallyNewForCausalLM");
});
