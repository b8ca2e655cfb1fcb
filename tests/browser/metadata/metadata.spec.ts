import { expect, test } from "../support/fixtures.ts";
import { rowOf, table, openMetadata } from "../support/metadata-table.ts";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";

test("keys are in file order in their sections, with types and values", async ({ page, app }) => {
  await openMetadata(page, app, smallModel());
  const rows = page.locator(`${table} .row`);
  await expect(rows.first()).toHaveText(/^\s*General\s*\d+\s*$/);
  await expect(rows.nth(1)).toContainText("general.architecture");
  await expect(rowOf(page, "freq_base")).toContainText("FLOAT32");
  await expect(rowOf(page, "freq_base").locator(".value")).toHaveText("10000.1");
  await expect(rowOf(page, "ggml.tokens")).toContainText("STRING[1,000]");
  await expect(rowOf(page, "ggml.tokens").locator(".value")).toContainText('"tok0", "tok1"');
  const link = rowOf(page, "repo_url").getByRole("link");
  await expect(link).toHaveAttribute("href", "https://example.com/tiny");
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
});

test("a section whose keys are not adjacent in the file occurs once", async ({ page, app }) => {
  await openMetadata(
    page,
    app,
    ggufBytes([
      ["general.architecture", text("llama")],
      ["llama.context_length", uint32(8192)],
      ["general.name", text("Interleaved")],
      ["llama.block_count", uint32(2)],
    ]),
  );
  await expect(page.locator(`${table} .section`)).toHaveText([/^\s*General\s*2\s*$/, /^\s*Model\s*2\s*$/]);
  await expect(page.locator(`${table} .row:not(.section) .key`)).toHaveText([
    "general.architecture",
    "general.name",
    "llama.context_length",
    "llama.block_count",
  ]);
});

test("the search finds what a row shows beside its key and its value", async ({ page, app }) => {
  await openMetadata(
    page,
    app,
    ggufBytes([
      ["general.architecture", text("llama")],
      ["general.file_type", uint32(15)],
      ["general.alignment", uint32(32)],
      ["llama.rope.dimension_sections", { type: "int32s", count: 3, at: (i: number) => [24, 20, 777][i] ?? 0 }],
    ]),
  );
  const search = page.getByRole("searchbox", { name: "Search keys, values and tokens" });
  const keys = page.locator(`${table} .row:not(.section) .key`);
  // The name of a value, the title of a key, an element of an array, and its type.
  for (const [query, key] of [
    ["q4_k_m", "general.file_type"],
    ["file type", "general.file_type"],
    ["777", "llama.rope.dimension_sections"],
    ["int32[3]", "llama.rope.dimension_sections"],
  ] as const) {
    await search.fill(query);
    await expect(keys).toHaveText([key]);
  }
  await search.fill("q4_k_m");
  await expect(rowOf(page, "file_type").locator("mark")).toHaveText("Q4_K_M");
});

test("the search includes keys, values and the elements of arrays", async ({ page, app }) => {
  await openMetadata(page, app, smallModel());
  const search = page.getByRole("searchbox", { name: "Search keys, values and tokens" });
  await page.locator("body").press("/");
  await search.click();
  await search.fill("context");
  await expect(page.locator(`${table} .row:not(.section)`)).toHaveCount(1);
  await search.fill("message.content");
  await expect(rowOf(page, "chat_template").locator("mark")).toHaveText("message.content");
  await search.fill("needle");
  await expect(rowOf(page, "ggml.tokens")).toContainText("1 match inside");
  await expect(page.locator(`${table} .count`)).toHaveText("1 of 12");
  await rowOf(page, "ggml.tokens").click();
  // An array that is opened from a search shows the same search.
  const array = page.locator("gguf-array-view");
  await expect(array.getByRole("row")).toContainText(["#", "Ġneedle"]);
  await expect(array.locator(".row")).toContainText("777");
  await search.fill("nothing like this");
  await expect(page.getByText("No matches in keys, values and tokens.")).toBeVisible();
  await search.press("Escape");
  await expect(page.locator(`${table} .count`).first()).toHaveText("12 entries");
});

test("an open detail counts as a row for ARIA", async ({ page, app }) => {
  await openMetadata(page, app, smallModel());
  const grid = page.getByRole("treegrid", { name: "Metadata" });
  const count = Number(await grid.getAttribute("aria-rowcount"));
  const rows = page.locator(`${table} .row:not(.section)`);
  await rows.nth(0).click();
  await expect(grid).toHaveAttribute("aria-rowcount", String(count + 1));
  const place = Number(await rows.nth(0).getAttribute("aria-rowindex"));
  await expect(page.locator(`${table} .detail`)).toHaveAttribute("aria-rowindex", String(place + 1));
  await expect(rows.nth(1)).toHaveAttribute("aria-rowindex", String(place + 2));
  await expect(rows.nth(0)).toHaveAttribute("aria-level", "2");
  // A grid whose rows cannot open is not a tree.
  await rowOf(page, "ggml.tokens").click();
  await expect(page.getByRole("grid", { name: "Elements of tokenizer.ggml.tokens" })).toBeVisible();
});

