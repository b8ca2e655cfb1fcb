/** The page that converts a model: a folder, its choices, the plan, and the new file. */

import type { Page } from "@playwright/test";
import { requantize } from "gguf-wasm/convert/node";
import { openModel } from "gguf-wasm/models/node";
import { missing } from "../../package/corpus.mjs";
import { filesOf, folderOf, model as modelOf, run } from "../../package/models/corpus.mjs";
import { sha256, storedNames, storedSha256, whenWriting } from "../support/convert-panel.ts";
import { expect, expectOpen, test } from "../support/fixtures.ts";
import { replacePickers, setDisk } from "../support/picked-file.ts";
import { replaceFolderPicker } from "../support/shard-files.ts";
import { choosePre, model, openFolder, region, save, type, whenPlanned } from "../support/model-page.ts";

test.skip(missing !== false);

const TINY = "Tiny-Llama-0.1M-Chat-v1.0";

/** The SHA-256 of the file that the converter of llama.cpp made. */
const expected = (name: string, id: string) => run(modelOf(name), id).output.sha256;

test("a folder says what it is, and what its file will contain", async ({ page, app }) => {
  await openFolder(page, app, `models/${TINY}`);
  await whenPlanned(page);
  const found = region(page, "Found");
  await expect(found).toContainText("LlamaForCausalLM");
  await expect(found).toContainText("SentencePiece, 352 tokens");
  await expect(found).toContainText("BF16 (21), F32 (2)");
  const file = region(page, "New file");
  await expect(file).toContainText(`${TINY}-BF16.gguf`);
  await expect(file).toContainText("2 left out");
  const entries = region(page, "Table of entries");
  await expect(entries.getByRole("row", { name: /^llama\.embedding_length/ })).toContainText("64");
  // `head_dim` and `rope_scaling` are not in config.json.
  await expect(entries.locator(".mark")).not.toHaveCount(0);
  const tensors = region(page, "Table of tensors");
  await expect(tensors.getByRole("row", { name: /^output\.weight/ })).toContainText("from lm_head.weight");
  await expect(tensors.getByRole("row", { name: /^blk\.0\.attn_norm\.weight/ })).toContainText("BF16 → F32");
  await expect(region(page, "Left out")).toContainText("model.layers.1.self_attn.rotary_emb.inv_freq");
  await expect(page).toHaveTitle(new RegExp(`^${TINY} – `));
});

test("the new file has the bytes of llama.cpp's converter, and can be opened", async ({ page, app }) => {
  await openFolder(page, app, `models/${TINY}`);
  for (const [name, id] of [
    ["F16", "f16"],
    ["BF16", "bf16"],
    ["Q8_0", "q8_0"],
  ] as const) {
    await type(page, name).check();
    await expect(region(page, "New file")).toContainText(`${TINY}-${name}.gguf`);
    await whenPlanned(page);
    await save(page).click();
    await expect(model(page)).toContainText(`Saved as ${TINY}-${name}.gguf`);
    expect(await storedSha256(page, `${TINY}-${name}.gguf`)).toBe(expected(TINY, id));
  }
  await model(page).getByRole("button", { name: "Open the new file" }).click();
  await expectOpen(page, `${TINY}-Q8_0.gguf`);
  await page.goBack();
  await expect(region(page, "Choices")).toBeVisible();
});

test("a tensor of several experts says so, and findings are listed", async ({ page, app }) => {
  await openFolder(page, app, "models/Mixtral-4x0.1M-Instruct");
  await whenPlanned(page);
  const row = region(page, "Table of tensors").getByRole("row", { name: /^blk\.0\.ffn_gate_exps\.weight/ });
  await expect(row).toContainText("from model.layers.0.block_sparse_moe.experts.*");
  // A key at the start of a finding keeps its spelling.
  await expect(region(page, "Findings")).toContainText("general.finetune says");
});

