import { readFile } from "node:fs/promises";
import type { Download, Locator, Page } from "@playwright/test";
import { expect, expectOpen, factOf, openFile, test } from "../support/fixtures.ts";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";

const TEMPLATE = "{% for message in messages %}\n{{ message.content }}\n{% endfor %}";

const table = "gguf-metadata-table";
const rowOf = (page: Page, key: string) => page.locator(`${table} .row`, { hasText: key });
const changes = (page: Page) => page.locator("gguf-changes li");
const bar = (page: Page) => page.getByRole("toolbar", { name: "Editing" });

/** A file of this device in edit mode. */
async function edit(page: Page, app: Parameters<typeof openFile>[1], data: Uint8Array): Promise<void> {
  await openFile(page, app, data);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(bar(page)).toBeVisible();
}

/** An entry, opened. */
async function entry(page: Page, key: string): Promise<Locator> {
  const row = rowOf(page, key).first();
  await expect(row).toBeVisible();
  if ((await row.getAttribute("aria-expanded")) === "false") await row.click();
  const remove = page.getByRole("button", { name: new RegExp(`^Remove \\S*${key}$`) });
  const found = page.locator("gguf-edit-entry").filter({ has: remove });
  await expect(found).toBeVisible();
  return found;
}

async function bytesOf(download: Download): Promise<Uint8Array> {
  return new Uint8Array(await readFile(await download.path()));
}

/** Downloads what has been edited. */
async function downloaded(page: Page): Promise<Uint8Array> {
  await page.getByRole("button", { name: "Save…" }).click();
  const waiting = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Download", exact: true }).click();
  return bytesOf(await waiting);
}

test("a name is changed, the change is listed, undone, done again and downloaded", async ({ page, app }) => {
  await edit(page, app, smallModel());
  const detail = await entry(page, "general.name");
  await detail.getByRole("textbox", { name: "Value of general.name" }).fill("Another name");
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "general.name").first()).toContainText("Changed");
  await expect(rowOf(page, "general.name").first()).toContainText("Another name");
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(1);
  await expect(changes(page)).toContainText("Tiny Test");
  await expect(changes(page)).toContainText("Another name");
  await page.locator("gguf-changes .where").click();
  await expect(page.getByRole("tab", { name: /Metadata/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Control+z");
  await expect(rowOf(page, "general.name").first()).not.toContainText("Changed");
  await expect(bar(page).getByRole("button", { name: "Undo" })).toBeDisabled();
  await page.keyboard.press("Control+Shift+Z");
  await expect(rowOf(page, "general.name").first()).toContainText("Another name");
  const expected = smallModelWith("Another name");
  expect(Buffer.from(await downloaded(page)).equals(expected)).toBe(true);
  await expect(page.getByRole("dialog")).toContainText("model-edited.gguf");
});

/** The small model with another name. */
function smallModelWith(name: string): Buffer {
  const model = Buffer.from(smallModel());
  // The name is 9 bytes in the model; the data begins where the header ends, rounded up to 32.
  const at = model.indexOf("Tiny Test");
  const dataAt = dataOffset(model);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(Buffer.byteLength(name)));
  const header = Buffer.concat([
    model.subarray(0, at - 8),
    size,
    Buffer.from(name),
    model.subarray(at + 9, headerEnd(model)),
  ]);
  const padding = Buffer.alloc((32 - (header.length % 32)) % 32);
  return Buffer.concat([header, padding, model.subarray(dataAt)]);
}

/** Where the last tensor info of the small model ends. */
function headerEnd(model: Buffer): number {
  const last = Buffer.from("output_norm.weight");
  return model.indexOf(last) + last.length + 4 + 8 + 4 + 8;
}

function dataOffset(model: Buffer): number {
  return Math.ceil(headerEnd(model) / 32) * 32;
}

test("the summary and the title say what will be, and what it was", async ({ page, app }) => {
  const set = async (key: string, value: string) => {
    const field = (await entry(page, key)).getByRole("textbox", { name: /Value of/ });
    await field.fill(value);
    await field.press("Enter");
    await rowOf(page, key).first().click();
  };
  await edit(page, app, smallModel());
  const summary = page.locator("gguf-summary");
  await expect(summary).not.toContainText("As it will be");
  await set("general.name", "Another name");
  await set("context_length", "4096");
  await expect(summary.locator("h2")).toHaveText("Another name");
  await expect(summary).toContainText("As it will be, with 2 changes");
  await expect(summary).toContainText("was Tiny Test");
  await expect(factOf(page, "Context length")).toHaveText(/4,096\s+was 8,192/);
  await expect(factOf(page, "Architecture")).toHaveText("llama");
  await expect(page).toHaveTitle("• Another name – GGUF viewer");
  await rowOf(page, "file_type").first().click();
  await page.getByRole("button", { name: "Remove general.file_type" }).click();
  await expect(factOf(page, "Metadata")).toHaveText(/11 entries\s+was 12 entries/);
  // Without it the type that most weights have is named.
  await expect(factOf(page, "Quantisation")).toHaveText(/Q6_K\s+was Q4_K_M/);
  await bar(page).getByRole("button", { name: "Discard all" }).click();
  await expect(summary.locator("h2")).toHaveText("Tiny Test");
  await expect(summary).not.toContainText("was");
  await expect(page).toHaveTitle("Tiny Test – GGUF viewer");
  await bar(page).getByRole("button", { name: "Redo" }).click();
  await expect(page).toHaveTitle("• Another name – GGUF viewer");
  await bar(page).getByRole("button", { name: "Stop editing" }).click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await expect(summary.locator("h2")).toHaveText("Tiny Test");
  await expect(page).toHaveTitle("Tiny Test – GGUF viewer");
});

