import type { Locator, Page } from "@playwright/test";
import { expect, openFile, test } from "../support/fixtures.ts";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";

const table = "gguf-metadata-table";
const rowOf = (page: Page, key: string) => page.locator(`${table} .row`, { hasText: key }).first();
const bar = (page: Page) => page.getByRole("toolbar", { name: "Editing" });
const typeOf = (page: Page, key: string) => page.getByRole("combobox", { name: `Type of ${key}` });
const valueOf = (page: Page, key: string) => page.getByRole("textbox", { name: `Value of ${key}` });
const changes = (page: Page) => page.locator("gguf-changes li");

async function edit(page: Page, app: Parameters<typeof openFile>[1], data: Uint8Array): Promise<void> {
  await openFile(page, app, data);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(bar(page)).toBeVisible();
}

async function set(page: Page, key: string, value: string): Promise<void> {
  await rowOf(page, key).click();
  await valueOf(page, key).fill(value);
  await valueOf(page, key).press("Control+Enter");
  await rowOf(page, key).click();
}

test.describe("the type menu of an entry", () => {
  const KEY = "llama.context_length";

  test("shows the entry's type after a refusal, Undo and Discard, and the same type can be chosen again", async ({
    page,
    app,
  }) => {
    await edit(page, app, smallModel());
    await rowOf(page, KEY).click();
    const type = typeOf(page, KEY);
    await type.selectOption("UINT8");
    await expect(page.locator("gguf-edit-entry").getByRole("alert")).toBeVisible();
    await expect(type).toHaveValue("UINT32");
    for (const takeBack of ["Undo", "Discard all"]) {
      await type.selectOption("UINT64");
      await expect(rowOf(page, KEY)).toContainText("UINT64");
      await bar(page).getByRole("button", { name: takeBack }).click();
      await expect(rowOf(page, KEY)).toContainText("UINT32");
      await expect(type).toHaveValue("UINT32");
    }
  });

  test("keeps the text of a float, and makes the same float of it", async ({ page, app }) => {
    await edit(page, app, ggufBytes([["f", { type: "float32", value: 0.1 }]]));
    await rowOf(page, "f").click();
    await typeOf(page, "f").selectOption("STRING");
    await expect(valueOf(page, "f")).toHaveValue("0.1");
    await typeOf(page, "f").selectOption("FLOAT32");
    await expect(rowOf(page, "f").locator(".value")).toHaveText(/0\.1$/);
    await typeOf(page, "f").selectOption("FLOAT64");
    await expect(rowOf(page, "f").locator(".value")).toContainText("0.10000000149011612");
  });
});

test.describe("what is typed", () => {
  test("goes into the field of the row that is opened, by click or key", async ({ page, app }) => {
    await edit(page, app, smallModel());
    await rowOf(page, "general.name").click();
    await expect(valueOf(page, "general.name")).toBeFocused();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" and more");
    await page.keyboard.press("Enter");
    await expect(rowOf(page, "general.name")).toContainText("Tiny Test and more");
    await expect(valueOf(page, "general.name")).toBeFocused();
    // Back to the rows, and on to the row after the next.
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(valueOf(page, "general.repo_url")).toBeFocused();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("/2");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(rowOf(page, "general.repo_url")).toContainText("https://example.com/tiny");
  });

  test("goes into the field of a tensor and of an element", async ({ page, app }) => {
    await edit(page, app, smallModel());
    await rowOf(page, "ggml.tokens").click();
    await page.locator("gguf-edit-array .row", { hasText: "tok3" }).first().click();
    await expect(page.getByRole("textbox", { name: /element 3/ })).toBeFocused();
    await page.getByRole("tab", { name: /Tensors/ }).click();
    await page.locator("gguf-tensor-table .row", { hasText: "token_embd.weight" }).first().click();
    await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  });

  test("stays when the row is scrolled out of sight and back", async ({ page, app }) => {
    const many = Array.from({ length: 300 }, (_, at): [string, ReturnType<typeof uint32>] => [`k${at}`, uint32(at)]);
    await edit(
      page,
      app,
      ggufBytes([["general.name", text("a")], ["list", { type: "strings", count: 3, at: String }], ...many]),
    );
    const scroller = page.locator(`${table} .scroller`).first();
    const away = async () => {
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect(rowOf(page, "k299")).toBeVisible();
      // The row with the focus stays in the document; without the focus it is removed.
      await page.getByRole("searchbox", { name: /^Search keys/ }).focus();
      await expect(page.locator("gguf-edit-entry")).toHaveCount(0);
      await scroller.evaluate((element) => element.scrollTo(0, 0));
    };
    await rowOf(page, "general.name").click();
    const key = page.getByRole("textbox", { name: "Key" });
    await key.fill("");
    await away();
    // An empty key is refused, and what was typed is still there.
    await expect(key).toHaveValue("");
    await key.press("Escape");
    await rowOf(page, "general.name").click();
    await rowOf(page, "list").click();
    await page.getByRole("button", { name: "Add elements" }).click();
    await page.getByLabel("New elements, one a line").fill("one\ntwo");
    await away();
    await expect(page.getByLabel("New elements, one a line")).toHaveValue("one\ntwo");
    await page.getByRole("button", { name: "Insert", exact: true }).click();
    await expect(rowOf(page, "list")).toContainText("STRING[5]");
  });
});

