import { expect, test } from "../support/fixtures.ts";
import { bar, changes, downloadEdited, startEditing, openEntry } from "../support/editing.ts";
import { rowOf } from "../support/metadata-table.ts";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";

test("a name is changed; the change is listed, undone, redone and downloaded", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  const detail = await openEntry(page, "general.name");
  await detail.getByRole("textbox", { name: "Value of general.name" }).fill("Another name");
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "general.name")).toContainText("Changed");
  await expect(rowOf(page, "general.name")).toContainText("Another name");
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(1);
  await expect(changes(page)).toContainText("Tiny Test");
  await expect(changes(page)).toContainText("Another name");
  await page.locator("gguf-changes .where").click();
  await expect(page.getByRole("tab", { name: /Metadata/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Control+z");
  await expect(rowOf(page, "general.name")).not.toContainText("Changed");
  await expect(bar(page).getByRole("button", { name: "Undo" })).toBeDisabled();
  await page.keyboard.press("Control+Shift+Z");
  await expect(rowOf(page, "general.name")).toContainText("Another name");
  const expected = smallModelWith("Another name");
  expect(Buffer.from(await downloadEdited(page)).equals(expected)).toBe(true);
  await expect(page.getByRole("dialog")).toContainText("model-edited.gguf");
});

/** The small model with another name. */
function smallModelWith(name: string): Buffer {
  const model = Buffer.from(smallModel());
  // The name has 9 bytes. The data begins after the header, at a multiple of 32.
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

/** The end of the last tensor info of the small model. */
function headerEnd(model: Buffer): number {
  const last = Buffer.from("output_norm.weight");
  return model.indexOf(last) + last.length + 4 + 8 + 4 + 8;
}

function dataOffset(model: Buffer): number {
  return Math.ceil(headerEnd(model) / 32) * 32;
}

test("a chat template keeps its line breaks, of either kind", async ({ page, app }) => {
  const template = "a {{ b }}  \r\n\tc\r\n";
  await startEditing(page, app, ggufBytes([["tokenizer.chat_template", text(template)]]));
  const detail = await openEntry(page, "chat_template");
  const field = detail.getByRole("textbox", { name: /Value of/ });
  await expect(field).toHaveValue("a {{ b }}  \n\tc\n");
  await expect(detail.getByLabel("Line breaks")).toHaveValue("crlf");
  await detail.getByRole("button", { name: "Wrap lines" }).click();
  await expect(detail.getByRole("button", { name: "Wrap lines" })).toHaveAttribute("aria-pressed", "false");
  await field.press("Control+End");
  await field.pressSequentially("d");
  await field.press("Control+Enter");
  const saved = await downloadEdited(page);
  expect(Buffer.from(saved).equals(ggufBytes([["tokenizer.chat_template", text(`${template}d`)]]))).toBe(true);
});

test("invisible characters are escaped in the field, and preserved", async ({ page, app }) => {
  await startEditing(page, app, ggufBytes([["a.text", text("x\0y\rz\\\n\u200b")]]));
  const field = (await openEntry(page, "a.text")).getByRole("textbox", { name: /Value of/ });
  await expect(field).toHaveValue("x\\0y\\rz\\\\\n\\u{200b}");
  await field.fill("x\\0y\\q");
  await expect(page.getByText("\\q is not a valid escape")).toBeVisible();
  await field.fill("x\\0y\\rz\\\\\n\\u{200b}!");
  await field.press("Control+Enter");
  expect(Buffer.from(await downloadEdited(page)).equals(ggufBytes([["a.text", text("x\0y\rz\\\n\u200b!")]]))).toBe(
    true,
  );
});

test("numbers are compared with the range of their type while they are typed", async ({ page, app }) => {
  await startEditing(
    page,
    app,
    ggufBytes([
      ["n.u32", uint32(7)],
      ["n.u64", { type: "uint64", value: 2n ** 64n - 1n }],
      ["n.f32", { type: "float32", value: 0.1 }],
      ["n.bool", { type: "bool", value: false }],
    ]),
  );
  const u32 = (await openEntry(page, "n.u32")).getByRole("textbox", { name: /Value of/ });
  await u32.fill("4294967296");
  await expect(
    page.getByRole("alert").filter({ hasText: "This number is too large for UINT32, which holds 0 to 4,294,967,295." }),
  ).toBeVisible();
  await expect(u32).toHaveAttribute("aria-invalid", "true");
  await u32.press("Enter");
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  await u32.press("Escape");
  await expect(u32).toHaveValue("7");
  await u32.fill("0x10");
  await u32.press("Enter");
  await expect(rowOf(page, "n.u32").locator(".value")).toContainText("16");
  await rowOf(page, "n.u32").click();
  const u64 = (await openEntry(page, "n.u64")).getByRole("textbox", { name: /Value of/ });
  await expect(u64).toHaveValue("18446744073709551615");
  await u64.fill("18446744073709551614");
  await u64.press("Enter");
  await expect(rowOf(page, "n.u64").locator(".value")).toContainText("18446744073709551614");
  await rowOf(page, "n.u64").click();
  const f32 = (await openEntry(page, "n.f32")).getByRole("textbox", { name: /Value of/ });
  await expect(f32).toHaveValue("0.1");
  await f32.fill("1e39");
  await expect(page.getByText("This number is too large for FLOAT32")).toBeVisible();
  await f32.fill("-Infinity");
  await f32.press("Enter");
  await expect(rowOf(page, "n.f32").locator(".value")).toContainText("-Infinity");
  await rowOf(page, "n.f32").click();
  await (await openEntry(page, "n.bool")).getByRole("switch").click();
  await expect(rowOf(page, "n.bool").locator(".value")).toContainText("true");
  const saved = await downloadEdited(page);
  const expected = ggufBytes([
    ["n.u32", uint32(16)],
    ["n.u64", { type: "uint64", value: 2n ** 64n - 2n }],
    ["n.f32", { type: "float32", value: -Infinity }],
    ["n.bool", { type: "bool", value: true }],
  ]);
  expect(Buffer.from(saved).equals(expected)).toBe(true);
});

test("a string that is not UTF-8 is preserved until it is replaced", async ({ page, app }) => {
  const broken = Uint8Array.of(0x61, 0xff, 0x62);
  await startEditing(
    page,
    app,
    ggufBytes([
      ["a.broken", text(broken)],
      ["a.name", text("x")],
    ]),
  );
  const detail = await openEntry(page, "a.broken");
  await expect(detail).toContainText("These bytes are not valid UTF-8.");
  const field = detail.getByRole("textbox", { name: /hexadecimal/ });
  await expect(field).toHaveValue("61 ff 62");
  await field.fill("61 f");
  await expect(page.getByText("The last byte has only one digit.")).toBeVisible();
  await field.fill("61 fe 62");
  await field.press("Control+Enter");
  await expect(field).toHaveValue("61 fe 62");
  const saved = await downloadEdited(page);
  expect(
    Buffer.from(saved).equals(
      ggufBytes([
        ["a.broken", text(Uint8Array.of(0x61, 0xfe, 0x62))],
        ["a.name", text("x")],
      ]),
    ),
  ).toBe(true);
});