test("a chat template keeps its lines, whichever breaks they have", async ({ page, app }) => {
  const template = "a {{ b }}  \r\n\tc\r\n";
  await edit(page, app, ggufBytes([["tokenizer.chat_template", text(template)]]));
  const detail = await entry(page, "chat_template");
  const field = detail.getByRole("textbox", { name: /Value of/ });
  await expect(field).toHaveValue("a {{ b }}  \n\tc\n");
  await expect(detail.getByLabel("Line breaks")).toHaveValue("crlf");
  await detail.getByRole("button", { name: "Wrap lines" }).click();
  await expect(detail.getByRole("button", { name: "Wrap lines" })).toHaveAttribute("aria-pressed", "false");
  await field.press("Control+End");
  await field.pressSequentially("d");
  await field.press("Control+Enter");
  const saved = await downloaded(page);
  expect(Buffer.from(saved).equals(ggufBytes([["tokenizer.chat_template", text(`${template}d`)]]))).toBe(true);
});

test("what cannot be seen in a field is escaped, and kept", async ({ page, app }) => {
  await edit(page, app, ggufBytes([["a.text", text("x\0y\rz\\\n\u200b")]]));
  const field = (await entry(page, "a.text")).getByRole("textbox", { name: /Value of/ });
  await expect(field).toHaveValue("x\\0y\\rz\\\\\n\\u{200b}");
  await field.fill("x\\0y\\q");
  await expect(page.getByText("\\q is no escape")).toBeVisible();
  await field.fill("x\\0y\\rz\\\\\n\\u{200b}!");
  await field.press("Control+Enter");
  expect(Buffer.from(await downloaded(page)).equals(ggufBytes([["a.text", text("x\0y\rz\\\n\u200b!")]]))).toBe(true);
});

test("numbers are held against the range of their type while they are typed", async ({ page, app }) => {
  await edit(
    page,
    app,
    ggufBytes([
      ["n.u32", uint32(7)],
      ["n.u64", { type: "uint64", value: 2n ** 64n - 1n }],
      ["n.f32", { type: "float32", value: 0.1 }],
      ["n.bool", { type: "bool", value: false }],
    ]),
  );
  const u32 = (await entry(page, "n.u32")).getByRole("textbox", { name: /Value of/ });
  await u32.fill("4294967296");
  await expect(
    page.getByRole("alert").filter({ hasText: "UINT32 holds 0 to 4,294,967,295; this is more." }),
  ).toBeVisible();
  await expect(u32).toHaveAttribute("aria-invalid", "true");
  await u32.press("Enter");
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  await u32.press("Escape");
  await expect(u32).toHaveValue("7");
  await u32.fill("0x10");
  await u32.press("Enter");
  await expect(rowOf(page, "n.u32").first().locator(".value")).toContainText("16");
  await rowOf(page, "n.u32").first().click();
  const u64 = (await entry(page, "n.u64")).getByRole("textbox", { name: /Value of/ });
  await expect(u64).toHaveValue("18446744073709551615");
  await u64.fill("18446744073709551614");
  await u64.press("Enter");
  await expect(rowOf(page, "n.u64").first().locator(".value")).toContainText("18446744073709551614");
  await rowOf(page, "n.u64").first().click();
  const f32 = (await entry(page, "n.f32")).getByRole("textbox", { name: /Value of/ });
  await expect(f32).toHaveValue("0.1");
  await f32.fill("1e39");
  await expect(page.getByText("FLOAT32 holds numbers up to")).toBeVisible();
  await f32.fill("-Infinity");
  await f32.press("Enter");
  await expect(rowOf(page, "n.f32").first().locator(".value")).toContainText("-Infinity");
  await rowOf(page, "n.f32").first().click();
  await (await entry(page, "n.bool")).getByRole("switch").click();
  await expect(rowOf(page, "n.bool").first().locator(".value")).toContainText("true");
  const saved = await downloaded(page);
  const expected = ggufBytes([
    ["n.u32", uint32(16)],
    ["n.u64", { type: "uint64", value: 2n ** 64n - 2n }],
    ["n.f32", { type: "float32", value: -Infinity }],
    ["n.bool", { type: "bool", value: true }],
  ]);
  expect(Buffer.from(saved).equals(expected)).toBe(true);
});

