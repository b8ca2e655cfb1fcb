import type { Page } from "@playwright/test";
import { expect, expectOpen, factOf, openFile, test } from "../support/fixtures.ts";
import { bar, openEntry, startEditing } from "../support/editing.ts";
import {
  firstShard,
  fluxModel,
  imatrix,
  loraAdapter,
  projector,
  secondShard,
  speechModel,
  vocabulary,
} from "../support/file-kinds.ts";
import { miniLm } from "../support/model-files.ts";
import { missing, read } from "../../package/corpus.mjs";

const card = (page: Page) => page.getByRole("region", { name: "Kind of file" });
const nameCard = (page: Page) => page.getByRole("region", { name: "File name" });

/** Expects the facts of the card, and no others. */
async function expectFacts(page: Page, facts: readonly (readonly [label: string, value: string])[]): Promise<void> {
  await expect(card(page).locator("dt")).toHaveText(facts.map(([label]) => label));
  await expect(card(page).locator("dd")).toHaveText(facts.map(([, value]) => value));
}

/** Expects the sentences that say what in the file shows its kind. */
async function expectEvidence(page: Page, sentences: readonly string[]): Promise<void> {
  await card(page).getByText("Evidence").click();
  await expect(card(page).locator("li")).toHaveText(sentences);
  await expect(card(page).locator("li").first()).toBeVisible();
}

