import type { Page, TestInfo } from "@playwright/test";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { beginEditing } from "../support/editing.ts";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";
import { conversation, failure, realTemplate, renderedText } from "../support/template-panel.ts";
import {
  type Entries,
  helloVocabulary,
  idsField,
  openTokenizer,
  refusal,
  shownTokens,
  textField,
} from "../support/tokenizer-panel.ts";
import { settled } from "../support/layout.ts";
import { send, type TestServer } from "../support/server.ts";

// The browser writes failed requests to the console.
test.use({ expected: /^Failed to load resource/ });

type Look = readonly [scheme: "light" | "dark", width: number, height: number];

/** A wide window and a narrow one; in a long run, each of them in both schemes. */
function looks(width: number, height: number): Look[] {
  const shown: Look[] = [
    ["light", 1440, 900],
    ["dark", width, height],
  ];
  const others: Look[] = [
    ["dark", 1440, 900],
    ["light", width, height],
  ];
  return [...shown, ...ofRun([], others)];
}

for (const [scheme, width, height] of looks(400, 800)) {
  test(`${scheme}, ${width} px`, async ({ page, app }, info) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    const screenshot = (name: string) => checkLook(page, info, name);
    await page.goto(app.origin);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await screenshot("landing");
    await openUrl(page, app, "sample.gguf");
    await expectOpen(page, "sample.gguf");
    await screenshot("summary");
    await page.getByRole("tab", { name: /Metadata/ }).click();
    await page.locator("gguf-metadata-table .row:not(.section)").nth(2).click();
    await expect(page.locator("gguf-metadata-table .detail")).toBeVisible();
    await screenshot("metadata");
    await page.getByRole("tab", { name: /Tensors/ }).click();
    await page.getByRole("button", { name: "Group by block" }).click();
    await page.locator("gguf-tensor-table .row:not(.group)").first().click();
    await expect(page.locator("gguf-tensor-table .detail")).toBeVisible();
    await screenshot("tensors");
    // On a narrow screen the details are over the list.
    await page.getByRole("button", { name: /^(?:Close the details|Back to the list)$/ }).click();
    await expect(page.locator("gguf-tensor-table .detail")).toHaveCount(0);
    await page.getByRole("tab", { name: /Memory/ }).click();
    await expect(page.locator("gguf-memory-panel .parts")).toBeVisible();
    await screenshot("memory");
    await openUrl(page, app, "sample.gguf", "&tensor=blk.0.attn_q.weight");
    await expect(page.locator("gguf-heat-map canvas")).toBeVisible();
    await expect(page.locator("gguf-value-table table")).toHaveAttribute("aria-busy", "false");
    await screenshot("heat map");
    await page.locator("gguf-histogram").scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Logarithmic counts" }).click();
    await screenshot("histogram");
    await page.locator("gguf-value-table form").scrollIntoViewIfNeeded();
    await screenshot("values");
    await page.locator("gguf-tensor-strip").scrollIntoViewIfNeeded();
    await expect(page.locator("gguf-thumbnail canvas").first()).toBeVisible();
    await page.waitForTimeout(500);
    await screenshot("strip");
    if (width === 400) await page.getByRole("button", { name: /: open another address$/ }).click();
    await page.getByRole("button", { name: "Access token" }).click();
    await expect(page.locator("gguf-token-form")).toBeVisible();
    await screenshot("token");
    await openUrl(
      page,
      app,
      app.on("/looks/gated.gguf", (_request, response) => send(response, 401, "", "text/plain")),
    );
    await page.getByRole("textbox", { name: "Access token" }).fill("hf_wrong");
    await page.getByRole("button", { name: "Use token" }).click();
    await expect(page.getByText("Access token refused by")).toBeVisible();
    await screenshot("gated");
    await openUrl(page, app, slow(app));
    await expect(page.locator("gguf-progress .words")).toContainText("of about");
    await page.getByRole("button", { name: "Pause" }).click();
    await screenshot("paused");
    for (const name of ["one", "another model with a name that is longer than its line has room for, as some are"]) {
      await openUrl(page, app, app.file(`/looks/${name}.gguf`, smallModel()));
      await expectOpen(page, `${name}.gguf`);
    }
    await page.getByRole("link", { name: "GGUF viewer" }).click();
    await page.getByRole("button", { name: /^Access token/ }).click();
    await expect(page.locator("gguf-token-form")).toBeVisible();
    await screenshot("recent");
    await openUrl(page, app, "ftp://example.com/x.gguf");
    await expect(page.getByRole("heading", { name: "This address cannot be opened" })).toBeVisible();
    await screenshot("error");
  });
}

