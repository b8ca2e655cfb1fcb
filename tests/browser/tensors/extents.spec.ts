import { expect, openFile, test } from "../support/fixtures.ts";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

test("all bytes of a tensor of unknown type before an empty tensor can be shown", async ({ page, app }) => {
  const tensors = [
    { name: "unknown", dimensions: [64], type: 137, bytes: 32 },
    { name: "empty", dimensions: [0], type: 0, bytes: 64 },
  ];
  await openFile(page, app, ggufBytes([["general.architecture", text("llama")]], tensors));
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row", { hasText: "unknown" }).first().click();
  await page.getByRole("button", { name: "Show the stored bytes (96 bytes)" }).click();
  await expect(page.locator("gguf-tensor-bytes pre")).toContainText("00 00");
});

test("the checks report a file of version 3 whose version field says 1", async ({ page, app }) => {
  const file = ggufBytes([
    ["general.architecture", text("llama")],
    ["general.name", text("a model whose version field is wrong")],
  ]);
  file[4] = 1;
  await openFile(page, app, file);
  await page.getByRole("tab", { name: /Checks/ }).click();
  const panel = page.locator("gguf-checks");
  await expect(panel.locator("li", { hasText: "wrong-version" })).toContainText("metadata count of 2");
  await expect(panel.locator("li", { hasText: "bytes-without-tensors" })).toContainText("announces no tensors");
});