test("a string that is not UTF-8 stays as it is until it is replaced", async ({ page, app }) => {
  const broken = Uint8Array.of(0x61, 0xff, 0x62);
  await edit(
    page,
    app,
    ggufBytes([
      ["a.broken", text(broken)],
      ["a.name", text("x")],
    ]),
  );
  const detail = await entry(page, "a.broken");
  await expect(detail).toContainText("These bytes are not UTF-8.");
  const field = detail.getByRole("textbox", { name: /hexadecimal/ });
  await expect(field).toHaveValue("61 ff 62");
  await field.fill("61 f");
  await expect(page.getByText("A byte is two digits; one is missing.")).toBeVisible();
  await field.fill("61 fe 62");
  await field.press("Control+Enter");
  await expect(field).toHaveValue("61 fe 62");
  const saved = await downloaded(page);
  expect(
    Buffer.from(saved).equals(
      ggufBytes([
        ["a.broken", text(Uint8Array.of(0x61, 0xfe, 0x62))],
        ["a.name", text("x")],
      ]),
    ),
  ).toBe(true);
});

test("entries are added, renamed, retyped, moved and removed, and what is refused changes nothing", async ({
  page,
  app,
}) => {
  await edit(page, app, smallModel());
  await bar(page).getByRole("button", { name: "Add entry" }).click();
  const box = page.getByRole("dialog", { name: "Add an entry" });
  await box.getByLabel("Key").fill("general.name");
  await expect(box.getByRole("alert").filter({ hasText: "Another entry has this key" })).toBeVisible();
  await box.getByLabel("Key").fill("general.license");
  await box.getByLabel("Value").fill("mit");
  await box.getByRole("button", { name: "Add", exact: true }).click();
  await expect(rowOf(page, "general.license").first()).toContainText("Added");
  const detail = page.locator("gguf-edit-entry");
  await detail.getByRole("textbox", { name: "Key" }).fill("general.name");
  await page.keyboard.press("Tab");
  await expect(detail.getByRole("alert").filter({ hasText: "Another entry has this key" })).toBeVisible();
  await detail.getByRole("textbox", { name: "Key" }).fill("general.licence");
  await page.keyboard.press("Tab");
  await expect(rowOf(page, "general.licence").first()).toContainText("mit");
  // With another key it is still the same row, and open.
  await expect(page.getByRole("button", { name: "Remove general.licence" })).toBeVisible();
  await rowOf(page, "file_type").first().click();
  const type = page.getByRole("combobox", { name: "Type of general.file_type" });
  await type.selectOption("UINT64");
  await expect(rowOf(page, "file_type").first()).toContainText("UINT64");
  await page.getByRole("button", { name: "Move general.file_type up" }).click();
  await expect(page.locator(`${table} .row:not(.section)`).nth(1)).toContainText("general.file_type");
  await page.getByRole("button", { name: "Remove general.file_type" }).click();
  await expect(rowOf(page, "file_type").first()).toContainText("Removed");
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(rowOf(page, "file_type").first()).not.toContainText("Removed");
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toContainText(["Added", "Renamed", "Type", "Moved to place 2"]);
  await bar(page).getByRole("button", { name: "Discard all" }).click();
  await expect(page.getByText("No changes yet.")).toBeVisible();
});

test("one of many tokens is set, others are inserted and removed", async ({ page, app }) => {
  await edit(page, app, smallModel());
  const detail = await entry(page, "ggml.tokens");
  const array = detail.locator("gguf-edit-array");
  await array.getByRole("spinbutton", { name: "Go to element number" }).fill("500");
  await array.getByRole("spinbutton", { name: "Go to element number" }).press("Enter");
  await array.locator(".row", { hasText: "tok500" }).click();
  const field = array.getByRole("textbox", { name: /element 500/ });
  // Among those that are found it is open, too, and among others it is not there.
  const search = array.getByRole("searchbox", { name: /^Search/ });
  await search.fill("ok50");
  await expect(array.locator(".row")).toHaveText([
    /50/,
    /500/,
    /501/,
    /502/,
    /503/,
    /504/,
    /505/,
    /506/,
    /507/,
    /508/,
    /509/,
  ]);
  await expect(array.locator(".row", { hasText: "tok500" })).toHaveAttribute("aria-expanded", "true");
  await expect(field).toBeVisible();
  await search.fill("ok51");
  await expect(array.locator(".row")).toHaveCount(11);
  await expect(field).toHaveCount(0);
  await search.fill("ok500");
  await expect(array.locator(".row")).toHaveCount(1);
  await field.fill("<|tool|>");
  await field.press("Enter");
  await search.fill("tool");
  await expect(array.locator(".row", { hasText: "<|tool|>" })).toBeVisible();
  await search.fill("");
  await expect(array.locator(".row", { hasText: "<|tool|>" })).toHaveCount(0);
  await array.getByRole("spinbutton", { name: "Go to element number" }).fill("500");
  await array.getByRole("spinbutton", { name: "Go to element number" }).press("Enter");
  await expect(array.locator(".row", { hasText: "<|tool|>" })).toBeVisible();
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toContainText("Element 500");
  await expect(changes(page)).toContainText("STRING[1,000]");
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await array.getByRole("button", { name: "Insert before" }).click();
  await array.getByLabel("New elements, one a line").fill("one\ntwo");
  await array.getByRole("button", { name: "Insert", exact: true }).click();
  await expect(rowOf(page, "ggml.tokens").first()).toContainText("STRING[1,002]");
  await expect(array.locator(".row", { hasText: "502" }).first()).toContainText("<|tool|>");
  await array.locator(".row", { hasText: "one" }).first().click();
  await array.getByRole("button", { name: /^Remove .*element 500/ }).click();
  await expect(rowOf(page, "ggml.tokens").first()).toContainText("STRING[1,001]");
});