for (const [scheme, width, height] of looks(360, 740)) {
  test(`editing: ${scheme}, ${width} px`, async ({ page, app }, info) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    const screenshot = async (name: string) => {
      await checkLook(page, info, name);
      expect(await cutOff(page), `${name} has tabs or buttons that are cut off`).toEqual([]);
    };
    const row = (key: string) => page.locator("gguf-metadata-table .row", { hasText: key }).first();
    const act = async (name: string) => {
      if (width === 360) await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole(width === 360 ? "menuitem" : "button", { name }).click();
    };
    await openFile(page, app, flawedModel());
    await page.getByRole("tab", { name: /Checks/ }).click();
    await screenshot("checks");
    await page.getByRole("tab", { name: /Metadata/ }).click();
    await beginEditing(page);
    await row("chat_template").click();
    await expect(page.locator("gguf-edit-text textarea")).toBeVisible();
    await screenshot("template");
    await page.locator("gguf-edit-text textarea").fill("{{ a }}\n{{ b }}");
    await page.keyboard.press("Control+Enter");
    await row("chat_template").click();
    await row("context_length").click();
    await page.getByRole("textbox", { name: /Value of llama.context_length/ }).fill("-1");
    await screenshot("number");
    await page.keyboard.press("Escape");
    await row("context_length").click();
    await row("file_type").click();
    await page.getByRole("button", { name: "Remove general.file_type" }).click();
    await screenshot("removed");
    await row("file_type").click();
    await row("ggml.tokens").click();
    await page.locator("gguf-edit-array .row").nth(3).click();
    await page.getByRole("textbox", { name: /element 3/ }).fill("<|x|>");
    await page.keyboard.press("Enter");
    await screenshot("array");
    await page.getByRole("button", { name: "Add elements" }).click();
    await screenshot("insert");
    await page.getByRole("button", { name: "Cancel" }).click();
    await row("ggml.tokens").click();
    await row("a.broken").click();
    await screenshot("bytes");
    await act("Add entry");
    await page.getByRole("combobox", { name: "Key" }).fill("general.name");
    await screenshot("add");
    await page.keyboard.press("Escape");
    await act("File…");
    await screenshot("file");
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: /Tensors/ }).click();
    await page.locator("gguf-tensor-table .row").first().click();
    await screenshot("tensor");
    await page.getByRole("tab", { name: /Changes/ }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await screenshot("changes");
    await page.getByRole("button", { name: "Save…" }).click();
    await screenshot("save");
    await page.getByRole("button", { name: "Continue editing" }).click();
    await page.getByRole("button", { name: "Stop editing" }).click();
    await screenshot("ask");
  });
}

for (const [scheme, width, height] of looks(400, 800)) {
  test(`tokenizer and chat template: ${scheme}, ${width} px`, async ({ page, app }, info) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    const screenshot = (name: string) => checkLook(page, info, name);
    const template = (source: string): Entries => [["tokenizer.chat_template", text(source)]];
    await openTokenizer(page, app, helloVocabulary({}, template(realTemplate("qwen3"))));
    await textField(page).fill(`hi<end> hi🦙 ${"hi".repeat(40)}`);
    await expect(shownTokens(page).first()).toBeVisible();
    await screenshot("tokenizer");
    await page.locator("gguf-token-table").scrollIntoViewIfNeeded();
    await page.locator("gguf-token-table .row").nth(3).click();
    await expect(page.locator("gguf-token-table .detail")).toBeVisible();
    await screenshot("tokens");
    await idsField(page).fill("3 99");
    await expect(page.locator("gguf-tokenizer").getByRole("alert")).toBeVisible();
    await screenshot("wrong ids");
    await page.getByRole("tab", { name: "Chat template", exact: true }).click();
    await conversation(page).selectOption("Tool result");
    await expect(renderedText(page)).toContainText("get_temperature");
    await screenshot("chat template");
    await conversation(page).selectOption("Own messages");
    await page.getByText("Values that the template tests").click();
    await renderedText(page).scrollIntoViewIfNeeded();
    await screenshot("own messages");
    await openTokenizer(
      page,
      app,
      helloVocabulary({ "tokenizer.ggml.model": text("rwkv") }, template("{% if messages %}\n{{ never.closed }}")),
    );
    await expect(refusal(page)).toBeVisible();
    await screenshot("unsupported tokenizer");
    await page.getByRole("tab", { name: "Chat template", exact: true }).click();
    await expect(failure(page)).toBeVisible();
    await screenshot("broken template");
    await openTokenizer(page, app, helloVocabulary({ "tokenizer.ggml.tokens": undefined }));
    await screenshot("no vocabulary");
    await page.getByRole("tab", { name: "Chat template", exact: true }).click();
    await screenshot("no template");
  });
}

