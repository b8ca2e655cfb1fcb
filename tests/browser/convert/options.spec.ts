/** The options of the Convert panel: more options, the largest type for a size, an importance matrix by address, shards that are kept. */

import type { Locator, Page } from "@playwright/test";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { bytesOf, file, run, SHARDS } from "../../package/convert/corpus.mjs";
import { missing } from "../../package/corpus.mjs";
import {
  download,
  newSize,
  openModel,
  panel,
  save,
  section,
  sha256,
  showConvert,
  storedSha256,
  target,
  tensorRow,
} from "../support/convert-panel.ts";
import { expect, test } from "../support/fixtures.ts";
import { replacePickers } from "../support/picked-file.ts";
import { filesInFolder, openFiles, replaceFolderPicker } from "../support/shard-files.ts";

// A server does not have a file.
test.use({ expected: /^Failed to load resource/ });

test.skip(missing !== false);

const recorded = (id: string) => run("llama-gqa4", `llama-gqa4-f16.gguf:${id}`);

const summary = (page: Page): Locator => panel(page).getByText(/^More options/);

const flag = (page: Page, name: string): Locator => panel(page).getByRole("checkbox", { name });

const field = (page: Page, name: string): Locator => panel(page).getByRole("textbox", { name });

/** Types a text and leaves the field. */
async function type(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.blur();
}

test("each of more options has the effect that it has in llama-quantize", async ({ page, app }) => {
  await openModel(page, app, "llama-gqa4-f16.gguf");
  const plain = await newSize(page);
  await expect(flag(page, "Same type for all tensors")).toBeHidden();
  await summary(page).click();
  for (const [name, id] of [
    ["Same type for all tensors", "Q4_K_M:opt0"],
    ["Leave the output tensor", "Q4_K_M:opt5"],
  ] as const) {
    await flag(page, name).check();
    await expect.poll(() => newSize(page)).toBe(recorded(id).size);
    await expect(summary(page)).toHaveText("More options (1 set)");
    await flag(page, name).uncheck();
    await expect.poll(() => newSize(page)).toBe(plain);
  }
  const output = panel(page).getByRole("combobox", { name: "Type of the output tensor" });
  const embedding = panel(page).getByRole("combobox", { name: "Type of the token embeddings" });
  await output.selectOption("F16");
  await embedding.selectOption("BF16");
  await expect.poll(() => newSize(page)).toBe(recorded("Q4_K_M:opt12").size);
  await expect(summary(page)).toHaveText("More options (2 set)");
  await output.selectOption("");
  await embedding.selectOption("");
  await expect.poll(() => newSize(page)).toBe(plain);
  await expect(summary(page)).toHaveText("More options");
});

test("blocks are left out, and metadata is overridden", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openModel(page, app, "llama-gqa4-f16.gguf");
  await summary(page).click();
  const blocks = field(page, "Blocks to leave out");
  await type(blocks, "3; 7");
  await expect(panel(page).getByRole("alert")).toContainText("with commas between them");
  await expect(save(page)).toHaveAttribute("aria-disabled", "true");
  await type(blocks, "3, 7");
  await expect.poll(() => newSize(page)).toBe(recorded("Q4_K_M:opt55").size);
  await expect(panel(page).getByRole("alert")).toHaveCount(0);
  await save(page).click();
  await expect(panel(page)).toContainText("Saved as llama-gqa4-Q4_K_M.gguf");
  // llama-quantize writes the data of the first blocks, whichever are left out, so its bytes cannot be expected.
  const pruned = await requantize(await Gguf.open(file("llama-gqa4-f16.gguf")), {
    type: "Q4_K_M",
    pruneLayers: [3, 7],
  });
  expect(await storedSha256(page, "llama-gqa4-Q4_K_M.gguf")).toBe(sha256(await bytesOf(pruned.stream())));

  await type(blocks, "");
  const metadata = field(page, "Metadata of the new file");
  await type(metadata, "general.name=renamed");
  await expect(panel(page).getByRole("alert")).toContainText("“general.name=renamed” is no entry");
  await expect(save(page)).toHaveAttribute("aria-disabled", "true");
  const expected = recorded("Q4_K_M:opt61");
  await type(metadata, expected.options.filter((option) => option !== "--override-kv").join("\n"));
  await expect.poll(() => newSize(page)).toBe(expected.size);
  await save(page).click();
  // While the file is replaced, it cannot be read.
  const written = () => storedSha256(page, "llama-gqa4-Q4_K_M.gguf").catch(() => "not readable");
  await expect.poll(written).toBe(expected.sha256);
});