test.describe("the focus", () => {
  test("stays on a link in a row when a key scrolls the row away", async ({ page, app }) => {
    const urls = Array.from({ length: 400 }, (_, at): [string, ReturnType<typeof text>] => [
      `k${at}`,
      text(`https://example.com/${at}`),
    ]);
    await openFile(page, app, ggufBytes(urls));
    const link = page.getByRole("link", { name: "https://example.com/2", exact: true });
    await link.focus();
    for (let press = 0; press < 4; press += 1) await page.keyboard.press("PageDown");
    await expect(page.getByRole("link", { name: "https://example.com/60", exact: true })).toBeAttached();
    await expect(link).not.toBeInViewport();
    await expect(link).toBeFocused();
    await page.keyboard.press("End");
    await expect(page.getByRole("link", { name: "https://example.com/399", exact: true })).toBeVisible();
    await expect(link).toBeFocused();
    // Once the focus is elsewhere, the row is like all others.
    await page.getByRole("searchbox", { name: /^Search keys/ }).focus();
    await expect(link).toHaveCount(0);
  });
});

for (const edited of [false, true]) {
  test(`“Go to #” brings the element into view, ${edited ? "in edit mode" : "when reading"}`, async ({ page, app }) => {
    await page.setViewportSize({ width: 1280, height: 420 });
    await openFile(page, app, smallModel());
    if (edited) await page.getByRole("button", { name: "Edit", exact: true }).click();
    await rowOf(page, "ggml.tokens").click();
    const array: Locator = page.locator(edited ? "gguf-edit-array" : "gguf-array-view");
    const goTo = array.getByRole("spinbutton", { name: "Go to element number" });
    // The toolbar of the array is at the end of the view, and its rows are below.
    await goTo.evaluate((element) => element.scrollIntoView({ block: "end" }));
    await goTo.fill("900");
    await goTo.press("Enter");
    await expect(array.locator(".row", { hasText: "tok900" })).toBeInViewport({ ratio: 0.9 });
  });
}

