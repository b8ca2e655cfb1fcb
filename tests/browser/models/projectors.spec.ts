/** The page that converts a model that reads images or sound: the model, its projector, or both in one pass. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { requantize } from "gguf-wasm/convert/node";
import { openModel } from "gguf-wasm/models/node";
import { missing, pathOf } from "../../package/corpus.mjs";
import { bytesOf, october, run } from "../../package/models/corpus.mjs";
import { missing as noPython, startGgufPy } from "../../support/gguf-py.mjs";
import { ofRun } from "../../support/long.mjs";
import { sha256, storedNames, whenWriting } from "../support/convert-panel.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  fileChoice,
  model,
  openOctober,
  region,
  save,
  saveBoth,
  type,
  whenBothPlanned,
  whenPlanned,
} from "../support/model-page.ts";
import { setDisk } from "../support/picked-file.ts";
import { filesInFolder, removeFolderPicker } from "../support/shard-files.ts";

test.skip(missing !== false);

const NAME = "Qwen3-VL-4X-Instruct";

/** The models that most people ask for, of which the last one has no projector. The long run converts all. */
const WANTED = ["Qwen3-VL-4X-Instruct", "Qwen3.5-0.1B", "Qwen3.5-35x-A3x", "gemma-4-E2X-it", "Qwen3-Next-80x-A3x"];

const projectorType = (page: Page): Locator => model(page).getByRole("combobox", { name: "Type of the projector" });

