/** The Convert panel before a conversion: file types, figures, types of tensors, refusals. */

import { Gguf, requantize } from "gguf-wasm/convert/node";
import { file, run } from "../../package/convert/corpus.mjs";
import { missing } from "../../package/corpus.mjs";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import {
  chooseImatrix,
  newSize,
  newType,
  openModel,
  panel,
  save,
  section,
  showConvert,
  target,
  tensorRow,
} from "../support/convert-panel.ts";
import { replacePickers } from "../support/picked-file.ts";
import { expect, expectOpen, openFile, openUrl, sampleBytes, test } from "../support/fixtures.ts";
import { leaveDocument } from "../support/shared-page.ts";
import { openFiles } from "../support/shard-files.ts";
import { showTool } from "../support/tools.ts";

test("nothing of the converter is loaded before the panel is shown", async ({ page, app }) => {
  await leaveDocument(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  const ofConverter = () => requests.filter((path) => /convert/.test(path));
  await openUrl(page, app, "sample.gguf");
  await expectOpen(page, "sample.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  await expect(page.locator("gguf-memory-panel").getByRole("heading", { name: "Settings" })).toBeVisible();
  expect(ofConverter()).toEqual([]);
  await showConvert(page);
  expect(ofConverter().filter((path) => path.endsWith(".wasm"))).toHaveLength(1);
  // Workers are started when there is work for them.
  expect(ofConverter().filter((path) => /worker/.test(path))).toEqual([]);
});

/** A model whose tensor has the type of most tensors of Q4_K_M. */
const quantizedModel = (): Uint8Array =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["llama.block_count", uint32(1)],
    ],
    [{ name: "blk.0.ffn_up.weight", dimensions: [256, 1024], type: 12, bytes: 1024 * 144 }],
  );

test("the list begins at its top with common types, one that makes the model smaller is chosen, and the new file is in view", async ({
  page,
  app,
}) => {
  await openFile(page, app, quantizedModel(), "model-Q4_K_M.gguf");
  await showTool(page, "Convert");
  const rows = panel(page).locator("gguf-target-list label");
  await expect(rows.first()).toContainText("F16");
  await expect(rows.first()).toBeInViewport();
  await expect(rows).toHaveCount(9);
  // The model has this type already.
  await expect(target(page, "Q4_K_M")).not.toBeChecked();
  await expect(target(page, "Q3_K_M")).toBeChecked();
  await expect(
    save(page)
      .or(panel(page).getByRole("button", { name: "Convert and download" }))
      .first(),
  ).toBeInViewport();
  await panel(page)
    .getByRole("button", { name: /^All \d+ file types$/ })
    .click();
  await expect(target(page, "Q3_K_M")).toBeFocused();
  await expect(target(page, "Q3_K_M")).toBeInViewport();
  await expect(target(page, "TQ1_0")).toBeAttached();
});

test("a quantized model is refused until requantizing is allowed", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openFile(page, app, await sampleBytes(), "sample.gguf");
  await showConvert(page);
  const refusal = section(page, "New file");
  await expect(refusal).toContainText("The model is quantized already");
  await expect(refusal).toContainText("Open the original model with 16 or 32 bits");
  await expect(save(page)).toHaveAttribute("aria-disabled", "true");
  await panel(page).getByRole("checkbox", { name: "Allow requantizing" }).check();
  await expect(refusal).not.toContainText("The model is quantized already");
  await expect(save(page)).toHaveAttribute("aria-disabled", "false");
});

