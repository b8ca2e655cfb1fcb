// Two models that differ: what the tables list, how much is read, and where rows lead.

import { expect, openFile, test } from "../support/fixtures.ts";
import {
  address,
  compareWith,
  detail,
  entriesWith,
  entryTable,
  firstModel,
  openPair,
  panel,
  replaceClipboard,
  rowOf,
  secondModel,
  showCompare,
  showDifferences,
  summary,
  tensorsWith,
  tensorTable,
} from "../support/compare-panel.ts";
import { fileWith, type Made } from "../support/tensor-files.ts";
import { text } from "../../support/gguf-bytes.mjs";
import { showTool } from "../support/tools.ts";

const F16 = 1;

test("the headers and the values of two files are compared at once", async ({ page, app }) => {
  await openFile(page, app, firstModel(), "first.gguf");
  await showCompare(page);
  await compareWith(page, app.file("/compare/second.gguf", secondModel()));
  await expect(summary(page)).not.toBeEmpty();
  await expect(summary(page)).toBeFocused();
  await expect(panel(page)).toContainText("4 changed, 1 with another type, 1 added, 1 removed");
  await expect(panel(page)).toContainText("The data of the 2 tensors in both files was compared.");
  // The answer is in words and numbers.
  const headline = panel(page).locator(".headline");
  await expect(headline.locator(".size")).toHaveText(
    /^\s*B is [\d.,]+ (bytes|kB) smaller, with 32\.00 bits per weight in both\.$/,
  );
  await expect(headline).toContainText(/Error of B against A \(NMSE\): \S+ in blk\.1\.attn_q\.weight\./);
  await expect(headline).toContainText("to see the context that each file leaves on it");
  const titles = await entryTable(page).locator(".row .name").allInnerTexts();
  expect([...titles].sort()).toEqual([
    "general.license",
    "general.name",
    "llama.block_count",
    "llama.context_length",
    "tokenizer.chat_template",
    "tokenizer.ggml.scores",
    "tokenizer.ggml.tokens",
  ]);
  await expect(rowOf(page, "general.name")).toHaveText(/Removed.*general\.name.*Tiny.*none/s);
  await expect(rowOf(page, "general.license")).toHaveText(/Added.*general\.license.*none.*mit/s);
  await expect(rowOf(page, "context_length")).toHaveText(/Other type.*UINT32.*4096.*UINT64.*4096/s);
  await showDifferences(page, "Tensors");
  await expect(rowOf(page, "output.weight")).toContainText("Added");
  await expect(rowOf(page, "blk.2.attn_q.weight")).toContainText("Removed");
  await expect(rowOf(page, "blk.1.attn_q.weight")).toContainText("Different");
  // All was read, so nothing is left to compare.
  for (const name of ["Compare the data again", "Compare the values again"])
    await expect(panel(page).getByRole("button", { name, exact: true })).toBeVisible();
  await headline.getByRole("button", { name: "Choose your graphics card in Summary" }).click();
  await expect(page.getByRole("tab", { name: "Summary" })).toBeFocused();
});

test("a link with two addresses opens both, and a chosen file leaves the link", async ({ page, app }) => {
  const { a, b } = await openPair(page, app);
  await page.reload();
  await expect(summary(page)).toBeVisible();
  await panel(page).getByRole("button", { name: "Choose another file" }).click();
  await expect(address(page)).toBeFocused();
  await expect(page).not.toHaveURL(/compare\.with/);
  const choosing = page.waitForEvent("filechooser");
  await panel(page).getByRole("button", { name: "Choose a file" }).click();
  await (await choosing).setFiles({ name: "local.gguf", mimeType: "", buffer: Buffer.from(secondModel()) });
  await expect(panel(page)).toContainText("local.gguf (the other file)");
  await expect(page).not.toHaveURL(/compare\.with/);
  await panel(page).getByRole("button", { name: "Choose another file" }).click();
  await compareWith(page, b);
  await expect(page).toHaveURL(/&view=compare&compare\.with=http:.*\/pair\/b\.gguf$/);
  // The second file is not requested before the panel is shown.
  const before = app.log.length;
  await page.goto(`${app.origin}/#url=${a}&view=checks&compare.with=${encodeURIComponent(b)}`);
  await page.reload();
  await expect(page.locator("gguf-checks")).toBeVisible();
  expect(app.log.slice(before).some(({ url }) => url?.includes("b.gguf"))).toBe(false);
});