/** The small model with problems that the checks find. */
function flawedModel(): Uint8Array {
  return ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.name", text("Tiny Test")],
      ["general.file_type", uint32(15)],
      ["llama.context_length", uint32(8192)],
      ["llama.context_length", uint32(4096)],
      ["a.broken", text(Uint8Array.of(0x61, 0xff, 0x62))],
      ["tokenizer.ggml.tokens", { type: "strings", count: 1000, at: (i) => `tok${i}` }],
      ["tokenizer.chat_template", text("{% for message in messages %}\n{{ message.content }}\n{% endfor %}")],
    ],
    [
      { name: "token_embd.weight", dimensions: [256, 1000], type: 8, bytes: 272_000 },
      { name: "a.tensor.of.a.type.that.nobody.knows", dimensions: [256], type: 137, bytes: 1024 },
    ],
  );
}

/** A response with the first bytes of a header that never ends. */
function slow(app: TestServer): string {
  return app.on("/appearance/slow.gguf", (_request, response) => {
    response.writeHead(206, { "content-length": 393_216, "content-range": "bytes 0-393215/400000" });
    response.write(smallModel().subarray(0, 9000));
  });
}

/** Takes a screenshot, and asserts what a program can check of it. */
async function checkLook(page: Page, info: TestInfo, name: string): Promise<void> {
  await settled(page);
  // Pictures for people take time, so only a long run takes them.
  if (ofRun(false, true)) await page.screenshot({ path: info.outputPath(`${name}.png`), animations: "disabled" });
  expect(await scrollsHorizontally(page), `${name} scrolls horizontally`).toBe(false);
  expect(await lowContrastText(page), `${name} has text with too little contrast`).toEqual([]);
  expect(await controlsWithoutName(page), `${name} has controls without a name`).toEqual([]);
}

function scrollsHorizontally(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

/** Visible elements with text whose contrast to the background is too low (WCAG AA), in all shadow trees. */
function lowContrastText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    if (!canvas) return ["no canvas"];
    const rgba = (colour: string) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return { r, g, b, a: a / 255 };
    };
    const luminance = ({ r, g, b }: { r: number; g: number; b: number }) => {
      const [x, y, z] = [r, g, b].map((c) =>
        c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * (x ?? 0) + 0.7152 * (y ?? 0) + 0.0722 * (z ?? 0);
    };
    const parent = (element: Element) =>
      element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null;
    const backgroundOf = (element: Element) => {
      for (let at: Element | null = element; at; at = parent(at)) {
        const colour = rgba(getComputedStyle(at).backgroundColor);
        // A transparent tint of a few per cent is ignored; the surface below it counts.
        if (colour.a > 0.5) return colour;
      }
      return rgba("white");
    };
    const found: string[] = [];
    const walk = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
        if (!own || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (element.closest(".sr, style, script, noscript, [aria-hidden=true], :disabled, [aria-disabled=true]"))
          continue;
        const style = getComputedStyle(element);
        const a = luminance(rgba(style.color));
        const b = luminance(backgroundOf(element));
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5)
          found.push(
            `${element.localName}.${element.className} ${contrast.toFixed(2)} ${element.textContent?.trim().slice(0, 30)}`,
          );
      }
    };
    walk(document);
    return [...new Set(found)];
  });
}

/** Buttons of the edit toolbar and selected tabs that are partly outside of their container or of the page. */
function cutOff(page: Page): Promise<string[]> {
  return page.locator("[role=tab][aria-selected=true], [role=toolbar] button").evaluateAll((elements) =>
    elements
      .filter((element) => {
        const own = element.getBoundingClientRect();
        const box = element.closest("gguf-scroll-row, [role=toolbar]")?.getBoundingClientRect() ?? own;
        return own.left < Math.max(0, box.left) || own.right > Math.min(innerWidth, box.right);
      })
      .map((element) => element.textContent?.trim().slice(0, 30) ?? ""),
  );
}

function controlsWithoutName(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walk = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        if (!element.matches("button, input, a, [role=grid], [role=treegrid], [role=progressbar]")) continue;
        if (element.closest("[aria-hidden=true]") || !element.checkVisibility()) continue;
        const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent?.trim() : undefined;
        const name = element.getAttribute("aria-label") ?? (label || element.textContent?.trim());
        if (!name) found.push(element.outerHTML.slice(0, 80));
      }
    };
    walk(document);
    return found;
  });
}
