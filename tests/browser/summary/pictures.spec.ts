/** The pictures of the summary: their facts as text, the keyboard, and saving. The computed facts are tested in `logic/summary-pictures.spec.ts`. */

import { readFile } from "node:fs/promises";
import type { Download, Locator, Page } from "@playwright/test";
import type { Gguf } from "gguf-wasm/full";
import { corpusModel } from "../support/corpus-model.ts";
import { imatrix, loraAdapter, projector, vocabulary } from "../support/file-kinds.ts";
import { expect, expectOpen, factOf, openFile, openUrl, sampleBytes, test } from "../support/fixtures.ts";
import { answerWithZeros } from "../support/large-model.ts";
import { openFiles, shardsOf, wholeModel } from "../support/shard-files.ts";
import { leaveDocument } from "../support/shared-page.ts";
import { read } from "../../package/corpus.mjs";

const picture = (page: Page, name: string): Locator => page.locator(`gguf-summary-panel gguf-${name}`);

/** Opens a header of the corpus. */
async function openModel(page: Page, app: Parameters<typeof openFile>[1], name: string): Promise<void> {
  await openFile(page, app, read(`memory/${name}`), name);
  await expect(page.locator("gguf-answers dl")).toBeVisible();
}

/** Opens a complete file with a header of the corpus. */
async function openWhole(page: Page, app: Parameters<typeof openFile>[1], name: string): Promise<void> {
  await openUrl(page, app, app.on(`/models/${name}`, answerWithZeros(corpusModel(name))));
  await expect(page.locator("gguf-answers dl")).toBeVisible();
}

/** Scrolls to a picture, and opens its text. */
async function textOf(page: Page, name: string): Promise<Locator> {
  await page.locator(`gguf-summary-panel [data-part=${name}]`).scrollIntoViewIfNeeded();
  await picture(page, name).getByText("As text").click();
  return picture(page, name).locator(".text");
}

const ALL_PICTURES = ["will-it-run", "quantization-map", "context-curve", "parameters", "architecture"];

const pictureNames = (page: Page): Promise<(string | null)[]> =>
  page
    .locator("gguf-summary-panel [data-part]")
    .evaluateAll((places) =>
      places.map((place) => place.getAttribute("data-part")).filter((name) => name !== "answers" && name !== "details"),
    );

test("the summary answers whether the file is complete, how many experts are used, and what takes the memory", async ({
  page,
  app,
}) => {
  await openModel(page, app, "qwen3-30b-a3b.gguf");
  const answers = page.locator("gguf-answers dl");
  await expect(answers).toContainText("Incomplete: 18.3 GB of 18.3 GB are missing");
  await expect(answers).toContainText("128, of which each token uses 8");
  await expect(answers).toContainText("llama.cpp does not load it");
  const curve = picture(page, "context-curve");
  await expect(curve).toContainText("Doubling the context from 131,072 to 262,144 tokens costs 12.1 GiB");
  await expect((await textOf(page, "context-curve")).locator("tbody tr").last()).toContainText("262,144");
});

test("the summary leads to the panel that converts", async ({ page, app }) => {
  await openFile(page, app, await sampleBytes(), "sample.gguf");
  await page.getByRole("button", { name: "Choose a type" }).click();
  await expect(page.getByRole("tab", { name: "Convert" })).toBeFocused();
});

test("the map says which blocks have fewer bits", async ({ page, app }) => {
  await openModel(page, app, "llama-3.1-8b.gguf");
  const facts = await textOf(page, "quantization-map");
  await expect(facts.getByRole("row", { name: /^Value / })).toHaveText(/Q6_K in all blocks: 6\.56 bits per weight/);
  await expect(facts.getByRole("row", { name: /^Down / })).toHaveText(
    /Q4_K in blocks 4, 5, 7, 8, .*Q6_K in blocks 0–3, 6, 9/s,
  );
  await expect(picture(page, "quantization-map").locator(".intro")).toContainText(
    "32 blocks. The fewest bits per weight: 4.54 in blocks 4, 5, 7, 8",
  );
});

