// The declared quantization, and that of the tensors.

import { expect, factOf, openFile, openUrl, test } from "../support/fixtures.ts";
import { openEntry, startEditing } from "../support/editing.ts";
import { answerWithZeros, largeModel } from "../support/large-model.ts";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

test("the figure says what is declared and what most tensors are, if they differ", async ({ page, app }) => {
  app.on("/models/other.gguf", answerWithZeros(largeModel({ experts: "IQ1_S" })));
  await openUrl(page, app, "models/other.gguf");
  await expect(factOf(page, "Quantization")).toHaveText("declared Q4_K_M, mostly IQ1_S");
  // A mixture that llama-quantize makes is what it declares.
  app.on("/models/large.gguf", answerWithZeros(largeModel()));
  await openUrl(page, app, "models/large.gguf");
  await expect(factOf(page, "Quantization")).toHaveText("Q4_K_M");
  // Two thirds of the sample are embeddings of the declared type. The blocks have twenty others.
  await openUrl(page, app, "sample.gguf");
  await expect(factOf(page, "Quantization")).toHaveText("Q3_K_M");
});

test("the figure follows the edited declaration", async ({ page, app }) => {
  const file = ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.file_type", uint32(0)],
    ],
    [{ name: "blk.0.ffn_up.weight", dimensions: [32, 2], type: 0, bytes: 256 }],
  );
  await startEditing(page, app, file);
  await expect(factOf(page, "Quantization")).toHaveText("F32");
  const entry = await openEntry(page, "general.file_type");
  await entry.getByRole("textbox", { name: /Value of/ }).fill("7");
  await page.keyboard.press("Enter");
  await expect(factOf(page, "Quantization")).toHaveText(/^declared Q8_0, mostly F32\s+was F32$/);
});

test("without a declaration, the figure is the type of most bytes", async ({ page, app }) => {
  const tensor = (name: string, type: number, bytes: number) => ({ name, dimensions: [32, 2], type, bytes });
  const file = ggufBytes(
    [["general.architecture", text("llama")]],
    [tensor("token_embd.weight", 0, 256), tensor("blk.0.ffn_up.weight", 8, 68)],
  );
  await openFile(page, app, file);
  await expect(factOf(page, "Quantization")).toHaveText("mostly F32");
});