test.describe("the list of changes", () => {
  const TEMPLATE = Array.from({ length: 40 }, (_, at) => `{{ line ${at} }}`);

  test("shows a chat template line by line", async ({ page, app }) => {
    await edit(page, app, ggufBytes([["tokenizer.chat_template", text(TEMPLATE.join("\n"))]]));
    const after = [...TEMPLATE];
    after[20] = "{{ <b>another</b> }}";
    await rowOf(page, "chat_template").click();
    await valueOf(page, "tokenizer.chat_template").fill(after.join("\n"));
    await valueOf(page, "tokenizer.chat_template").press("Control+Enter");
    await page.getByRole("tab", { name: /Changes/ }).click();
    const lines = changes(page).locator("gguf-line-diff p");
    await expect(lines).toHaveText([
      "17 unchanged lines",
      ...TEMPLATE.slice(17, 20),
      "−Removed: {{ line 20 }}",
      "+Added: {{ <b>another</b> }}",
      ...TEMPLATE.slice(21, 24),
      "16 unchanged lines",
    ]);
  });

  test("reverts one change and leaves the others; Undo brings the change back", async ({ page, app }) => {
    await edit(page, app, smallModel());
    await set(page, "general.name", "First");
    await set(page, "llama.context_length", "4096");
    await page.getByRole("tab", { name: /Changes/ }).click();
    await expect(changes(page)).toHaveCount(2);
    await page.getByRole("button", { name: /^Revert change 1: general\.name/ }).click();
    await expect(changes(page)).toHaveCount(1);
    await expect(changes(page)).toContainText("llama.context_length");
    // The focus is on the button that took the place of the one that is gone.
    await expect(page.getByRole("button", { name: /^Revert change 1: llama\.context_length/ })).toBeFocused();
    await page.getByRole("tab", { name: /Metadata/ }).click();
    await expect(rowOf(page, "general.name")).toContainText("Tiny Test");
    await expect(rowOf(page, "general.name")).not.toContainText("Changed");
    await expect(rowOf(page, "llama.context_length")).toContainText("Changed");
    await bar(page).getByRole("button", { name: "Undo" }).click();
    await expect(rowOf(page, "general.name")).toContainText("First");
    await bar(page).getByRole("button", { name: "Redo" }).click();
    await expect(rowOf(page, "general.name")).toContainText("Tiny Test");
  });

  test("shows a change of the type by both types, and both values only if their texts differ", async ({
    page,
    app,
  }) => {
    await edit(
      page,
      app,
      ggufBytes([
        ["own.number", uint32(1)],
        ["own.decimal", { type: "float32", value: 0.1 }],
      ]),
    );
    await rowOf(page, "own.number").click();
    await typeOf(page, "own.number").selectOption("FLOAT32");
    await expect(rowOf(page, "own.number")).toContainText("FLOAT32");
    await rowOf(page, "own.number").click();
    await rowOf(page, "own.decimal").click();
    await typeOf(page, "own.decimal").selectOption("FLOAT64");
    await page.getByRole("tab", { name: /Changes/ }).click();
    const [same, differs] = [changes(page).nth(0), changes(page).nth(1)];
    await expect(same.locator(".what")).toHaveText(/^\s*own\.number\s+Type: UINT32 → FLOAT32\s+Revert\s*$/);
    await expect(same.locator(".values")).toHaveCount(0);
    await expect(differs.locator(".what")).toHaveText(/^\s*own\.decimal\s+Type: FLOAT32 → FLOAT64\s+Revert\s*$/);
    await expect(differs.locator(".from").last()).toHaveText("Before: 0.1");
    await expect(differs.locator(".to").last()).toHaveText("After: 0.10000000149011612");
    await expect(page.getByRole("button", { name: /^Revert/ })).toHaveCount(2);
    await expect(
      page.getByRole("button", { name: "Revert change 1: own.number: Type: UINT32 → FLOAT32", exact: true }),
    ).toBeVisible();
  });

  test("says why a change cannot be reverted", async ({ page, app }) => {
    await edit(page, app, smallModel());
    await bar(page).getByRole("button", { name: "Add entry" }).click();
    const box = page.getByRole("dialog");
    await box.getByRole("combobox", { name: "Key" }).fill("own.key");
    await box.getByRole("textbox", { name: "Value" }).fill("1");
    await box.getByRole("button", { name: "Add", exact: true }).click();
    await valueOf(page, "own.key").fill("2");
    await valueOf(page, "own.key").press("Enter");
    await page.getByRole("tab", { name: /Changes/ }).click();
    await page.getByRole("button", { name: /^Revert change 1/ }).click();
    await expect(changes(page).getByRole("alert")).toHaveText(
      "Not reverted. A later change builds on it. Revert the later change first.",
    );
    await expect(changes(page)).toHaveCount(2);
  });

  test("leads to an entry that is removed, as to a tensor", async ({ page, app }) => {
    await edit(page, app, smallModel());
    await rowOf(page, "general.file_type").click();
    await page.getByRole("button", { name: "Remove general.file_type" }).click();
    await page.getByRole("tab", { name: /Changes/ }).click();
    await changes(page).getByRole("button", { name: "general.file_type", exact: true }).click();
    await expect(page.locator(`${table} .row.active`)).toContainText("general.file_type");
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(rowOf(page, "general.file_type")).not.toContainText("Removed");
    await page.getByRole("tab", { name: /Changes/ }).click();
    await expect(changes(page)).toHaveCount(0);
  });
});