test("the legend of the map has every type of the model", async ({ page, app }) => {
  await openUrl(page, app, "sample.gguf");
  await page.locator("gguf-summary-panel [data-part=quantization-map]").scrollIntoViewIfNeeded();
  const legend = picture(page, "quantization-map").getByRole("list", { name: "Types by bits per weight" });
  await expect(legend.getByRole("listitem").first()).toContainText("Q1_0");
  await expect(legend.getByRole("listitem").last()).toHaveText(/F32\s+32 bits/);
  const types = await page.locator("gguf-viewer").evaluate((viewer: HTMLElement & { gguf?: Gguf }) => {
    const sized = viewer.gguf?.tensors.filter(({ byteLength = 0 }) => byteLength > 0) ?? [];
    return new Set(sized.map(({ type }) => type)).size;
  });
  expect(types).toBeGreaterThan(16);
  await expect(legend.getByRole("listitem")).toHaveCount(types);
});

test("a cell leads to its tensors, by the keyboard too", async ({ page, app }) => {
  await openModel(page, app, "llama-3.1-8b.gguf");
  await page.locator("gguf-summary-panel [data-part=quantization-map]").scrollIntoViewIfNeeded();
  const map = picture(page, "quantization-map");
  const cell = (name: string) => map.getByRole("link", { name });
  await cell("Block 0, query").focus();
  await page.keyboard.press("ArrowRight");
  await expect(cell("Block 1, query")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(cell("Block 1, value: Q6_K, 6.56 bits per weight")).toBeFocused();
  await expect(map.locator(".readout")).toHaveText("Block 1, value: Q6_K, 6.56 bits per weight");
  await page.keyboard.press("End");
  await expect(cell("Block 31, value")).toBeFocused();
  // The picture is drawn again for another width.
  const drawing = map.locator("figure > svg");
  const width = await drawing.getAttribute("width");
  await page.setViewportSize({ width: 1100, height: 800 });
  await expect(drawing).not.toHaveAttribute("width", String(width));
  await expect(cell("Block 31, value")).toBeFocused();
  // Tab leaves the picture: only one cell is in its way.
  await expect(map.locator('[tabindex="0"][data-row]')).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: /Tensors/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("gguf-tensor-table .row .name")).toHaveText(["blk.31.attn_v.weight"]);
  await page.goBack();
  await expect(page.getByRole("tab", { name: "Summary" })).toHaveAttribute("aria-selected", "true");
});

test("the architecture folds equal blocks, and a box leads to its tensors", async ({ page, app }) => {
  await openModel(page, app, "granite-4.0-h-tiny.gguf");
  const facts = await textOf(page, "architecture");
  await expect(facts).toContainText(/36 × block: blocks 0–4, .*State space: inner size 3,072/s);
  await expect(facts).toContainText(/4 × block: blocks 5, 15, 25, 35.*Attention: 12 heads, 4 for keys and values/s);
  await expect(facts).toContainText("Output: shares the token embedding");
  await expect(factOf(page, "Attention heads")).toHaveText("12 (0–4 KV, depending on the layer)");
  await picture(page, "architecture")
    .getByRole("link", { name: /^Attention/ })
    .click();
  await expect(page.locator("gguf-tensor-table .row .name").first()).toHaveText(/^blk\.5\.attn_/);
});

test("an architecture without a row says so", async ({ page, app }) => {
  const header = Buffer.from(read("memory/llama-3.1-8b.gguf"));
  // The same length, so that the header stays valid.
  const at = header.indexOf("llama", header.indexOf("general.architecture"));
  header.write("lamma", at);
  await openFile(page, app, header, "lamma.gguf");
  await expect(page.locator("gguf-answers dl")).toBeVisible();
  await page.locator("gguf-summary-panel [data-part=architecture]").scrollIntoViewIfNeeded();
  await expect(picture(page, "architecture")).toContainText("How the architecture lamma is computed is not known.");
});

test("the treemap has the parameters of each role", async ({ page, app }) => {
  await openModel(page, app, "qwen3-30b-a3b.gguf");
  const facts = await textOf(page, "parameters");
  await expect(facts.locator("tbody tr").first()).toHaveText(/Experts, gate\s+9,663,676,416\s+31\.7%.*48/s);
});