test("a long text is a block that keeps its line breaks", async ({ page, app }) => {
  await openMetadata(page, app, smallModel());
  await rowOf(page, "chat_template").click();
  const block = page.locator("gguf-text-block pre");
  await expect(block).toHaveText("{% for message in messages %}\n{{ message.content }}\n{% endfor %}");
  await expect(page.locator(`${table} .detail`)).toContainText(/at offset\s+0x[\da-f]+/);
});

test("the button shows the offsets", async ({ page, app }) => {
  await openMetadata(page, app, smallModel());
  await expect(page.getByRole("columnheader", { name: "Offset" })).toBeHidden();
  await page.getByRole("button", { name: "Offsets" }).click();
  await expect(page.getByRole("columnheader", { name: "Offset" })).toBeVisible();
  // The first value follows magic, version, counts, key length, key and type.
  await expect(rowOf(page, "general.architecture")).toContainText("0x38");
});

test("a value is copied", async ({ page, app, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openMetadata(page, app, smallModel());
  await rowOf(page, "context_length").hover();
  await rowOf(page, "context_length")
    .getByRole("button", { name: /Copy value/ })
    .click();
  await expect(page.getByRole("status")).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("8192");
});

test("the whole table can be used with the keyboard", async ({ page, app }) => {
  await openMetadata(page, app, smallModel());
  await expect(rowOf(page, "general.name")).toBeVisible();
  await page.getByRole("tab", { name: /Metadata/ }).focus();
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Search keys, values and tokens" });
  await expect(search).toBeFocused();
  await page.keyboard.type("tokenizer");
  await page.keyboard.press("ArrowDown");
  const grid = page.getByRole("treegrid", { name: "Metadata" });
  await expect(grid).toBeFocused();
  await expect(page.locator(`${table} .row.active`)).toContainText("tokenizer.ggml.model");
  await page.keyboard.press("ArrowDown");
  await expect(grid).toHaveAttribute("aria-activedescendant", "row-2");
  await page.keyboard.press("Enter");
  await expect(page.locator(`${table} .row.active`)).toHaveAttribute("aria-expanded", "true");
  await expect(page.locator("gguf-array-view")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(page.locator("gguf-array-view")).toBeHidden();
  await page.keyboard.press("End");
  await expect(page.locator(`${table} .row.active`)).toContainText("chat_template");
  await page.keyboard.press("Home");
  await page.getByRole("tab", { name: /Metadata/ }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: /Tensors/ })).toBeFocused();
  await expect(page.getByRole("tab", { name: /Tensors/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("treegrid", { name: "Tensors" })).toBeVisible();
});

test("text from a file is never HTML", async ({ page, app }) => {
  const markup = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
  const bytes = ggufBytes(
    [
      ["general.name", text(markup)],
      [markup, text("a key of markup")],
      ["__proto__", text("polluted")],
      ["constructor", uint32(1)],
      ["toString", text("javascript:alert(1)")],
      ["bidi", text("user\u202Etxt.exe\u0000\u001b[31mred")],
      ["bytes", { type: "string", value: Uint8Array.of(0xff, 0xfe, 0x41) }],
      ["link", text("https://example.com/\u202Emoc.live")],
      ["tokens", { type: "strings", count: 3, at: () => markup }],
      ["nested", { type: "nested", value: [["inner", markup], []] }],
      ["", text("an empty key")],
      ["same", uint32(1)],
      ["same", uint32(2)],
    ],
    [{ name: markup, dimensions: [32], type: 0, bytes: 128 }],
  );
  await openMetadata(page, app, bytes, `${"<b>x</b>"}.gguf`);
  await expect(page.locator("gguf-identity h2")).toHaveText(markup);
  await expect(rowOf(page, "a key of markup").locator(".key")).toHaveText(markup);
  await expect(rowOf(page, "__proto__")).toContainText("polluted");
  await expect(rowOf(page, "toString").getByRole("link")).toHaveCount(0);
  await expect(rowOf(page, "bidi").locator(".value")).toHaveText("user\\u202etxt.exe\\x00\\x1b[31mred");
  await expect(rowOf(page, "bidi").locator(".escape").first()).toHaveAttribute(
    "title",
    "U+202E right-to-left override",
  );
  await expect(rowOf(page, "link").getByRole("link")).toHaveCount(0);
  await expect(rowOf(page, "an empty key")).toBeVisible();
  await expect(page.locator(`${table} .row:not(.section)`)).toHaveCount(13);
  await rowOf(page, "nested").click();
  await page.locator("gguf-array-view .row").first().click();
  await expect(page.locator("gguf-array-view gguf-array-view .row").nth(1)).toContainText(markup);
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await expect(page.locator("gguf-tensor-table .name")).toHaveText(markup);
  await expect(page).not.toHaveTitle("owned");
  expect(await page.evaluate(() => document.querySelectorAll("img, body script").length)).toBe(0);
});