test("tensors are renamed and removed, and the file's own settings change", async ({ page, app }) => {
  await edit(page, app, smallModel());
  await page.getByRole("tab", { name: /Tensors/ }).click();
  const row = (name: string) => page.locator("gguf-tensor-table .row", { hasText: name });
  await row("token_embd.weight").click();
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("x".repeat(64));
  await expect(page.getByRole("alert").filter({ hasText: "at most 63 bytes" })).toBeVisible();
  await name.fill("output_norm.weight");
  await name.press("Tab");
  await expect(page.getByRole("alert").filter({ hasText: "Another tensor has this name" })).toBeVisible();
  await name.fill("embd.weight");
  await name.press("Tab");
  await expect(row("embd.weight").first()).toContainText("Changed");
  await page.getByRole("button", { name: "Remove tensor embd.weight" }).click();
  await expect(row("token_embd.weight")).toContainText("Removed");
  await bar(page).getByRole("button", { name: "File…" }).click();
  await page.getByLabel("Alignment of tensor data").selectOption("64");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toContainText(["Tensor renamed", "Tensor removed", "general.alignment"]);
});

test("leaving with unsaved changes asks", async ({ page, app }) => {
  await edit(page, app, smallModel());
  const field = (await entry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await field.fill("Other");
  await field.press("Enter");
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  const box = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(box).toContainText("1 change has not been saved");
  await box.getByRole("button", { name: "Go on editing" }).click();
  await expect(bar(page)).toBeVisible();
  await page.goBack();
  await expect(box).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rowOf(page, "general.name").first()).toContainText("Other");
  let asked = false;
  page.once("dialog", (dialog) => {
    asked = dialog.type() === "beforeunload";
    void dialog.dismiss();
  });
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toBe(true);
  await bar(page).getByRole("button", { name: "Stop editing" }).click();
  await box.getByRole("button", { name: "Leave without saving" }).click();
  await expect(bar(page)).toBeHidden();
  await expect(rowOf(page, "general.name").first()).toContainText("Tiny Test");
});

test("a value is changed with the keyboard alone", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await page.getByRole("button", { name: "Edit", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("treegrid", { name: "Metadata" }).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Value of general.name" });
  await expect(field).toBeVisible();
  for (let tabs = 0; tabs < 12 && !(await field.evaluate((element) => element.matches(":focus"))); tabs += 1)
    await page.keyboard.press("Tab");
  await expect(field).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Typed");
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "general.name").first()).toContainText("Typed");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("treegrid", { name: "Metadata" })).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(rowOf(page, "general.name").first()).toContainText("Tiny Test");
  await page.keyboard.press("Control+y");
  await page.keyboard.press("Control+s");
  const box = page.getByRole("dialog");
  await expect(box).toContainText("1 change");
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await expect(page.getByRole("treegrid", { name: "Metadata" })).toBeFocused();
});

test("the focus is never lost: editing begins, ends, everything is undone and done again", async ({ page, app }) => {
  const metadata = page.getByRole("treegrid", { name: "Metadata" });
  const button = (name: string) => bar(page).getByRole("button", { name });
  await openFile(page, app, smallModel());
  await page.getByRole("button", { name: "Edit", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(metadata).toBeFocused();
  const field = (await entry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await field.fill("Other");
  await field.press("Enter");
  for (const [name, count] of [
    ["Undo", 0],
    ["Redo", 1],
    ["Discard all", 0],
  ] as const) {
    await button(name).focus();
    await page.keyboard.press("Enter");
    await expect(button("Undo")).toBeEnabled({ enabled: count > 0 });
    await expect(button(name)).toBeFocused();
    await expect(button(name)).toBeDisabled();
  }
  await button("Stop editing").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Edit", exact: true })).toBeFocused();
});

test("one token among 128,256 is changed", async ({ page, app }) => {
  const tokens = (count: number, changed?: string) =>
    ggufBytes([
      ["general.architecture", text("llama")],
      [
        "tokenizer.ggml.tokens",
        { type: "strings", count, at: (i) => (i === 100_000 && changed !== undefined ? changed : `token${i}`) },
      ],
      ["tokenizer.ggml.merges", { type: "strings", count: 280_147, at: (i) => `a${i} b${i}` }],
    ]);
  await edit(page, app, tokens(128_256));
  const array = (await entry(page, "ggml.tokens")).locator("gguf-edit-array");
  await array.getByRole("spinbutton", { name: "Go to element number" }).fill("100000");
  await array.getByRole("spinbutton", { name: "Go to element number" }).press("Enter");
  await array.locator(".row", { hasText: "token100000" }).click();
  const field = array.getByRole("textbox", { name: /element 100,000/ });
  await field.fill("<|new|>");
  const took = await field.evaluate(async (element: HTMLTextAreaElement) => {
    const from = performance.now();
    element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true }));
    // Two frames: the change is on the screen.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return performance.now() - from;
  });
  await expect(array.locator(".row", { hasText: "<|new|>" })).toBeVisible();
  test.info().annotations.push({ type: "a token set and shown, ms", description: took.toFixed(0) });
  expect(Buffer.from(await downloaded(page)).equals(tokens(128_256, "<|new|>"))).toBe(true);
});