test.describe("with the models of the corpus", () => {
  test.skip(missing !== false);

  test("every file type has its advice, its bits per weight and its size", async ({ page, app }) => {
    await openModel(page, app, "llama-gqa4-f16.gguf");
    const gguf = await Gguf.open(file("llama-gqa4-f16.gguf"));
    const plan = await requantize(gguf, { type: "Q4_K_M" });
    const types = plan.fileTypes();
    const rows = panel(page).locator("gguf-target-list label");
    await expect(rows).toHaveCount(types.length);
    for (const { name, advice, bitsPerWeight } of types) {
      expect(advice).not.toBe("");
      const row = rows.filter({ has: page.locator(".name", { hasText: new RegExp(`^${name}$`) }) });
      await expect(row).toContainText(advice);
      await expect(row).toContainText(bitsPerWeight.toFixed(2));
    }
    await expect(target(page, "Q4_K_M")).toBeChecked();
    await expect(target(page, "Q4_K_M")).toBeInViewport();
  });

  test("the figures follow the file type, and equal those of llama-quantize", async ({ page, app }) => {
    await openModel(page, app, "llama-gqa4-f16.gguf");
    for (const type of ["Q4_K_M", "Q8_0", "IQ3_S", "F32"]) {
      await target(page, type).check();
      const { size } = run("llama-gqa4", `llama-gqa4-f16.gguf:${type}`);
      await expect.poll(() => newSize(page)).toBe(size);
    }
    await section(page, "New file").getByLabel("GPU memory", { exact: true }).selectOption("24");
    await expect(section(page, "New file")).toContainText(/Fits: takes .* of 24 GiB/);
  });

  test("a type is set by hand and taken back", async ({ page, app }) => {
    await openModel(page, app, "llama-gqa4-f16.gguf");
    const before = await newSize(page);
    const tensor = "blk.0.attn_q.weight";
    await expect(newType(page, tensor)).toHaveValue("Q4_K");
    await newType(page, tensor).selectOption("Q8_0");
    await expect.poll(() => newSize(page)).toBeGreaterThan(before);
    // The choice stays when another file type is chosen.
    await target(page, "Q5_K_M").check();
    await expect(newType(page, "blk.0.attn_k.weight")).toHaveValue("Q5_K");
    await expect(newType(page, tensor)).toHaveValue("Q8_0");
    await target(page, "Q4_K_M").check();
    await panel(page)
      .getByRole("button", { name: `Use the type of the file type for ${tensor}` })
      .click();
    await expect(newType(page, tensor)).toHaveValue("Q4_K");
    await expect(newType(page, tensor)).toBeFocused();
    await expect.poll(() => newSize(page)).toBe(before);
  });

  test("a pattern sets the types of the tensors that match it", async ({ page, app }) => {
    await openModel(page, app, "llama-gqa4-f16.gguf");
    const gguf = await Gguf.open(file("llama-gqa4-f16.gguf"));
    const plan = await requantize(gguf, { type: "Q4_K_M" });
    const count = plan.setTypes("ffn_(up|gate)", "Q6_K");
    const table = section(page, "Tensors");
    const pattern = table.getByRole("textbox", { name: "Tensors whose names match" });
    await pattern.fill("ffn_(up|gate)");
    await expect(table).toContainText(`${count} tensors listed.`);
    await expect(tensorRow(page, "blk.0.attn_q.weight")).toHaveCount(0);
    await table.getByRole("combobox", { name: "Type", exact: true }).selectOption("Q6_K");
    await table.getByRole("button", { name: "Set type" }).click();
    await expect(table).toContainText(`${count} tensors get the type Q6_K.`);
    await expect(newType(page, "blk.0.ffn_up.weight")).toHaveValue("Q6_K");
    expect(await newSize(page)).toBe(plan.size);
    // One of them is taken back, and stays so when another file type is chosen.
    await panel(page).getByRole("button", { name: "Use the type of the file type for blk.0.ffn_up.weight" }).click();
    await expect(newType(page, "blk.0.ffn_up.weight")).toHaveValue("Q4_K");
    await target(page, "Q8_0").check();
    await expect(newType(page, "blk.0.ffn_up.weight")).toHaveValue("Q8_0");
    await expect(newType(page, "blk.1.ffn_up.weight")).toHaveValue("Q6_K");
    await target(page, "Q4_K_M").check();
    await pattern.fill("norm");
    await table.getByRole("button", { name: "Set type" }).click();
    await expect(table).toContainText("No tensor that can be quantized matches the pattern.");
    await pattern.fill("ffn_[");
    await table.getByRole("button", { name: "Set type" }).click();
    await expect(table.getByRole("alert")).toContainText("ffn_[");
    await pattern.fill("");
    await table.getByRole("button", { name: "Discard all" }).click();
    await expect.poll(() => newSize(page)).toBe(run("llama-gqa4", "llama-gqa4-f16.gguf:Q4_K_M").size);
  });

  test("a type that needs an importance matrix is refused until there is one", async ({ page, app }) => {
    await replacePickers(page, new Uint8Array());
    await openModel(page, app, "llama-gqa4-f16.gguf");
    await target(page, "IQ2_XS").check();
    const refusal = section(page, "New file");
    await expect(refusal).toContainText("This type needs an importance matrix");
    await expect(refusal).toContainText("Choose an importance matrix of this model");
    await expect(save(page)).toHaveAttribute("aria-disabled", "true");
    await chooseImatrix(page, "llama-gqa4-f16.imatrix.gguf");
    await expect(panel(page).locator("gguf-imatrix-field")).toContainText("llama-gqa4-f16.imatrix.gguf");
    await expect.poll(() => newSize(page)).toBe(run("llama-gqa4", "llama-gqa4-f16.gguf:IQ2_XS:imatrix").size);
    await expect(save(page)).toHaveAttribute("aria-disabled", "false");
    await panel(page).getByRole("button", { name: "Remove the importance matrix" }).click();
    await expect(refusal).toContainText("This type needs an importance matrix");
  });

  test("a file that is no importance matrix is refused", async ({ page, app }) => {
    await openModel(page, app, "tiny.gguf");
    await chooseImatrix(page, "tiny-align64.gguf");
    await expect(panel(page).locator("gguf-imatrix-field").getByRole("alert")).toContainText(
      "The importance matrix cannot be used.",
    );
  });

  test("an incomplete set of shards is refused", async ({ page, app }) => {
    const names = [1, 3].map((number) => `tiny-split-0000${number}-of-00003.gguf`);
    await openFiles(
      page,
      app,
      names.map((name) => ({ name, bytes: file(name) })),
    );
    await showTool(page, "Convert");
    await expect(panel(page).getByRole("alert")).toContainText("A shard is missing");
  });
});
