// The first sentence of the Checks panel: whether llama.cpp loads the model.

import type { Locator, Page } from "@playwright/test";
import { text, uint32 } from "../../support/gguf-bytes.mjs";
import { llamaModel } from "../../support/llama-model.mjs";
import { bar, startEditing } from "../support/editing.ts";
import { expect, openFile, test } from "../support/fixtures.ts";
import { fluxModel } from "../support/file-kinds.ts";
import { openFiles, shardsOf } from "../support/shard-files.ts";
import { missing, read } from "../../package/corpus.mjs";

const notice = (page: Page): Locator => page.locator("gguf-checks .loads");
const showChecks = (page: Page): Promise<void> => page.getByRole("tab", { name: /Checks/ }).click();

test("a model that loads: the sentence, and the version of the rules", async ({ page, app }) => {
  await openFile(page, app, llamaModel());
  await showChecks(page);
  await expect(notice(page).locator("p").first()).toHaveText("llama.cpp loads the file.");
  await expect(notice(page)).toContainText(/By the rules of llama\.cpp of [A-Z][a-z]+ \d{4} \(b\d+, /);
  await expect(notice(page)).toHaveClass(/good/);
});

for (const [what, options, sentence, code, message] of [
  [
    "a wrong shape",
    { tensors: { "blk.1.attn_q.weight": [64, 65] } },
    'llama.cpp does not load the file, because of the tensor "blk.1.attn_q.weight".',
    "tensor-shape",
    /Dimension 1 is 65, expected 64/,
  ],
  [
    "a wrong key",
    { entries: [["llama.attention.head_count_kv", uint32(4)] as const] },
    'llama.cpp does not load the file, because of the key "llama.attention.head_count_kv".',
    "tensor-shape",
    /The value is 4, but 4 tensors fit 2/,
  ],
] as const) {
  test(`${what}: the sentence names it before the list of findings, and only the list explains it`, async ({
    page,
    app,
  }) => {
    await openFile(page, app, llamaModel(options as never));
    await showChecks(page);
    await expect(notice(page).locator("p").first()).toHaveText(sentence);
    await expect(notice(page)).toHaveClass(/bad/);
    await expect(page.locator("gguf-checks section.error")).toContainText(code);
    await expect(page.locator("gguf-checks section.error .message").filter({ hasText: message })).not.toHaveCount(0);
    const [first, list] = await Promise.all([
      notice(page).boundingBox(),
      page.locator("gguf-checks section.error").boundingBox(),
    ]);
    expect(first?.y).toBeLessThan(list?.y ?? 0);
  });
}

test("an architecture that may be newer is no error", async ({ page, app }) => {
  await openFile(page, app, llamaModel({ architecture: "my-own" }));
  await showChecks(page);
  await expect(notice(page).locator("p").first()).toHaveText(
    'It is not known whether llama.cpp loads the file, because of the key "general.architecture".',
  );
  await expect(notice(page)).not.toHaveClass(/bad|good/);
  await expect(page.locator("gguf-checks section.warning")).toContainText("perhaps newer than llama.cpp b11549");
});

test("another kind of file is no error: the sentence names the option that takes it", async ({ page, app }) => {
  const entries = [["general.type", text("adapter")] as const, ["adapter.type", text("lora")] as const];
  await openFile(page, app, llamaModel({ entries: entries as never, without: ["llama.block_count"] }));
  await showChecks(page);
  await expect(notice(page)).toContainText(
    "it is not a language model (kind: Adapter). Give it to llama.cpp with --lora",
  );
  await expect(notice(page)).not.toHaveClass(/bad|warning|good/);
});

test("of a file of other programs, the notice says which programs load it, and how", async ({ page, app }) => {
  await openFile(page, app, fluxModel(), "flux1-dev-F32.gguf");
  await showChecks(page);
  await expect(notice(page).locator("p").first()).toHaveText(
    "Image model, flux (dev). ComfyUI-GGUF and stable-diffusion.cpp load it; llama.cpp does not.",
  );
  await expect(notice(page).locator("dt")).toHaveText(["ComfyUI-GGUF", "stable-diffusion.cpp"]);
  await expect(notice(page).locator("dd")).toHaveText(["Unet Loader (GGUF)", "--diffusion-model"]);
  await expect(notice(page).locator("p").last()).toHaveText(
    "llama.cpp does not load the file: it is for other programs (kind: Image diffusion model). Tensor values are not checked.",
  );
  await expect(notice(page)).not.toHaveClass(/bad|warning|good/);
  await expect(page.getByRole("tab", { name: /Checks/ }).locator(".badge")).toHaveCount(0);
  await page.getByRole("tab", { name: /Summary/ }).click();
  const answer = (label: string) => page.locator("gguf-answers dl > div", { hasText: new RegExp(`^\\s*${label}`) });
  await expect(answer("Programs")).toContainText("Image model, flux (dev).");
  await expect(answer("Checks")).toContainText("No problems found in the header");
  await expect(answer("Checks")).not.toContainText("llama.cpp");
});

test("a vision model of Ollama is for Ollama, and its tensors are no fault", async ({ page, app }) => {
  test.skip(Boolean(missing), String(missing));
  await openFile(page, app, read("producers/ollama-gemma3-4b-vision.gguf"), "gemma3-4b.gguf");
  await showChecks(page);
  await expect(notice(page).locator("p").first()).toContainText("Ollama loads it; llama.cpp does not.");
  await expect(notice(page)).not.toHaveClass(/bad|warning|good/);
  await expect(page.locator("gguf-checks section.error")).toHaveCount(0);
});

test("the sentence is about the file after editing", async ({ page, app }) => {
  await startEditing(page, app, llamaModel());
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row", { hasText: "token_embd.weight" }).click();
  await page.getByRole("button", { name: "Remove tensor token_embd.weight" }).click();
  await showChecks(page);
  await expect(notice(page).locator("p").first()).toHaveText("llama.cpp does not load the file.");
  await expect(page.locator("gguf-checks section.error .message")).toContainText(
    "The tensor token_embd.weight is missing",
  );
  await bar(page).getByRole("button", { name: "Undo" }).click();
  await expect(notice(page)).toContainText("llama.cpp loads the file.");
});

test("a set of shards has one answer", async ({ page, app }) => {
  await openFiles(page, app, shardsOf());
  await showChecks(page);
  await expect(notice(page)).toContainText("llama.cpp does not load the set of shards");
});