test.describe("checks", () => {
  const flawed = () =>
    ggufBytes(
      [
        ["general.architecture", text("llama")],
        ["general.name", text("First")],
        ["general.name", text("Second")],
        ["a.broken", text(Uint8Array.of(0x61, 0xff))],
      ],
      [{ name: "a.weight", dimensions: [32], type: 0, bytes: 128 }],
    ).subarray(0, -64);

  const tab = (page: Page) => page.getByRole("tab", { name: /Checks/ });

  test("say what is wrong where it is seen at once, and lead to it", async ({ page, app }) => {
    await openFile(page, app, flawed());
    await expect(tab(page)).toHaveAccessibleName(/errors?/);
    await expect(tab(page).locator(".badge")).toBeVisible();
    await tab(page).click();
    const panel = page.locator("gguf-checks");
    await expect(panel.getByRole("heading", { name: /errors?/ })).toBeVisible();
    await expect(panel).toContainText("duplicate-key");
    await expect(panel).toContainText("truncated");
    await panel
      .locator("li", { hasText: "duplicate-key" })
      .getByRole("button", { name: /Show entry general.name/ })
      .click();
    // The second of the two is the one too many.
    const active = page.locator(`${table} .row.active`);
    await expect(active).toContainText("Second");
    await expect(active).toHaveAttribute("aria-expanded", "true");
    await expect(page.locator(`${table} .scroller`).first()).toBeFocused();
    await tab(page).click();
    await panel
      .locator("li", { hasText: "truncated" })
      .getByRole("button", { name: /Show tensor a.weight/ })
      .click();
    await expect(page.locator("gguf-tensor-table .row.active")).toContainText("a.weight");
    await expect(page.locator("gguf-tensor-table .detail")).toBeVisible();
  });

  test("follow what is edited, and nothing wrong is said, too", async ({ page, app }) => {
    await edit(
      page,
      app,
      ggufBytes([
        ["general.architecture", text("llama")],
        ["llama.context_length", uint32(8)],
      ]),
    );
    await expect(tab(page)).toHaveAccessibleName(/No problems found/);
    const detail = await entry(page, "general.architecture");
    await page.getByRole("combobox", { name: "Type of general.architecture" }).selectOption("UINT32");
    await expect(detail.getByRole("alert")).toBeVisible();
    await detail.getByRole("button", { name: "Replace with an empty UINT32" }).click();
    await expect(tab(page).locator(".badge")).toBeVisible();
    await tab(page).click();
    await expect(page.locator("gguf-checks")).toContainText("Of the file as it will be.");
    await bar(page).getByRole("button", { name: "Save…" }).click();
    await expect(page.getByRole("dialog").locator(".notice")).toBeVisible();
    await page.keyboard.press("Escape");
    await bar(page).getByRole("button", { name: "Undo" }).click();
    await expect(page.locator("gguf-checks")).toContainText("No problems found");
  });
});