test("texts are compared by lines, arrays by elements, and vocabularies by tokens", async ({ page, app }) => {
  await openPair(page, app);
  await rowOf(page, "chat_template").click();
  await expect(detail(page).locator("gguf-line-diff")).toContainText("<|im|>{{ message.content }}");
  await rowOf(page, "chat_template").click();
  await rowOf(page, "ggml.scores").click();
  const places = detail(page).getByRole("region", { name: "Differences of tokenizer.ggml.scores" });
  await expect(places.locator("tbody tr")).toHaveCount(1);
  await expect(places.locator("tbody td")).toHaveText([/element 7\s*7/, /element 7\s*-1/]);
  await rowOf(page, "ggml.scores").click();
  await rowOf(page, "ggml.tokens").click();
  await expect(detail(page)).toContainText("1 token added, 2 tokens with another id.");
  const rows = detail(page).getByRole("region", { name: "Tokens that differ" }).locator("tbody tr");
  await expect(rows.filter({ hasText: "new" })).toHaveText(/new\s*none\s*4/);
});

test("a difference late in a long line is shown, and marked", async ({ page, app }) => {
  const long = (word: string) => text(`${"first words ".repeat(200)}${word}${" last words".repeat(200)}`);
  const [a, b] = ["cat", "dog"].map((word) => fileWith(entriesWith({ "general.description": long(word) }), []));
  await openPair(page, app, a, b);
  await rowOf(page, "general.description").click();
  await expect(detail(page).locator("gguf-line-diff p")).toHaveText([/….* cat last.*…\s*$/, /….* dog last.*…\s*$/]);
  await expect(detail(page).locator("gguf-line-diff mark")).toHaveText(["cat", "dog"]);
});

test("texts that are not UTF-8 and look the same are shown as bytes", async ({ page, app }) => {
  const file = (byte: number) =>
    fileWith(entriesWith({ "general.name": { type: "string", value: Uint8Array.of(0x61, byte, 0x62) } }), []);
  await openPair(page, app, file(0xff), file(0xfe));
  await rowOf(page, "general.name").click();
  await expect(detail(page)).toContainText("Bytes that are not UTF-8 text differ.");
  await expect(detail(page).locator("tbody tr")).toHaveText(/0x1\s*61 ff 62\s*61 fe 62/);
});

test("arrays of arrays show what differs in them, and spaces are kept", async ({ page, app }) => {
  const file = (last: string, spaces: string) => {
    const value = [
      ["1", "2"],
      [...Array.from({ length: 20 }, () => "same"), last],
    ];
    return fileWith(entriesWith({ nested: { type: "nested", value }, "general.name": text(`a${spaces}b`) }), []);
  };
  await openPair(page, app, file("x", " "), file("y", "  "));
  await expect(rowOf(page, "nested")).toHaveText(/"same", "x"\].*"same", "y"\]/s);
  await rowOf(page, "nested").click();
  const places = detail(page).getByRole("region", { name: "Differences of nested" });
  await expect(places.locator("tbody td")).toHaveText([/"same", "x"\]/, /"same", "y"\]/]);
  await expect(rowOf(page, "general.name").locator(".side bdi").last()).toHaveCSS("white-space", "pre");
});

