import { expect, openUrl, test } from "../support/fixtures.ts";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

/** The header of all-MiniLM-L6-v2 with six blocks. It lacks the token embeddings, and its metadata declares nine blocks. */
function brokenMiniLm(): Uint8Array {
  const matrix = (name: string, columns: number, rows: number) => ({
    name,
    dimensions: [columns, rows],
    type: 0,
    bytes: columns * rows * 4,
  });
  const vector = (name: string, length: number) => ({ name, dimensions: [length], type: 0, bytes: length * 4 });
  const blocks = Array.from({ length: 6 }, (_, block) => [
    ...["attn_q", "attn_k", "attn_v", "attn_output"].flatMap((part) => [
      matrix(`blk.${block}.${part}.weight`, 384, 384),
      vector(`blk.${block}.${part}.bias`, 384),
    ]),
    matrix(`blk.${block}.ffn_up.weight`, 384, 1536),
    matrix(`blk.${block}.ffn_down.weight`, 1536, 384),
  ]).flat();
  return ggufBytes(
    [
      ["general.architecture", text("bert")],
      ["general.name", text("all-MiniLM-L6-v2")],
      ["bert.block_count", uint32(9)],
      ["bert.context_length", uint32(512)],
      ["bert.embedding_length", uint32(384)],
      ["bert.feed_forward_length", uint32(1536)],
      ["bert.attention.head_count", uint32(12)],
    ],
    [matrix("position_embd.weight", 384, 512), vector("token_embd_norm.weight", 384), ...blocks],
  );
}

test("the page does not claim that a model works if its header has no problems", async ({ page, app }) => {
  await openUrl(page, app, app.file("/models/minilm.gguf", brokenMiniLm()));
  await page.getByRole("tab", { name: /Checks/ }).click();
  const checks = page.locator("gguf-checks");
  await expect(checks).toContainText("No problems found in the header");
  await expect(checks).toContainText("Tensor values are not checked.");
  await expect(checks.getByRole("region", { name: "Checked", exact: true })).toContainText(
    "The file is long enough for the data of every tensor.",
  );
  const unchecked = checks.getByRole("region", { name: "Not checked" });
  await expect(unchecked).toContainText("Whether all tensors and keys that the architecture needs are present.");
  await expect(unchecked).toContainText("Whether metadata and tensors agree, for example on the number of blocks.");
  // This file lacks a tensor and three blocks, so the page must not say that llama.cpp accepts it.
  await expect(checks).not.toContainText("would refuse");
  await expect(page.getByRole("tab", { name: /Checks/ })).toHaveAccessibleName(/No problems found in the header/);
});