test.describe("the machine", () => {
  test.beforeEach(({ page }) => leaveDocument(page));

  test("is chosen once; a large model is not refused before", async ({ page, app }) => {
    await page.goto(app.origin);
    await page.evaluate(() => localStorage.removeItem("machine"));
    await openWhole(page, app, "qwen3-30b-a3b.gguf");
    const run = picture(page, "will-it-run");
    await expect(run.locator(".answer")).toContainText(
      "It takes 18.0 GiB of GPU memory with a context of 8,192 tokens",
    );
    await expect(run.locator(".cards li").first()).toHaveText(/8 GB\s+does not fit as a whole/);
    await expect(run).not.toContainText("No,");
    await run.getByLabel("GPU memory", { exact: true }).selectOption("12");
    await expect(run.locator(".answer")).toContainText("Yes, with changes");
    await expect(run.locator(".answer")).toContainText("Experts of 20 layers on the CPU, KV cache type Q8_0");
    await expect(run.locator("code")).toHaveText(
      "llama-server -m qwen3-30b-a3b.gguf -c 8192 -np 1 -ctk q8_0 -ctv q8_0 -ngl 49 --n-cpu-moe 20 -fa on",
    );
    await expect(run.getByRole("row", { name: /^Experts of 20 layers/ })).toContainText(
      "speed: the CPU computes 40.5% of the weights; hardly any accuracy",
    );
    await run.getByRole("button", { name: "Experts of 21 layers on the CPU" }).click();
    await expect(run.locator("code")).toHaveText(
      "llama-server -m qwen3-30b-a3b.gguf -c 8192 -np 1 -ngl 49 --n-cpu-moe 21 -fa on",
    );
    const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem("machine") ?? "") as object);
    // Nobody has chosen the main memory, so 32 GB are assumed and not stored.
    expect(await stored()).toEqual({ cards: [12] });
    await expect(run.getByLabel("Main memory", { exact: true })).toHaveValue("32");
    await openWhole(page, app, "llama-3.1-8b.gguf");
    await expect(run.locator(".answer")).toContainText("Yes with a context of 8,192 tokens");
    await run.getByLabel("GPU memory", { exact: true }).selectOption("0");
    await expect(run.locator("code")).toContainText("-ngl 0");
    await run.getByLabel("Main memory", { exact: true }).selectOption("8");
    expect(await stored()).toEqual({ cards: [], main: 8 });
    await openWhole(page, app, "qwen3-30b-a3b.gguf");
    await expect(run.locator(".answer")).toContainText("No, not with a context of 8,192 tokens. 10.6 GiB are missing");
    await page.evaluate(() => localStorage.removeItem("machine"));
  });

  test("says first that llama.cpp refuses a file, and what the file takes once it is repaired", async ({
    page,
    app,
  }) => {
    // The file has a header only.
    await openModel(page, app, "llama-3.1-8b.gguf");
    const run = picture(page, "will-it-run");
    await expect(run.locator(".refusal")).toContainText("No, llama.cpp does not load this file.");
    await run.getByRole("button", { name: /^12 GB/ }).click();
    await expect(run.locator(".answer")).toContainText("Once it is repaired, it fits with a context of 8,192 tokens");
    const beside = page.locator("gguf-machine-verdict");
    await expect(beside).toHaveText("llama.cpp does not load this file");
    // It is the same finding, so it has one colour and one sign.
    const sign = (part: typeof beside) =>
      part
        .locator("svg")
        .evaluate((svg) => `${getComputedStyle(svg).color} ${svg.innerHTML.replace(/<!--.*?-->/g, "")}`);
    expect(await sign(beside)).toBe(await sign(run.locator(".refusal")));
    await run.getByRole("button", { name: "See why" }).click();
    await expect(page.getByRole("tab", { name: /^Checks/ })).toBeFocused();
    await page.evaluate(() => localStorage.removeItem("machine"));
  });

  test("bounds the speed by the bandwidths that a person chooses", async ({ page, app }) => {
    await page.goto(app.origin);
    await openWhole(page, app, "llama-3.1-8b.gguf");
    const run = picture(page, "will-it-run");
    await run.getByLabel("GPU memory", { exact: true }).selectOption("12");
    const speed = run.locator("gguf-speed");
    await expect(speed).toContainText("Choose the bandwidth");
    await speed.getByLabel("Bandwidth of the GPU memory", { exact: true }).selectOption("1008");
    // 5,663,023,360 bytes for each token.
    await expect(speed.getByRole("status")).toHaveText("At most 177 tokens a second");
    await expect(speed).toContainText("1 / (5.66 GB / 1,008 GB/s)");
    await speed.getByLabel("Bandwidth of the GPU memory", { exact: true }).selectOption("own");
    await speed.getByLabel("Bandwidth of the GPU memory in GB/s").fill("500");
    await expect(speed.getByRole("status")).toHaveText("At most 88 tokens a second");
    // The same machine for the next model. The CPU has a part of it.
    await openWhole(page, app, "qwen3-30b-a3b.gguf");
    await speed.getByLabel("Bandwidth of the main memory").selectOption("51.2");
    await expect(speed).toContainText("1 / (1.88 GB / 500 GB/s + 460 MB / 51.2 GB/s)");
    await expect(speed.getByRole("status")).toHaveText("At most 78 tokens a second");
  });

  test("goes to the panel of the memory with the settings that fit", async ({ page, app }) => {
    await page.goto(app.origin);
    await openWhole(page, app, "qwen3-30b-a3b.gguf");
    const run = picture(page, "will-it-run");
    await run.getByLabel("GPU memory", { exact: true }).selectOption("12");
    const command = (await run.locator("code").textContent()) ?? "";
    expect(command).toContain("--n-cpu-moe 20");
    await run.getByRole("button", { name: "All settings in Memory" }).click();
    await expect(page.getByRole("tab", { name: "Memory" })).toBeFocused();
    await expect(page.locator("gguf-memory-panel code").first()).toHaveText(command);
    await expect(page.locator("gguf-memory-panel").getByLabel("GPU memory", { exact: true })).toHaveValue("12");
    await page.goBack();
    await expect(page.getByRole("tab", { name: "Summary" })).toHaveAttribute("aria-selected", "true");
  });
});