test.describe("files of other hosts", () => {
  const model = () =>
    ggufBytes(
      [["general.name", text("Remote")]],
      [{ name: "a.weight", dimensions: [65_536], type: 0, bytes: 262_144 }],
    );
  const edited = () =>
    ggufBytes(
      [["general.name", text("Local copy")]],
      [{ name: "a.weight", dimensions: [65_536], type: 0, bytes: 262_144 }],
    );

  async function changeName(page: Page, url: string, origin: string): Promise<void> {
    await page.goto(`${origin}/#url=${encodeURIComponent(url)}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const field = (await entry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
    await field.fill("Local copy");
    await field.press("Enter");
    await page.getByRole("button", { name: "Save…" }).click();
  }

  test("are saved as an edited copy, straight to the disk", async ({ page, app }) => {
    await page.addInitScript(() => {
      Object.assign(window, {
        showSaveFilePicker: async ({ suggestedName = "" }) =>
          (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
      });
    });
    await changeName(page, app.file("/edit/remote.gguf", model()), app.origin);
    const box = page.getByRole("dialog");
    await box.getByRole("button", { name: "Save an edited copy…" }).click();
    await box.getByRole("button", { name: "Open the new file" }).click();
    await expectOpen(page, "remote-edited.gguf");
    await expect(page.getByRole("heading", { name: "Local copy" })).toBeVisible();
    const stored = await page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      const file = await (await folder.getFileHandle("remote-edited.gguf")).getFile();
      return [...new Uint8Array(await file.arrayBuffer())];
    });
    expect(Buffer.from(stored).equals(edited())).toBe(true);
  });

  test("are collected where the browser cannot ask where to, or give their header alone", async ({ page, app }) => {
    await page.addInitScript(() => {
      Object.assign(window, { showSaveFilePicker: undefined });
    });
    await changeName(page, app.file("/edit/collected.gguf", model()), app.origin);
    const box = page.getByRole("dialog");
    const header = page.waitForEvent("download");
    await box.getByRole("button", { name: "Download the edited header" }).click();
    const head = Buffer.from(await bytesOf(await header));
    expect(edited().length).toBeGreaterThan(head.length);
    expect(Buffer.from(edited()).subarray(0, head.length).equals(head)).toBe(true);
    await expect(box).toContainText("the tensors’ data is not in it");
    await box.getByRole("button", { name: "Go on with the original" }).click();
    await page.getByRole("button", { name: "Save…" }).click();
    const whole = page.waitForEvent("download");
    await box.getByRole("button", { name: "Download", exact: true }).click();
    expect(Buffer.from(await bytesOf(await whole)).equals(edited())).toBe(true);
  });
});

test.describe("files opened through the picker", () => {
  /** Has the pickers of the page give files of its own file system: real handles, without a window of the system's. */
  async function pickers(page: Page, data: Uint8Array): Promise<void> {
    await page.addInitScript(
      ({ bytes }) => {
        const folder = navigator.storage.getDirectory();
        const file = (name: string) => folder.then((own) => own.getFileHandle(name, { create: true }));
        const ready = (async () => {
          const handle = await file("picked.gguf");
          if ((await handle.getFile()).size === 0) {
            const writable = await handle.createWritable();
            await writable.write(Uint8Array.from(bytes));
            await writable.close();
          }
          return handle;
        })();
        const create = FileSystemFileHandle.prototype.createWritable;
        FileSystemFileHandle.prototype.createWritable = async function (options) {
          const real = await create.call(this, options);
          const own = window as unknown as { disk?: "full" | "busy" | "busy at last"; waiting?: boolean };
          const { disk } = own;
          if (disk === undefined) return real;
          /** Waits until the disk is no longer what it was. */
          const free = async () => {
            own.waiting = true;
            while (own.disk === disk) await new Promise((resolve) => setTimeout(resolve, 20));
            own.waiting = false;
          };
          const writable = new WritableStream<FileSystemWriteChunkType>({
            async write(chunk) {
              if (disk === "full") throw new DOMException("The disk is full", "QuotaExceededError");
              if (disk === "busy") await free();
              await real.write(chunk);
            },
            async close() {
              if (disk === "busy at last") await free();
              await real.close();
            },
            abort: (reason) => real.abort(reason),
          });
          return writable as FileSystemWritableFileStream;
        };
        Object.assign(window, {
          showOpenFilePicker: async () => [await ready],
          showSaveFilePicker: async ({ suggestedName = "" }) => file(suggestedName),
          stored: async (name: string) => [...new Uint8Array(await (await (await file(name)).getFile()).arrayBuffer())],
        });
      },
      { bytes: [...data] },
    );
  }

  const stored = async (page: Page, name: string) =>
    Buffer.from(
      await page.evaluate(
        (name) => (window as unknown as { stored(name: string): Promise<number[]> }).stored(name),
        name,
      ),
    );

  async function open(page: Page, origin: string): Promise<void> {
    await page.goto(origin);
    await page.getByRole("button", { name: "Choose a file" }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
  }

  const model = () =>
    ggufBytes(
      [
        ["general.architecture", text("llama")],
        ["general.name", text("Picked")],
        ["tokenizer.chat_template", text(TEMPLATE)],
      ],
      [{ name: "a.weight", dimensions: [32], type: 0, bytes: 128 }],
    );

  const edited = (name: string, template: string) =>
    ggufBytes(
      [
        ["general.architecture", text("llama")],
        ["general.name", text(name)],
        ["tokenizer.chat_template", text(template)],
      ],
      [{ name: "a.weight", dimensions: [32], type: 0, bytes: 128 }],
    );

  async function change(page: Page, name: string, template: string): Promise<void> {
    const first = (await entry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
    await first.fill(name);
    await first.press("Enter");
    await rowOf(page, "general.name").first().click();
    const second = (await entry(page, "chat_template")).getByRole("textbox", { name: /Value of/ });
    await second.fill(template);
    await second.press("Control+Enter");
    await rowOf(page, "chat_template").first().click();
  }

  test("are saved in place, and opened again", async ({ page, app }) => {
    await pickers(page, model());
    await open(page, app.origin);
    // As long as before: the file changes only where the texts are.
    await change(page, "Nicked", TEMPLATE.replace("messages", "Messages"));
    await page.keyboard.press("Control+s");
    const box = page.getByRole("dialog");
    await expect(box).toContainText("2 changes");
    await expect(box).toContainText(/bytes of .* change, in .* places?; the tensors’ data stays where it is/);
    await box.getByRole("button", { name: "Save", exact: true }).click();
    await expect(box).toBeHidden();
    await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
    await expect(page.getByRole("heading", { name: "Nicked" })).toBeVisible();
    await expect(page.getByRole("treegrid", { name: "Metadata" })).toBeFocused();
    expect((await stored(page, "picked.gguf")).equals(edited("Nicked", TEMPLATE.replace("messages", "Messages")))).toBe(
      true,
    );
    // And once more, now with another length.
    await change(page, "A longer name", "short");
    await bar(page).getByRole("button", { name: "Save…" }).click();
    await expect(box).toContainText("A new file of");
    await box.getByRole("button", { name: "Save", exact: true }).click();
    await expect(box).toBeHidden();
    await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
    await expect(page.getByRole("heading", { name: "A longer name" })).toBeVisible();
    expect((await stored(page, "picked.gguf")).equals(edited("A longer name", "short"))).toBe(true);
    await page.reload();
    await page.getByRole("button", { name: "Choose a file" }).click();
    await expect(page.getByRole("heading", { name: "A longer name" })).toBeVisible();
  });

  test("are saved as another file, which is opened then", async ({ page, app }) => {
    await pickers(page, model());
    await open(page, app.origin);
    await change(page, "Copy", "other");
    await bar(page).getByRole("button", { name: "Save…" }).click();
    const box = page.getByRole("dialog");
    await box.getByRole("button", { name: "Save as…" }).click();
    await expect(box).toContainText("Saved");
    await box.getByRole("button", { name: "Open the new file" }).click();
    await expectOpen(page, "picked-edited.gguf");
    await expect(page.getByRole("heading", { name: "Copy" })).toBeVisible();
    await expect(page).toHaveURL(/picked-edited\.gguf/);
    expect((await stored(page, "picked-edited.gguf")).equals(edited("Copy", "other"))).toBe(true);
    expect((await stored(page, "picked.gguf")).equals(model())).toBe(true);
  });

  test("stay as they are when saving fails or is given up, and the page says so", async ({ page, app }) => {
    await pickers(page, model());
    await open(page, app.origin);
    await change(page, "Nicked", "other");
    const disk = (state: "full" | "busy" | "busy at last" | undefined) =>
      page.evaluate((state) => void Object.assign(window, { disk: state }), state);
    const waiting = () => page.waitForFunction(() => (window as unknown as { waiting?: boolean }).waiting);
    const box = page.getByRole("dialog");
    await disk("full");
    await bar(page).getByRole("button", { name: "Save…" }).click();
    await box.getByRole("button", { name: "Save", exact: true }).click();
    await expect(box).toContainText("The file could not be written");
    await expect(box).toContainText("The file is as it was");
    expect((await stored(page, "picked.gguf")).equals(model())).toBe(true);
    await disk("busy");
    await box.getByRole("button", { name: "Back" }).click();
    await box.getByRole("button", { name: "Save", exact: true }).click();
    await waiting();
    await box.getByRole("button", { name: "Cancel" }).click();
    await expect(box).toContainText("Cancelling…");
    await disk(undefined);
    await expect(box).toContainText("Cancelled");
    await expect(box).toContainText("The file is as it was");
    expect((await stored(page, "picked.gguf")).equals(model())).toBe(true);
    // While the file is being closed it is too late, and then it is saved.
    await disk("busy at last");
    await box.getByRole("button", { name: "Back" }).click();
    await box.getByRole("button", { name: "Save", exact: true }).click();
    await waiting();
    await box.getByRole("button", { name: "Cancel" }).click();
    await expect(box).toContainText("Cancelling…");
    await disk(undefined);
    await expect(box).toBeHidden();
    await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
    expect((await stored(page, "picked.gguf")).equals(edited("Nicked", "other"))).toBe(true);
  });

  /** What the browser says when a page wants to write to a file. */
  const permission = (page: Page, state: PermissionState) =>
    page.evaluate((state) => {
      FileSystemHandle.prototype.requestPermission = () => Promise.resolve(state);
    }, state);

  for (const state of ["denied", "prompt"] as const) {
    test(`stay as they are where writing is not allowed: ${state}`, async ({ page, app }) => {
      await pickers(page, model());
      await open(page, app.origin);
      await change(page, "Nicked", "other");
      await permission(page, state);
      await bar(page).getByRole("button", { name: "Save…" }).click();
      const box = page.getByRole("dialog");
      await box.getByRole("button", { name: "Save", exact: true }).click();
      await expect(box.getByRole("heading")).toHaveText("This page may not write to the file");
      await expect(box.getByRole("alert")).toContainText("The file is as it was");
      await expect(box).not.toContainText("free space");
      expect((await stored(page, "picked.gguf")).equals(model())).toBe(true);
      await expect(page).toHaveTitle(/^• Nicked/);
      await permission(page, "granted");
      await expect(box.getByRole("button", { name: "Back" })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(box.getByRole("button", { name: "Save", exact: true })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(box).toBeHidden();
      await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
      expect((await stored(page, "picked.gguf")).equals(edited("Nicked", "other"))).toBe(true);
    });
  }

  test("may be saved as another after all, or not, where the picker is left or refuses", async ({ page, app }) => {
    await pickers(page, model());
    await open(page, app.origin);
    await change(page, "Nicked", "other");
    const picker = (name: string) =>
      page.evaluate((name) => {
        Object.assign(window, { showSaveFilePicker: () => Promise.reject(new DOMException("no", name)) });
      }, name);
    await picker("AbortError");
    await bar(page).getByRole("button", { name: "Save…" }).click();
    const box = page.getByRole("dialog");
    await box.getByRole("button", { name: "Save as…" }).click();
    await expect(box.getByRole("heading", { level: 2 })).toHaveText("Save picked.gguf");
    await picker("SecurityError");
    await box.getByRole("button", { name: "Save as…" }).click();
    await expect(box.getByRole("heading")).toHaveText("This page may not write to the file");
    await expect(box).toContainText("The original is as it was");
    await page.keyboard.press("Escape");
    await expect(box).toBeHidden();
    await expect(bar(page)).toContainText("2 changes");
  });

  test("that are dropped are saved in place, too", async ({ page, app }) => {
    await pickers(page, model());
    await page.goto(app.origin);
    await page.evaluate(async () => {
      const { showOpenFilePicker } = window as unknown as { showOpenFilePicker(): Promise<FileSystemFileHandle[]> };
      const [handle] = await showOpenFilePicker();
      if (!handle) throw new Error("no file");
      const file = await handle.getFile();
      // What is dropped by a program has no handle: it gets that of the file.
      Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle: () => Promise.resolve(handle) });
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(file);
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }),
      );
    });
    await expectOpen(page, "picked.gguf");
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await change(page, "Dropped", "other");
    await page.keyboard.press("Control+s");
    const box = page.getByRole("dialog");
    await box.getByRole("button", { name: "Save", exact: true }).click();
    await expect(box).toBeHidden();
    await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
    expect((await stored(page, "picked.gguf")).equals(edited("Dropped", "other"))).toBe(true);
  });

  test("that are dropped and gone at once are told so", async ({ page, app }) => {
    await page.goto(app.origin);
    await page.evaluate(() => {
      const gone = Object.assign(Object.create(FileSystemFileHandle.prototype) as object, {
        getFile: () => Promise.reject(new DOMException("gone", "NotFoundError")),
      });
      Object.defineProperty(gone, "kind", { value: "file" });
      Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle: () => Promise.resolve(gone) });
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["no model"], "gone.gguf"));
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }),
      );
    });
    await expect(page.locator("gguf-error-panel")).toContainText("gone.gguf");
  });
});

test.describe("a file that cannot be written anew", () => {
  const cut = () =>
    ggufBytes(
      [
        ["general.architecture", text("llama")],
        ["general.name", text("First")],
      ],
      [{ name: "a.weight", dimensions: [32], type: 0, bytes: 128 }],
    ).subarray(0, -64);
  const notice = (page: Page) => page.locator("[role=status] .obstacle");
  const labels = (page: Page) => page.locator("gguf-summary .figures dt").allTextContents();

  test("because it is cut off says so before anything is edited, and when it is", async ({ page, app }) => {
    await edit(page, app, cut());
    await expect(notice(page)).toContainText("This file is cut off: nothing that is changed in it can be saved.");
    const [before, headerSize] = [await labels(page), await factOf(page, "Header size").textContent()];
    const detail = await entry(page, "general.name");
    await detail.getByRole("textbox", { name: "Value of general.name" }).fill("Other");
    await page.keyboard.press("Enter");
    await expect(factOf(page, "File size")).toContainText("not known");
    await expect(factOf(page, "File size")).toContainText(/was \d+ bytes/);
    expect(await labels(page)).toEqual(before);
    // As long as the name before.
    await expect(factOf(page, "Header size")).toHaveText(headerSize ?? "");
    await detail.getByRole("textbox", { name: "Value of general.name" }).fill("Another name");
    await page.keyboard.press("Enter");
    const longer = `${Number.parseInt(headerSize ?? "") + "Another name".length - "First".length} bytes`;
    await expect(factOf(page, "Header size")).toContainText(longer);
    await expect(factOf(page, "Data offset")).not.toContainText("not known");
    await page.getByRole("button", { name: "Discard all" }).click();
    await expect(factOf(page, "File size")).not.toContainText("not known");
    await expect(notice(page)).toContainText("This file is cut off");
    await page.getByRole("button", { name: "Stop editing" }).click();
    await expect(notice(page)).toHaveCount(0);
  });

  test("as it is now says so at once, and takes it back", async ({ page, app }) => {
    await edit(page, app, ggufBytes([["a", text("b")]], [{ name: "t", dimensions: [32], type: 9999, bytes: 32 }]));
    await expect(notice(page)).toHaveCount(0);
    await page.getByRole("button", { name: "File…" }).click();
    await page.getByRole("dialog").getByLabel("Byte order").selectOption("big-endian");
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await expect(notice(page)).toContainText("As it is now, this cannot be saved.");
    await expect(notice(page)).toContainText("no tool says what it looks like in the other byte order");
    await bar(page).getByRole("button", { name: "Undo" }).click();
    await expect(notice(page)).toHaveCount(0);
  });
});
