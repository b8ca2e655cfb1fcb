// Panels that have no use for a kind of file are not offered.

import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { bar, startEditing } from "../support/editing.ts";
import { firstShard, imatrix, loraAdapter, projector, vocabulary } from "../support/file-kinds.ts";
import { miniLm } from "../support/model-files.ts";
import { ggufBytes, smallModel, text } from "../../support/gguf-bytes.mjs";

/** All tabs of a wide viewer, in their order. */
const TABS = [
  "Metadata",
  "Tensors",
  "Tokenizer",
  "Memory",
  "Chat template",
  "Checks",
  "Compare",
  "Convert",
  "Shards",
  "Hash",
] as const;
/** The tabs of every file. */
const ALWAYS: readonly string[] = ["Metadata", "Checks", "Compare", "Hash"];

/** The files, and the tabs that they have beside those. */
const FILES: Record<string, readonly [file: Uint8Array, tabs: readonly string[]]> = {
  "a language model": [smallModel(), ["Tensors", "Tokenizer", "Memory", "Chat template", "Convert", "Shards"]],
  "an embedding model": [miniLm(), ["Tensors", "Tokenizer", "Memory", "Convert", "Shards"]],
  "a file of no known kind": [ggufBytes([["general.name", text("Nothing")]]), ["Chat template"]],
  "an importance matrix": [imatrix("wiki.train.raw"), ["Tensors"]],
  "an adapter": [loraAdapter(), ["Tensors"]],
  "a projector": [projector(), ["Tensors"]],
  "a vocabulary": [vocabulary(), ["Tokenizer", "Chat template"]],
  "a shard": [firstShard(), ["Tensors", "Shards"]],
};

for (const [kind, [file, tabs]] of Object.entries(FILES)) {
  test(`${kind} has the tabs that it has a use for`, async ({ page, app }) => {
    await openFile(page, app, file);
    const expected = TABS.filter((tab) => ALWAYS.includes(tab) || tabs.includes(tab));
    await expect(page.getByRole("tab")).toHaveText(expected.map((tab) => new RegExp(`^\\s*${tab}`)));
  });
}

test("a template is shown for any kind of file, and a link to a panel that is not offered shows the first one", async ({
  page,
  app,
}) => {
  const entries = [
    ["general.architecture", text("clip")],
    ["general.type", text("mmproj")],
    ["tokenizer.chat_template", text("{{ messages }}")],
  ] as const;
  await openUrl(page, app, app.file("/models/mmproj.gguf", ggufBytes(entries)), "&view=memory");
  await expect(page.getByRole("tab", { name: "Chat template" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Memory" })).toHaveCount(0);
  await expect(page.getByRole("tab", { name: "Metadata" })).toHaveAttribute("aria-selected", "true");
});

test("the tabs follow the kind of the edited file", async ({ page, app }) => {
  await startEditing(page, app, projector());
  await expect(page.getByRole("tab", { name: "Memory" })).toHaveCount(0);
  const remove = async (key: string) => {
    await page.locator("gguf-metadata-table .row", { hasText: key }).click();
    await page.getByRole("button", { name: `Remove ${key}` }).click();
  };
  await remove("general.type");
  await remove("general.architecture");
  await remove("clip.has_vision_encoder");
  await remove("clip.has_audio_encoder");
  await expect(page.getByRole("tab", { name: "Memory" })).toHaveCount(1);
  await bar(page).getByRole("button", { name: "Discard all" }).click();
  await expect(page.getByRole("tab", { name: "Memory" })).toHaveCount(0);
});