test("an importance matrix shows its datasets and chunks, and has no parameters", async ({ page, app }) => {
  await openFile(page, app, imatrix("wiki.train.raw", "code.txt"), "tiny-imatrix.gguf");
  await expectOpen(page, "tiny-imatrix.gguf");
  await expect(card(page)).toContainText("Importance matrix. Tells a quantizer which weights matter most.");
  await expectFacts(page, [
    ["Datasets", "wiki.train.raw, code.txt"],
    ["Chunks", "1,250"],
    ["Tokens in a chunk", "512"],
  ]);
  await expectEvidence(page, ["`general.type` is `imatrix`."]);
  await expect(factOf(page, "Elements")).toHaveText("771");
  await expect(page.getByRole("columnheader", { name: "Elements" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Model", exact: true })).toHaveCount(0);
  // The metadata has no name that would be better than the one of the file.
  await expect(nameCard(page)).toContainText("tiny");
  await expect(nameCard(page)).not.toContainText("Name from the metadata");
  await expect(nameCard(page)).toContainText("The naming convention has no names for this kind of file.");
  await expect(nameCard(page).locator("li")).toHaveCount(0);
  for (const label of ["Parameters", "Quantization", "Bits per weight"])
    await expect(factOf(page, label)).toHaveCount(0);
});

test("an image model shows its family, its variant, its blocks and its parts", async ({ page, app }) => {
  await openFile(page, app, fluxModel({ isReshaped: true }), "flux1-dev-F32.gguf");
  await expect(page.locator("gguf-answers dt").first()).toHaveText("Programs");
  await expect(page.locator("gguf-answers dd").first()).toHaveText(
    // stable-diffusion.cpp does not know the other shape.
    "Image model, flux (dev). ComfyUI-GGUF loads it; llama.cpp does not.",
  );
  await expectFacts(page, [
    ["Family", "flux"],
    ["Variant", "dev"],
    ["Blocks", "2"],
    ["Parts", "diffusion"],
  ]);
  // No memory of llama.cpp for a file that it does not load.
  await expect(page.getByRole("tab", { name: "Memory" })).toHaveCount(0);
  await expect(page.locator("gguf-summary-panel [data-part=will-it-run]")).toHaveCount(0);
  await expect(page.locator("gguf-summary-panel [data-part=context-curve]")).toHaveCount(0);
  // The roles of its tensors are not known.
  await expect(page.locator("gguf-summary-panel [data-part=parameters]")).toHaveCount(0);
  await page.getByRole("tab", { name: /Tensors/ }).click();
  const row = page.locator("gguf-tensor-table .row", { hasText: "img_in.weight" });
  await row.click();
  const shape = page.locator("gguf-tensor-table dl > div", { hasText: "Original shape" });
  await expect(shape.locator("dd")).toHaveText("2×2×8×8");
});

test("a text-to-speech model of another program shows nothing that follows from the rules of llama.cpp", async ({
  page,
  app,
}) => {
  await openFile(page, app, speechModel(), "parler.gguf");
  await expect(page.locator("gguf-answers dd").first()).toContainText("TTS.cpp loads it; llama.cpp does not.");
  await expectFacts(page, [
    ["Family", "parler"],
    ["Blocks", "1"],
  ]);
  await expect(page.getByRole("tab", { name: "Memory" })).toHaveCount(0);
  await expect(page.locator("gguf-summary-panel [data-part]")).toHaveCount(2);
});

test("a vision model of Ollama shows its parts and the program that loads it", async ({ page, app }) => {
  test.skip(Boolean(missing), String(missing));
  await openFile(page, app, read("producers/ollama-gemma3-4b-vision.gguf"), "gemma3-4b.gguf");
  await expect(page.locator("gguf-answers dd").first()).toContainText("Ollama loads it; llama.cpp does not.");
  await expect(card(page).locator("div", { hasText: "Parts" }).locator("dd")).toHaveText("text, vision");
});

test("of many datasets, the first ones are listed", async ({ page, app }) => {
  await openFile(page, app, imatrix(...Array.from({ length: 11 }, (_, index) => `part-${index}.txt`)));
  await expect(factOf(page, "Datasets")).toHaveText(/^part-0\.txt, .*, part-7\.txt and 3 more$/);
});

test("a LoRA adapter shows its base model and alpha", async ({ page, app }) => {
  await openFile(page, app, loraAdapter(), "Tiny-Stories-LoRA-F32-LoRA.gguf");
  await expect(card(page)).toContainText(
    "Adapter. Changes the weights of a base model, which is another file: a LoRA adapter, for example.",
  );
  await expectFacts(page, [
    ["Adapter type", "lora"],
    ["Base model", "Tiny Llama 1.1B"],
    ["Alpha", "32.5"],
  ]);
  await expectEvidence(page, ["`general.type` is `adapter`.", "`adapter.type` is `lora`."]);
  // The converter gives such names, although the naming convention asks for more.
  await expect(nameCard(page)).toContainText("The name agrees with the metadata.");
  await expect(nameCard(page)).toContainText("Not named by the convention");
});

test("a shard shows its place in the set, also if only the first shard says what the set is", async ({ page, app }) => {
  await openFile(page, app, secondShard(), "Tiny-00002-of-00003.gguf");
  await expect(card(page)).toContainText("Shard. Holds a part of a file that was split.");
  await expectFacts(page, [
    ["Shard", "2 of 3"],
    ["Tensors in all shards", "1,021"],
  ]);
  await expectEvidence(page, ["`split.count` is 3."]);
  await expect(factOf(page, "Parameters in this shard")).toHaveText("8.19 K");
  await expect(factOf(page, "Tensors")).toHaveText("2");
  await openFile(page, app, firstShard(), "Tiny-00001-of-00003.gguf");
  await expectOpen(page, "Tiny-00001-of-00003.gguf");
  await expectFacts(page, [
    ["Shard", "1 of 3"],
    ["Tensors in all shards", "1,021"],
    ["Kind of the set", "Model"],
  ]);
  // A shard with another name than the rest of its set would not be found.
  await expect(nameCard(page)).not.toContainText("Name from the metadata");
});

test("a multimodal projector shows its encoders and projectors", async ({ page, app }) => {
  await openFile(page, app, projector(), "mmproj-Tiny-Omni-F32.gguf");
  await expect(card(page)).toContainText(
    "Multimodal projector. Encodes images or sound for a language model in another file.",
  );
  await expectFacts(page, [
    ["Encoders", "vision, audio"],
    ["Vision projector", "qwen2.5vl_merger"],
    ["Vision blocks", "32"],
    ["Image size", "560"],
    ["Audio projector", "qwen2a"],
    ["Audio blocks", "24"],
  ]);
  await expectEvidence(page, [
    "`general.type` is `mmproj`.",
    "`clip.has_vision_encoder` is true.",
    "`clip.has_audio_encoder` is true.",
  ]);
});

for (const [name, file, title, evidence] of [
  [
    "a vocabulary",
    vocabulary(),
    "Vocabulary. Holds the tokens of a model, without its weights.",
    ["`tokenizer.ggml.tokens` is present.", "The file has no tensors."],
  ],
  [
    "an embedding model",
    miniLm(),
    "Embedding model. Turns a text into a vector, so that texts can be compared.",
    ["`bert.pooling_type` is 1."],
  ],
] as const) {
  test(`${name} has its kind`, async ({ page, app }) => {
    await openFile(page, app, file);
    await expect(card(page)).toContainText(title);
    await expectFacts(page, []);
    await expectEvidence(page, evidence);
  });
}

test("the kind follows the changes", async ({ page, app }) => {
  await startEditing(page, app, loraAdapter());
  const alpha = await openEntry(page, "adapter.lora.alpha");
  await alpha.getByRole("textbox", { name: /Value of/ }).fill("16");
  await page.keyboard.press("Enter");
  await expect(factOf(page, "Alpha")).toHaveText(/16\s+was 32.5/);
  await bar(page).getByRole("button", { name: "Undo" }).click();
  await expect(factOf(page, "Alpha")).toHaveText("32.5");
  const type = await openEntry(page, "general.type");
  await type.getByRole("textbox", { name: /Value of/ }).fill("imatrix");
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: "Summary" }).click();
  await expect(card(page)).toContainText(/Importance matrix\..*was Adapter/s);
  await expectFacts(page, []);
  await expect(factOf(page, "Architecture")).toHaveText("llama");
  await expectEvidence(page, ["`general.type` is `imatrix`."]);
  await expect(factOf(page, "Elements")).toHaveText(/2\.05 K\s+new/);
  await bar(page).getByRole("button", { name: "Undo" }).click();
  await expect(card(page)).toContainText("Adapter.");
  await expect(card(page)).not.toContainText("was");
});