test("the largest type that fits a size is chosen", async ({ page, app }) => {
  await openModel(page, app, "llama-gqa4-f16.gguf");
  const plan = await requantize(await Gguf.open(file("llama-gqa4-f16.gguf")), { type: "Q4_K_M" });
  const choose = panel(page).getByRole("button", { name: "Choose the best type that fits" });
  await expect(choose).toHaveAttribute("aria-disabled", "true");
  await panel(page).getByRole("combobox", { name: "Unit" }).selectOption("MB");
  for (const size of [1.2, 0.7]) {
    const found = plan.largestFileType(size * 1e6);
    await panel(page).getByRole("spinbutton", { name: "Largest file", exact: true }).fill(String(size));
    await choose.click();
    await expect(target(page, found?.name ?? "")).toBeChecked();
    await expect.poll(() => newSize(page)).toBe(found?.size);
  }
  await panel(page).getByRole("spinbutton", { name: "Largest file", exact: true }).fill("0.1");
  await choose.click();
  await expect(panel(page).getByRole("alert")).toContainText("No file type makes a file of this size");
});

test("an importance matrix is read from an address", async ({ page, app }) => {
  const address = app.file("/models/tiny.imatrix.gguf", file("tiny.imatrix.gguf"));
  await openModel(page, app, "tiny.gguf");
  await target(page, "IQ2_XS").check();
  const matrix = panel(page).locator("gguf-imatrix-field");
  const typed = field(page, "Address of an imatrix file");
  await typed.fill(`${app.origin}/models/none.gguf`);
  await panel(page).getByRole("button", { name: "Load", exact: true }).click();
  await expect(matrix.getByRole("alert")).toContainText("404");
  await typed.fill(address);
  await typed.press("Enter");
  await expect(matrix).toContainText("tiny.imatrix.gguf");
  await expect.poll(() => newSize(page)).toBe(run("tiny", "tiny.imatrix.gguf:IQ2_XS").size);
  await expect(download(page)).toHaveAttribute("aria-disabled", "false");
});

test("a set of shards stays a set", async ({ page, app }) => {
  await replaceFolderPicker(page);
  await openFiles(
    page,
    app,
    SHARDS.map((name) => ({ name, bytes: file(name) })),
  );
  await showConvert(page);
  await target(page, "Q8_0").check();
  await flag(page, "Keep the shards").check();
  await expect(section(page, "New file")).toContainText("tiny-split-Q8_0-00001-of-00003.gguf and 2 more");
  await panel(page).getByRole("button", { name: "Convert into a folder…" }).click();
  await expect(panel(page)).toContainText("3 shards written into models");
  const written = await filesInFolder(page);
  expect([...written.keys()]).toEqual([1, 2, 3].map((number) => `tiny-split-Q8_0-0000${number}-of-00003.gguf`));
  const { outputs = [] } = run("tiny", "keep-split:Q8_0");
  expect([...written.values()].map(sha256)).toEqual(outputs.map((output) => output.sha256));
  // A second time, the folder has these files already.
  await panel(page).getByRole("button", { name: "Convert into a folder…" }).click();
  await expect(panel(page).getByRole("alert")).toContainText("has a file tiny-split-Q8_0-00001-of-00003.gguf already");
});

test("the errors of the tensors are shown once they are measured", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openModel(page, app, "tiny.gguf");
  const plan = await requantize(await Gguf.open(file("tiny.gguf")), { type: "Q4_K_M", nmse: true });
  const tensor = plan.tensors.find(({ newType }) => newType === "Q4_K")?.name ?? "";
  // Until then, the column has estimates.
  const header = panel(page).getByRole("columnheader", { name: "Error" });
  await summary(page).click();
  await flag(page, "Measure the error of each tensor").check();
  await expect(header).toHaveCount(1);
  // A conversion ends an estimate that still runs.
  await expect(section(page, "Quality").getByRole("button", { name: "Propose a mix" })).toBeVisible();
  await save(page).click();
  await expect(panel(page)).toContainText("Saved as tiny-Q4_K_M.gguf");
  await expect(tensorRow(page, tensor)).toContainText(/0\.00\d/);
  // The estimates stay beside the measured errors.
  await expect(panel(page).getByRole("columnheader", { name: "Estimate" })).toHaveCount(1);
  await expect(section(page, "New file")).toContainText(
    /Error \(NMSE\) over all rows: 0\.00\d+, estimated before: 0\.00\d+\./,
  );
});
