/** The Graph panel: its boxes, the keyboard, the search, the list, and saving. What it shows is tested in `logic/graph.spec.ts`. */

import { readFile } from "node:fs/promises";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { missing, read } from "../../package/corpus.mjs";

test.skip(missing !== false, "the corpus is not there");

test("the graph is opened, searched, read as a list, and saved", async ({ page, app }) => {
  await openFile(page, app, read("memory/llama-3.1-8b.gguf"), "llama-3.1-8b.gguf");
  await page.getByRole("tab", { name: "Graph" }).click();
  const panel = page.locator("gguf-graph");
  const box = (name: string | RegExp) => panel.getByRole("button", { name });
  const details = panel.getByRole("complementary", { name: "Details" });
  await box(/^Attention: 32 heads/).click();
  await expect(details).toContainText("blk.{n}.attn_q.weight");
  await expect(details.locator("dl")).toContainText("Read for a token");
  // Enter opens the operations, and the arrow keys lead into them.
  await box(/^Attention: 32 heads/).press("Enter");
  await expect(box(/^Attention: 32 heads/)).toHaveAttribute("aria-expanded", "true");
  await box(/^Attention: 32 heads/).press("ArrowDown");
  await expect(details.getByRole("heading", { level: 3 })).toHaveText(/Query|Key|Value/);
  // The colour says the bits, and the search leads to a box that is folded.
  await panel.getByLabel("Colour").selectOption("bits");
  await expect(box(/^Value: .*6\.56 bits/)).toBeVisible();
  await panel.getByRole("searchbox").fill("ffn_down");
  await panel.getByRole("searchbox").press("Enter");
  await panel.getByRole("searchbox").press("Enter");
  await expect(box(/^Down/)).toBeFocused();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    panel
      .getByRole("button", { name: "Save the graph" })
      .click()
      .then(() => page.getByRole("menuitem", { name: "Save as SVG" }).click()),
  ]);
  expect(download.suggestedFilename()).toBe("llama-3.1-8b-graph.svg");
  const drawing = await readFile(await download.path(), "utf8");
  expect(drawing).toContain("Feed-forward");
  expect(drawing).not.toMatch(/light-dark|var\(--/);
  await panel.getByRole("button", { name: "List" }).click();
  await expect(panel.getByRole("region", { name: "The graph as a list" })).toContainText("Scores and softmax");
  await details.getByRole("button", { name: "blk.{n}.ffn_down.weight" }).click();
  await expect(page.getByRole("tab", { name: /Tensors/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("gguf-tensor-table .row .name").first()).toContainText("ffn_down");
  // A file that is opened while another panel is shown has a graph of its own.
  await openFile(page, app, read("memory/mamba-130m.gguf"), "mamba-130m.gguf");
  await page.getByRole("tab", { name: "Graph" }).click();
  await expect(panel).toContainText("State space");
  await expect(panel).not.toContainText("Rotary position");
});

test("a link restores what is seen: the open boxes, the chosen one, the colour, the search and the zoom", async ({
  page,
  app,
}) => {
  const file = app.file("/models/llama-3.1-8b.gguf", read("memory/llama-3.1-8b.gguf"));
  await openUrl(page, app, file, "&view=graph");
  const panel = page.locator("gguf-graph");
  const box = (name: string | RegExp) => panel.getByRole("button", { name });
  await box(/^Feed-forward: /).press("Enter");
  await box(/^Down: /).click();
  await panel.getByLabel("Colour").selectOption("bits");
  await panel.getByRole("searchbox").fill("ffn");
  await panel.getByRole("button", { name: "Zoom in" }).click();
  const state =
    "graph.open=blk.0/feed-forward&graph.box=blk.0/feed-forward/down&graph.colour=bits&graph.search=ffn&graph.zoom=125";
  await expect(page).toHaveURL(new RegExp(`&view=graph&${state.replaceAll(".", "\\.")}$`));

  await page.goto("about:blank");
  await openUrl(page, app, file, `&view=graph&${state}`);
  await expect(box(/^Down: .* bits$/)).toHaveAttribute("aria-current", "true");
  await expect(box(/^Down: /)).toBeInViewport();
  await expect(panel.getByRole("searchbox")).toHaveValue("ffn");
  await expect(panel.getByRole("complementary", { name: "Details" })).toContainText("blk.{n}.ffn_down.weight");
  // A folded box and an address without a state take it back.
  await box(/^Feed-forward: /).press("Enter");
  await expect(page).not.toHaveURL(/graph\.open/);
  await page.evaluate((hash) => (location.hash = hash), `#url=${file}&view=graph&graph.as=list`);
  await expect(panel.getByRole("region", { name: "The graph as a list" })).toBeVisible();
  await expect(panel.getByRole("searchbox")).toHaveValue("");
});