test("a folder with handles gives the same file", async ({ page, app }) => {
  const files = Object.entries(filesOf(`models/${TINY}`)).map(([name, bytes]) => ({ name, bytes }));
  await replacePickers(page, new Uint8Array());
  await replaceFolderPicker(page, files);
  await page.goto(app.origin);
  await page.getByRole("button", { name: "Choose a folder" }).click();
  // The folder has another name than that of the corpus, which gives the model its name.
  await expect(region(page, "New file")).toContainText("models-BF16.gguf");
  await whenPlanned(page);
  await save(page).click();
  await expect(model(page)).toContainText("Saved as models-BF16.gguf");
  const plan = await (await openModel(folderOf(`models/${TINY}`), { folderName: "models" })).convert();
  expect(await storedSha256(page, "models-BF16.gguf")).toBe(sha256(await plan.read(0, plan.size)));
});

test("a worker converts, and ends with the page", async ({ page, app }) => {
  const workers = () => page.workers().filter((worker) => worker.url().includes("models-worker"));
  await openFolder(page, app, `models/${TINY}`);
  await whenPlanned(page);
  expect(workers()).toHaveLength(1);
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(page.getByRole("heading", { name: "Look inside a GGUF model" })).toBeVisible();
  await expect.poll(() => workers().length).toBe(0);
});

test("a model is quantized in the same pass", async ({ page, app }) => {
  await openFolder(page, app, `models/${TINY}`);
  await type(page, "Quantized").check();
  await model(page)
    .getByRole("button", { name: /^All \d+ file types$/ })
    .click();
  await model(page)
    .getByRole("radio", { name: /^Q5_K_S / })
    .check();
  const name = `${TINY}-Q5_K_S.gguf`;
  await expect(region(page, "New file")).toContainText(name);
  await whenPlanned(page);
  await save(page).click();
  await expect(model(page)).toContainText(`Saved as ${name}`);
  const plan = await (await openModel(folderOf(`models/${TINY}`))).convert({ type: "f32" });
  const quantized = await requantize(plan.gguf, { type: "Q5_K_S" });
  const chunks: Uint8Array[] = [];
  for await (const chunk of quantized.stream()) chunks.push(chunk);
  expect(await storedSha256(page, name)).toBe(sha256(Buffer.concat(chunks)));
  expect(await storedNames(page)).not.toContain(`${TINY}-F32.gguf`);
});

test("an unknown pre-tokenizer is asked for before the file is planned", async ({ page, app }) => {
  const name = "Qwen3-0.2M-Base";
  await openFolder(page, app, `models/${name}`);
  await expect(region(page, "New file")).toContainText("Choose a pre-tokenizer first.");
  await expect(save(page)).toHaveCount(0);
  const options = model(page).getByRole("combobox", { name: "Pre-tokenizer" }).getByRole("option");
  const [, probable] = await options.allTextContents();
  const opened = await openModel(folderOf(`models/${name}`));
  expect(probable).toBe(opened.vocabulary?.probablePreTokenizers?.[0]);
  await choosePre(page, modelOf(name).pre ?? "");
  await whenPlanned(page);
  await save(page).click();
  await expect(model(page)).toContainText("Saved as");
  expect(await storedSha256(page, `${name}-BF16.gguf`)).toBe(expected(name, "bf16"));
});

test("a pre-tokenizer that is not in the list can be typed", async ({ page, app }) => {
  const name = "DeepSeek-V2-Lite-tiny";
  await openFolder(page, app, `models/${name}`);
  await choosePre(page, "Another name…");
  const field = model(page).getByRole("textbox", { name: "Name as in tokenizer.ggml.pre" });
  await field.fill("no-such-name");
  await field.press("Enter");
  await expect(region(page, "New file").getByRole("alert")).toContainText("no-such-name");
  await field.fill(modelOf(name).pre ?? "");
  await field.press("Enter");
  await type(page, "F16").check();
  await expect(region(page, "New file")).toContainText(`${name}-F16.gguf`);
  await whenPlanned(page);
  await save(page).click();
  await expect(model(page)).toContainText("Saved as");
  expect(await storedSha256(page, `${name}-F16.gguf`)).toBe(expected(name, "f16"));
});

