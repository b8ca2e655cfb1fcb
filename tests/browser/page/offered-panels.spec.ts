// Panels that have no use for a kind of file are not offered.

import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { bar, startEditing } from "../support/editing.ts";
import { firstShard, imatrix, loraAdapter, projector, vocabulary } from "../support/file-kinds.ts";
import { miniLm } from "../support/model-files.ts";
import { ggufBytes, smallModel, text } from "../../support/gguf-bytes.mjs";

/** All tabs of a wide viewer, in their order. */
const TABS = [
  "Summary",
  "Metadata",
  "Tensors",
  "Graph",
  "Tokenizer",
  "Chat template",
  "Checks",
  "Memory",
  "Compare",
] as const;
const TOOLS = ["Convert", "Shards", "Hash"] as const;
/** The tabs and tools of every file. */
const ALWAYS: readonly string[] = ["Summary", "Metadata", "Checks", "Compare", "Hash"];

/** The files, and the tabs and tools that they have beside those. */
const FILES: Record<string, readonly [file: Uint8Array, tabs: readonly string[]]> = {
  "a language model": [smallModel(), ["Tensors", "Graph", "Tokenizer", "Memory", "Chat template", "Convert", "Shards"]],
  "an embedding model": [miniLm(), ["Tensors", "Graph", "Tokenizer", "Memory", "Convert", "Shards"]],
  "a file of no known kind": [ggufBytes([["general.name", text("Nothing")]]), ["Chat template"]],
  "an importance matrix": [imatrix("wiki.train.raw"), ["Tensors"]],
  "an adapter": [loraAdapter(), ["Tensors"]],
  "a projector": [projector(), ["Tensors", "Graph"]],
  "a vocabulary": [vocabulary(), ["Tokenizer", "Chat template"]],
  "a shard": [firstShard(), ["Tensors", "Shards"]],
};

for (const [kind, [file, tabs]] of Object.entries(FILES)) {
  test(`${kind} has the tabs that it has a use for`, async ({ page, app }) => {
    await openFile(page, app, file);
    const isExpected = (panel: string) => ALWAYS.includes(panel) || tabs.includes(panel);
    await expect(page.getByRole("tab")).toHaveText(TABS.filter(isExpected).map((tab) => new RegExp(`^\\s*${tab}`)));
    await page.getByRole("button", { name: "Tools" }).click();
    const tools = (await page.getByRole("menuitem").allInnerTexts()).map((title) => title.trim());
    const expected = TOOLS.filter(isExpected);
    expect(tools.slice(0, expected.length)).toEqual(expected);
    for (const other of TOOLS.filter((tool) => !isExpected(tool))) expect(tools).not.toContain(other);
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
  await expect(page.getByRole("tab", { name: "Chat template", exact: true })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Memory" })).toHaveCount(0);
  await expect(page.getByRole("tab", { name: "Summary" })).toHaveAttribute("aria-selected", "true");
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