test("a row leads to both files", async ({ page, app }) => {
  const { b } = await openPair(page, app);
  await rowOf(page, "block_count").click();
  const link = detail(page).getByRole("link", { name: "Open B at this entry" });
  await expect(link).toHaveAttribute(
    "href",
    new RegExp(`^#url=.*${new URL(b).pathname.slice(1)}&view=metadata&key=llama\\.block_count$`),
  );
  await detail(page).getByRole("button", { name: "Show in A, this file" }).click();
  await expect(page.getByRole("tab", { name: /^Metadata/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("gguf-metadata-table .row.active")).toContainText("block_count");
  await page.getByRole("tab", { name: "Compare" }).click();
  await link.click();
  await expect(page.locator("gguf-identity .file, gguf-identity h2").last()).toHaveText("b.gguf");
  await expect(page.locator("gguf-metadata-table .row.active")).toContainText("3");
});

test("data and values are compared when the person asks for it", async ({ page, app }) => {
  await openPair(page, app);
  await panel(page).getByRole("button", { name: "Compare the data" }).click();
  await expect(panel(page)).toContainText("The data of the 2 tensors in both files was compared.");
  await showDifferences(page, "Tensors");
  await expect(rowOf(page, "blk.1.attn_q.weight")).toHaveText(/Changed.*Different/s);
  await expect(rowOf(page, "blk.0.attn_q.weight")).toHaveCount(0);

  await panel(page).getByRole("button", { name: "Compare the values" }).click();
  const row = rowOf(page, "blk.1.attn_q.weight");
  // 0.25 by the sum of the squares from 1 to 128.
  const squares = (128 * 129 * 257) / 6;
  await expect(row.locator(".number").first()).toHaveText((0.25 / squares).toExponential(2));
  await expect(row.locator(".number").nth(1)).toHaveText("0.5");
  await row.click();
  await expect(detail(page)).toContainText("0.5 at element 69");
  await detail(page).getByRole("button", { name: "Show the values at the largest difference" }).click();
  await expect(detail(page).locator("tr.largest")).toHaveText(/69\s*70\s*70\.5/);
});

test("the figures of similar tensors show how far they are from equal, and are not cut", async ({ page, app }) => {
  await openPair(page, app);
  await panel(page).getByRole("button", { name: "Compare the values" }).click();
  await showDifferences(page, "Tensors");
  const figures = rowOf(page, "blk.1.attn_q.weight").locator(".number");
  // The cosine of the numbers from 1 to 128, and the same numbers with 0.5 added to the 70th.
  const squares = (128 * 129 * 257) / 6;
  const cosine = (squares + 0.5 * 70) / Math.sqrt(squares * (squares + 70 + 0.25));
  await expect(figures.nth(2)).toHaveText(`1 − ${(1 - cosine).toExponential(1)}`);
  // Words that have no room end with an ellipsis, which a flex container does not have.
  await expect(rowOf(page, "blk.1.attn_q.weight").locator(".change")).toHaveCSS("display", "inline");
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(figures).toHaveCount(3);
    const cut = await figures.evaluateAll(
      (cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length,
    );
    expect(cut, `${width} px`).toBe(0);
  }
});

test("rows are filtered by kind and text, and sorted", async ({ page, app }) => {
  await openPair(page, app);
  const names = () => entryTable(page).locator(".row .name").allInnerTexts();
  const kinds = entryTable(page).getByRole("group", { name: "Filter by kind" });
  await kinds.getByRole("button", { name: "Changed" }).click();
  await expect(entryTable(page).locator(".count")).toHaveText("4 of 7");
  await page.getByRole("searchbox", { name: "Filter entries" }).fill("TOKENIZER");
  await expect(entryTable(page).locator(".count")).toHaveText("3 of 7");
  await entryTable(page).getByRole("columnheader", { name: "Key" }).getByRole("button").click();
  await expect.poll(names).toEqual(["tokenizer.chat_template", "tokenizer.ggml.scores", "tokenizer.ggml.tokens"]);
  await entryTable(page).getByRole("columnheader", { name: "Key" }).getByRole("button").click();
  await expect.poll(names).toEqual(["tokenizer.ggml.tokens", "tokenizer.ggml.scores", "tokenizer.chat_template"]);
  await page.getByRole("searchbox", { name: "Filter entries" }).fill("nothing like this");
  await expect(entryTable(page)).toContainText("No entries match.");
});

test("sides are swapped, and the result is copied as Markdown", async ({ page, app }) => {
  const copied = await replaceClipboard(page);
  await openPair(page, app);
  await expect(rowOf(page, "general.license")).toContainText("Added");
  await panel(page).getByRole("button", { name: "Swap sides" }).click();
  await expect(rowOf(page, "general.license")).toContainText("Removed");
  await expect(panel(page).locator(".chosen dd")).toHaveText([/b\.gguf/, /a\.gguf\s+\(this file\)/]);
  // What was compared stays, and nothing is read again.
  await panel(page).getByRole("button", { name: "Compare the values" }).click();
  await showDifferences(page, "Tensors");
  await expect(panel(page).getByRole("progressbar")).toHaveCount(0);
  const { length } = app.log;
  await panel(page).getByRole("button", { name: "Swap sides" }).click();
  await expect(rowOf(page, "output.weight")).toContainText("Added");
  await expect(rowOf(page, "blk.1.attn_q.weight").locator(".number").nth(1)).toHaveText("0.5");
  expect(app.log).toHaveLength(length);
  await panel(page).getByRole("button", { name: "Swap sides" }).click();
  await panel(page).getByRole("button", { name: "Copy as Markdown" }).click();
  await expect.poll(copied).toMatch(/b\.gguf[\s\S]*a\.gguf/);
});

test("equal files: one sentence, and no table", async ({ page, app }) => {
  await openPair(page, app, firstModel(), firstModel());
  await expect(summary(page)).toHaveText("The models are equal.");
  await expect(panel(page)).toContainText("Metadata: 8 equal.");
  await expect(panel(page)).toContainText("Tensors: 3 equal.");
  await expect(panel(page).getByRole("tab")).toHaveCount(0);
});

test("text from a file is text", async ({ page, app }) => {
  const markup = "<img src=x onerror=alert(1)>\u202e";
  const evil = fileWith(entriesWith({ "general.name": text(markup), [`${markup}.key`]: text(markup) }), tensorsWith());
  await openPair(page, app, firstModel(), evil);
  await rowOf(page, ".key").click();
  await expect(detail(page)).toContainText("<img src=x onerror=alert(1)>\\u202e");
  await expect(panel(page).locator("img")).toHaveCount(0);
});

test("tensors keep their place in the table when another tab is shown", async ({ page, app }) => {
  await openPair(page, app);
  await showDifferences(page, "Tensors");
  await expect(tensorTable(page)).toBeVisible();
  await showTool(page, "Hash");
  await page.getByRole("tab", { name: "Compare" }).click();
  await expect(tensorTable(page)).toBeVisible();
});

test("the list with the most differences is first, and bytes that cannot be equal are not compared", async ({
  page,
  app,
}) => {
  const half = (): Made[] =>
    tensorsWith().map(({ name, dimensions, data }) => ({
      name,
      dimensions,
      type: F16,
      data: data.slice(0, data.length / 2),
    }));
  await openPair(
    page,
    app,
    fileWith(entriesWith(), tensorsWith()),
    fileWith(entriesWith({ "general.name": text("Other") }), half()),
  );
  await expect(panel(page).getByRole("tab", { name: /^Tensors 3/ })).toHaveAttribute("aria-selected", "true");
  await expect(panel(page).locator(".headline .size")).toHaveText(
    /B is .* smaller, with 32\.00 → 16\.00 bits per weight\./,
  );
  await expect(panel(page).getByRole("button", { name: "Compare the values" })).toBeVisible();
  await expect(panel(page).getByRole("button", { name: "Compare the data" })).toHaveCount(0);
  await expect(panel(page)).toContainText("so their bytes cannot be equal");
});