for (const name of ofRun(WANTED.slice(0, 1), WANTED)) {
  test(`${name} of a hub becomes Q4_K_M with its projector in one pass`, async ({ page, app }) => {
    await openOctober(page, app, name);
    await type(page, "Quantized").check();
    const hasProjector = (await fileChoice(page, "Model and projector").count()) > 0;
    expect(hasProjector).toBe(name !== "Qwen3-Next-80x-A3x");
    if (hasProjector) {
      await expect(fileChoice(page, "Model and projector")).toBeChecked();
      await projectorType(page).selectOption("F16");
    }
    const names = [`${name}-Q4_K_M.gguf`, ...(hasProjector ? [`mmproj-${name}-F16.gguf`] : [])];
    const planned = region(page, hasProjector ? "New files" : "New file");
    for (const one of names) await expect(planned).toContainText(one);
    if (hasProjector) {
      await whenBothPlanned(page);
      await saveBoth(page).click();
      await expect(model(page)).toContainText(/Q4_K_M\.gguf \(.* and mmproj-.* written into models/);
    } else {
      await whenPlanned(page);
      await save(page).click();
      await expect(model(page)).toContainText("Saved as");
    }
    const written = hasProjector ? await filesInFolder(page) : await savedFiles(page, names);
    expect([...written.keys()].sort()).toEqual([...names].sort());
    const opened = await openModel(pathOf(`convert-2026-10/${october(name).folder}`));
    const plan = await opened.convert({ type: "f32", pre: october(name).pre ?? undefined });
    const quantized = await requantize(plan.gguf, { type: "Q4_K_M" });
    expect(sha256(written.get(names[0] ?? "") ?? new Uint8Array())).toBe(sha256(await bytesOf(quantized)));
    const projector = hasProjector ? await opened.convert({ type: "f16", projector: true }) : undefined;
    if (projector)
      expect(sha256(written.get(names[1] ?? "") ?? new Uint8Array())).toBe(sha256(await bytesOf(projector)));
    if (noPython !== false) return;
    const counts = [quantized, projector].flatMap((plan) => (plan ? [plan.tensors.length] : []));
    expect(await tensorCounts(written, names)).toEqual(counts);
  });
}

/** The files that the replaced picker has saved, by name. */
async function savedFiles(page: Page, names: readonly string[]): Promise<Map<string, Uint8Array>> {
  const bytes = (name: string) =>
    page.evaluate((name) => (window as unknown as { stored(name: string): Promise<number[]> }).stored(name), name);
  return new Map(await Promise.all(names.map(async (name) => [name, Uint8Array.from(await bytes(name))] as const)));
}

/** How many tensors gguf-py finds in each file. */
async function tensorCounts(written: ReadonlyMap<string, Uint8Array>, names: readonly string[]): Promise<number[]> {
  const python = startGgufPy();
  const folder = mkdtempSync(join(tmpdir(), "gguf-projectors-"));
  try {
    const counts = [];
    for (const name of names) {
      const path = join(folder, name);
      writeFileSync(path, written.get(name) ?? new Uint8Array());
      counts.push((await python.read(path)).tensors.length);
    }
    return counts;
  } finally {
    python.close();
    rmSync(folder, { recursive: true });
  }
}

test("both files can be opened, and each is described", async ({ page, app }) => {
  await openOctober(page, app, NAME);
  await whenBothPlanned(page);
  await expect(region(page, "Found")).toContainText("text, images");
  const planned = region(page, "New files");
  await expect(planned.getByRole("group", { name: "Model" })).toContainText(`${NAME}-BF16.gguf`);
  await expect(planned.getByRole("group", { name: "Projector" })).toContainText(`mmproj-${NAME}-BF16.gguf`);
  const table = region(page, "Table of entries of the projector");
  await expect(table.getByRole("row", { name: /^clip\.has_vision_encoder/ })).toContainText("true");
  await expect(region(page, "Table of entries of the model").getByRole("row", { name: /^qwen3vl\./ })).not.toHaveCount(
    0,
  );
  await expect(region(page, "Left out of the model")).toContainText("they belong to the encoders of images or sound");
  await saveBoth(page).click();
  await expect(model(page)).toContainText("written into models");
  await expect(model(page).getByRole("status").last()).toContainText("mmproj-");
  await model(page).getByRole("button", { name: "Open the new files" }).click();
  await expect(page.getByRole("dialog")).toContainText(`mmproj-${NAME}-BF16.gguf`);
});

test("without a folder picker, the files are downloaded one after the other", async ({ page, app }) => {
  await openOctober(page, app, NAME);
  await removeFolderPicker(page);
  await projectorType(page).selectOption("Q8_0");
  await expect(region(page, "New files")).toContainText(`mmproj-${NAME}-Q8_0.gguf`);
  const button = model(page).getByRole("button", { name: "Convert and download" });
  await expect(button).toHaveAttribute("aria-disabled", "false");
  const names: string[] = [];
  page.on("download", (download) => names.push(download.suggestedFilename()));
  await button.click();
  await expect.poll(() => names).toEqual([`${NAME}-BF16.gguf`, `mmproj-${NAME}-Q8_0.gguf`]);
  await expect(model(page)).toContainText(/Download of .*-BF16\.gguf \(.*\) and mmproj-.* started/);
});

test("a conversion that is cancelled leaves neither file", async ({ page, app }) => {
  await openOctober(page, app, NAME);
  await whenBothPlanned(page);
  await setDisk(page, "busy at last");
  await saveBoth(page).click();
  await whenWriting(page);
  await expect(model(page).getByRole("progressbar", { name: "Bytes written" })).toBeVisible();
  await model(page).getByRole("button", { name: "Cancel" }).click();
  await setDisk(page, undefined);
  await expect(model(page)).toContainText("No file was written.");
  expect([...(await filesInFolder(page)).keys()]).toEqual([]);
});

test("the projector alone needs no answer about the vocabulary", async ({ page, app }) => {
  await openOctober(page, app, NAME);
  const question = model(page).getByRole("combobox", { name: "Pre-tokenizer" });
  await expect(question).toHaveCount(1);
  await fileChoice(page, "Projector").check();
  await expect(question).toHaveCount(0);
  await expect(region(page, "New file")).toContainText(`mmproj-${NAME}-BF16.gguf`);
  await whenPlanned(page);
  await save(page).click();
  await expect(model(page)).toContainText(`Saved as mmproj-${NAME}-BF16.gguf`);
  const [projector] = await savedFiles(page, [`mmproj-${NAME}-BF16.gguf`]).then((saved) => [...saved.values()]);
  expect(sha256(projector ?? new Uint8Array())).toBe(run(october(NAME), "mmproj-auto").output.sha256);
  expect((await storedNames(page)).filter((name) => name.startsWith(NAME))).toEqual([]);

  await fileChoice(page, "Model").check();
  await expect(region(page, "New file")).toContainText(`${NAME}-BF16.gguf`);
  await expect(projectorType(page)).toHaveCount(0);
});

test("a projector that cannot be made is refused with the reason, and the model is offered", async ({ page, app }) => {
  await openOctober(page, app, NAME, (files) => delete files["preprocessor_config.json"]);
  const planned = region(page, "New file");
  await expect(planned).toContainText('The projector cannot be made. No file says "image_mean"');
  await expect(fileChoice(page, "Model")).toBeChecked();
  await expect(fileChoice(page, "Model and projector")).toBeDisabled();
  await whenPlanned(page);
  await save(page).click();
  await expect(model(page)).toContainText(`Saved as ${NAME}-BF16.gguf`);
});

test("a class whose encoders are not known says so", async ({ page, app }) => {
  await openOctober(page, app, NAME, (files) => {
    const config = JSON.parse(new TextDecoder().decode(files["config.json"]));
    // The class of the text is found, and that of the encoders is not.
    config.vision_config.architectures = ["NewVisionModel"];
    files["config.json"] = new TextEncoder().encode(JSON.stringify(config));
  });
  await expect(region(page, "New file")).toContainText(
    "No projector can be made from models of the class NewVisionModel.",
  );
  // The list of all classes that are known is long.
  const list = model(page).getByText("It can from these: Gemma3ForConditionalGeneration");
  await expect(list).toBeHidden();
  await model(page).getByText("Details", { exact: true }).click();
  await expect(list).toBeVisible();
  await whenPlanned(page);
});

test("a model whose text cannot be made has its projector", async ({ page, app }) => {
  await openOctober(page, app, NAME, (files) => {
    delete files["tokenizer.json"];
    delete files["tokenizer_config.json"];
  });
  await expect(model(page).getByRole("alert")).toContainText("The model of the text cannot be converted");
  await expect(fileChoice(page, "Projector")).toBeChecked();
  await expect(fileChoice(page, "Model")).toBeDisabled();
  await whenPlanned(page);
  await save(page).click();
  await expect(model(page)).toContainText(`Saved as mmproj-${NAME}-BF16.gguf`);
});