test("a picture is saved as SVG and as PNG", async ({ page, app }) => {
  await openModel(page, app, "llama-3.1-8b.gguf");
  const save = async (title: string): Promise<Download> => {
    await page.locator("gguf-summary-panel [data-part=quantization-map]").scrollIntoViewIfNeeded();
    await picture(page, "quantization-map").getByRole("button", { name: "Save the picture" }).click();
    const waiting = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: title }).click();
    return waiting;
  };
  const svg = await save("Save as SVG");
  expect(svg.suggestedFilename()).toBe("llama-3.1-8b-quantization.svg");
  const words = await readFile(await svg.path(), "utf8");
  expect(words).toMatch(/^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(words).toContain("<title>How it was quantized</title>");
  // The file has colours of its own: neither classes nor custom properties.
  expect(words.match(/<rect /g)?.length).toBeGreaterThan(32 * 8);
  expect(words).toMatch(/fill: (?:rgb|#)/);
  expect(words).not.toMatch(/var\(|class=|data-row/);
  const png = await save("Save as PNG");
  expect(png.suggestedFilename()).toBe("llama-3.1-8b-quantization.png");
  const bytes = await readFile(await png.path());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  // The width in the header of the file: two pixels for each px.
  const width = await picture(page, "quantization-map")
    .locator("figure > svg")
    .evaluate((shown) => shown.clientWidth);
  expect(bytes.readUInt32BE(16)).toBe(2 * width);
});

test("other kinds of files have the pictures that make sense for them", async ({ page, app }) => {
  const kinds: [Uint8Array, string, (string | null)[]][] = [
    [imatrix(), "a-imatrix.gguf", []],
    [loraAdapter(), "a-lora.gguf", ["quantization-map", "parameters"]],
    [vocabulary(), "a-vocab.gguf", []],
    [read("memory/bge-small-en.gguf"), "bge.gguf", ALL_PICTURES],
  ];
  for (const [bytes, name, names] of kinds) {
    await openFile(page, app, bytes, name);
    await expect(page.locator("gguf-identity").locator("h2, .file").last()).toHaveText(name);
    await expect(page.locator("gguf-answers dl")).toBeVisible();
    expect(await pictureNames(page), name).toEqual(names);
  }
  await openFile(page, app, projector(), "mmproj.gguf");
  await expect(page.locator("gguf-answers dl")).toContainText("beside its model, whatever the context is");
});

test("the pictures need only the header: a file that is cut off in its data has all of them", async ({ page, app }) => {
  await openFile(page, app, wholeModel().slice(0, -100), "cut.gguf");
  await expect(page.locator("gguf-answers dl")).toContainText("Incomplete: 100 bytes of ");
  await expect(page.locator("gguf-viewer")).toContainText("This file is incomplete.");
  expect(await pictureNames(page)).toEqual(ALL_PICTURES);
  await expect((await textOf(page, "quantization-map")).getByRole("row", { name: /^Query / })).toContainText(
    "F32 in all blocks",
  );
});

test("a set of shards has the pictures of the whole model, and one shard those of its tensors", async ({
  page,
  app,
}) => {
  const shards = shardsOf();
  await openFiles(page, app, shards);
  await expectOpen(page, "tiny-00001-of-00003.gguf");
  await expect(page.locator("gguf-answers dl")).toBeVisible();
  expect(await pictureNames(page)).toEqual(ALL_PICTURES);
  await expect((await textOf(page, "parameters")).locator("tbody tr")).toHaveText(/^\s*Query\s+384\s+100\.0%/);
  for (const { name, bytes } of shards) {
    await openFile(page, app, bytes, name);
    await expectOpen(page, name);
    await expect(page.locator("gguf-identity")).toContainText("Shard");
    // A shard is not loaded alone, and has not all blocks of the model.
    expect(await pictureNames(page), name).toEqual(["quantization-map", "parameters"]);
    await expect((await textOf(page, "parameters")).locator("tbody tr")).toHaveText(/^\s*Query\s+128\s+100\.0%/);
  }
});

test("a model in a format before GGUF has no pictures: its names tell no roles", async ({ page, app }) => {
  await openFile(page, app, read("legacy/llama-ggjt1-q4_0.bin"), "llama.bin");
  await expectOpen(page, "llama.bin");
  const answers = page.locator("gguf-answers dl");
  await expect(answers).toContainText("Complete: 93.4 kB");
  await expect(answers).toContainText("272 tokens");
  await expect(answers.locator("dt")).toHaveText(["File", "Tokenizer", "Convert"]);
  await expect(answers.getByRole("button", { name: "Migrate to GGUF" })).toBeVisible();
  expect(await pictureNames(page)).toEqual([]);
  await expect(page.locator("gguf-details")).toContainText("Legacy model");
});

test("no picture is wider than a phone", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openModel(page, app, "qwen3-30b-a3b.gguf");
  for (const name of await pictureNames(page)) {
    await page.locator(`gguf-summary-panel [data-part=${name}]`).scrollIntoViewIfNeeded();
    await expect(picture(page, name ?? "").locator("section")).toBeVisible();
  }
  const widths = await page
    .locator("gguf-summary-panel")
    .evaluate((summary) => [summary.scrollWidth, summary.clientWidth, document.documentElement.scrollWidth]);
  expect(widths[0]).toBe(widths[1]);
  expect(widths[2]).toBe(390);
  // The ways to load the model are not cut off either.
  await picture(page, "will-it-run").getByLabel("GPU memory", { exact: true }).selectOption("12");
  const ways = picture(page, "will-it-run").getByRole("region", { name: "Ways to make it fit" });
  await expect(ways.getByRole("row", { name: /^Experts of 20 layers/ })).toBeVisible();
  expect(await ways.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
  await page.evaluate(() => localStorage.removeItem("machine"));
});