test("the name of the model and the vocabulary alone can be chosen", async ({ page, app }) => {
  await openFolder(page, app, `models/${TINY}`);
  await whenPlanned(page);
  const name = model(page).getByRole("textbox", { name: "Name of the model" });
  await expect(name).toHaveAttribute("placeholder", "Tiny Llama 0.1M Chat v1.0");
  await name.fill("Another name");
  await name.press("Enter");
  const row = region(page, "Table of entries").getByRole("row", { name: /^general\.name/ });
  await expect(row).toContainText("Another name");
  await model(page).getByRole("checkbox", { name: "Only the vocabulary" }).check();
  await expect(region(page, "Tensors")).toContainText("The new file has no tensors.");
});

/** Saves the planned file. Gives the SHA-256 of what was written. */
async function saved(page: Page, name: string): Promise<string> {
  await expect(region(page, "New file")).toContainText(name);
  await whenPlanned(page);
  await save(page).click();
  await expect(model(page)).toContainText(`Saved as ${name}`);
  return storedSha256(page, name);
}

test("a name that is being typed stays while the page shows a new plan", async ({ page, app }) => {
  await openFolder(page, app, `models/${TINY}`);
  await whenPlanned(page);
  const name = model(page).getByRole("textbox", { name: "Name of the model" });
  await name.pressSequentially("Given");
  await page.locator("gguf-model-choices").evaluate(async (choices) => {
    const element = choices as unknown as { requestUpdate(): void; updateComplete: Promise<boolean> };
    element.requestUpdate();
    await element.updateComplete;
  });
  await expect(name).toHaveValue("Given");
});

test("the options give the bytes of llama.cpp's converter", async ({ page, app }) => {
  await openFolder(page, app, "models/qwen3-fp8");
  await choosePre(page, "qwen2");
  await whenPlanned(page);
  await model(page).getByRole("checkbox", { name: "8-bit floats become Q8_0" }).check();
  const tensors = region(page, "Table of tensors");
  await expect(tensors.getByRole("row", { name: /^blk\.0\.ffn_down\.weight/ })).toContainText("F8_E4M3 → Q8_0");
  expect(await saved(page, "qwen3-fp8-BF16.gguf")).toBe(expected("qwen3-fp8", "fp8q8"));

  await openFolder(page, app, `models/${TINY}`);
  await whenPlanned(page);
  await model(page).getByRole("checkbox", { name: "Only the vocabulary" }).check();
  await expect(region(page, "Tensors")).toContainText("The new file has no tensors.");
  expect(await saved(page, `${TINY}-BF16.gguf`)).toBe(expected(TINY, "vocab"));

  await openFolder(page, app, "models/llama3-style");
  await choosePre(page, "llama-bpe");
  await type(page, "F16").check();
  const name = model(page).getByRole("textbox", { name: "Name of the model" });
  await name.fill("Given Name");
  await name.press("Enter");
  const row = region(page, "Table of entries").getByRole("row", { name: /^general\.name/ });
  await expect(row).toContainText("Given Name");
  expect(await saved(page, "llama3-style-F16.gguf")).toBe(expected("llama3-style", "name"));
});

test("a conversion is paused, continued and cancelled, and leaves no file", async ({ page, app }) => {
  await openFolder(page, app, "models/Mixtral-4x0.1M-Instruct");
  await type(page, "F32").check();
  await expect(region(page, "New file")).toContainText("F32.gguf");
  await whenPlanned(page);
  const before = await storedNames(page);
  await setDisk(page, "busy");
  await save(page).click();
  await whenWriting(page);
  await expect(model(page).getByRole("progressbar", { name: "Bytes written" })).toBeVisible();
  await expect(type(page, "F16")).toBeDisabled();
  await model(page).getByRole("button", { name: "Pause" }).click();
  await expect(model(page)).toContainText("Paused");
  await model(page).getByRole("button", { name: "Continue" }).click();
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  const question = page.getByRole("dialog", { name: "A conversion is running" });
  await question.getByRole("button", { name: "Continue converting" }).click();
  await model(page).getByRole("button", { name: "Cancel" }).click();
  await setDisk(page, undefined);
  await expect(model(page)).toContainText("Cancelled. No file was written.");
  expect(await storedNames(page)).toEqual(before);
  await save(page).click();
  await expect(model(page)).toContainText("Saved as");
});
