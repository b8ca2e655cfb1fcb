import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect, expectOpen, openFile, openUrl, sampleBytes, test } from "../support/fixtures.ts";
import { beginEditing } from "../support/editing.ts";
import {
  compareWith,
  detail,
  alert as compareAlert,
  panel as comparePanel,
  openPair,
  rowOf,
  showCompare,
  showDifferences,
} from "../support/compare-panel.ts";
import {
  newType,
  panel as convertPanel,
  save as saveConverted,
  showConvert,
  whenWriting,
} from "../support/convert-panel.ts";
import { missing } from "../../package/corpus.mjs";
import { hubModel, routeHub, routeSearch } from "../support/hub.ts";
import { compute, hashPanel, showHash } from "../support/hash-panel.ts";
import {
  chooseFolder,
  model,
  openFolder,
  openOctober,
  save as saveModel,
  type,
  whenBothPlanned,
  whenPlanned,
} from "../support/model-page.ts";
import { setTextSize } from "../support/layout.ts";
import { replacePickers, setDisk } from "../support/picked-file.ts";
import { openFiles, replaceFolderPicker, shardName, shardsOf, showShards, wholeModel } from "../support/shard-files.ts";
import { flags, openTemplate, templateFile } from "../support/template-panel.ts";
import {
  helloVocabulary,
  idsField,
  openTokenizer,
  refusal,
  shownTokens,
  textField,
} from "../support/tokenizer-panel.ts";
import { ggufBytes, smallModel, text } from "../../support/gguf-bytes.mjs";
import { FORTY } from "../../support/hub-server.mjs";
import { ofRun } from "../../support/long.mjs";

type App = Parameters<typeof openFile>[1];

const tab = (page: Page, name: RegExp) => page.getByRole("tab", { name }).click();

async function opened(page: Page, app: App): Promise<void> {
  await openFile(page, app, smallModel(), "small.gguf");
  await expectOpen(page, "small.gguf");
}

async function edited(page: Page, app: App): Promise<void> {
  await opened(page, app);
  await tab(page, /Metadata/);
  await beginEditing(page);
  const row = (key: string) => page.locator("gguf-metadata-table .row", { hasText: key }).first();
  await row("chat_template").click();
  const field = page.getByRole("textbox", { name: "Value of tokenizer.chat_template" });
  await field.fill("{% for message in messages %}\nanother line\n{% endfor %}");
  await field.press("Control+Enter");
}

/** The states of the page that converts a model of the corpus. */
const MODEL_STATES: Record<string, (page: Page, app: App) => Promise<void>> = {
  "model to convert": async (page, app) => {
    await openFolder(page, app, "models/qwen3-fp8");
  },
  "model to convert that is refused": async (page, app) => {
    await chooseFolder(page, app, "hostile/arch-unknown");
    await expect(model(page).getByRole("alert")).toBeVisible();
  },
  "model to convert that is damaged": async (page, app) => {
    await chooseFolder(page, app, "hostile/header-not-json");
    await expect(model(page).getByRole("alert")).toBeVisible();
  },
  "planned conversion of a model": async (page, app) => {
    await openFolder(page, app, "models/Tiny-Llama-0.1M-Chat-v1.0");
    await type(page, "Quantized").check();
    await expect(model(page).locator("gguf-target-list")).toBeVisible();
    await whenPlanned(page);
  },
  "planned conversion of a model and its projector": async (page, app) => {
    await openOctober(page, app, "Qwen3-VL-4X-Instruct");
    await whenBothPlanned(page);
  },
  "planned conversion of a model whose projector is refused": async (page, app) => {
    await openOctober(page, app, "Qwen3-VL-4X-Instruct", (files) => delete files["preprocessor_config.json"]);
    await expect(model(page).locator(".projector-refusal")).toBeVisible();
    await whenPlanned(page);
  },
  "running conversion of a model": async (page, app) => {
    await openFolder(page, app, "models/Mixtral-4x0.1M-Instruct");
    await whenPlanned(page);
    await setDisk(page, "busy");
    await saveModel(page).click();
    await whenWriting(page);
    await expect(model(page).getByRole("progressbar", { name: "Bytes written" })).toBeVisible();
  },
};

/** The states of the page. Each function brings the page into a state. */
const STATES: Record<string, (page: Page, app: App) => Promise<void>> = {
  landing: async (page, app) => {
    await page.goto(app.origin);
    await page.evaluate(() => {
      localStorage.setItem("recent", JSON.stringify([{ url: "https://example.com/a.gguf", name: "A model" }]));
    });
    await page.reload();
    await expect(page.getByRole("link", { name: "A model" })).toBeVisible();
  },
  "graph of a model": async (page, app) => {
    await openUrl(page, app, "sample.gguf", "&view=graph");
    await page.locator("gguf-graph").getByLabel("Colour").selectOption("bits");
    await page.locator("gguf-graph [data-node]").nth(2).click();
    await expect(page.locator("gguf-graph aside h3")).toBeVisible();
  },
  "landing with a refused address": async (page, app) => {
    await page.goto(app.origin);
    await page.getByRole("textbox").first().fill("ftp://x");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toBeVisible();
  },
  "landing with words to search for": async (page, app) => {
    await page.goto(app.origin);
    await page.getByRole("textbox").first().fill("llama 3");
    await expect(page.getByRole("button", { name: "Search", exact: true })).toBeVisible();
  },
  "found models": async (page, app) => {
    await routeSearch(page, () => [hubModel("owner/name"), hubModel("a/b", { gated: "auto" })]);
    await page.goto(`${app.origin}/#search=llama`);
    await expect(page.locator("gguf-model-search").getByRole("listitem")).toHaveCount(2);
  },
  "no found models": async (page, app) => {
    await routeSearch(page, () => []);
    await page.goto(`${app.origin}/#search=llama`);
    await expect(page.locator("gguf-model-search")).toContainText("No repository found");
  },
  "search that is refused": async (page, app) => {
    await routeSearch(page, () => ({ status: 200 }));
    await page.goto(`${app.origin}/#search=llama`);
    await expect(page.locator("gguf-model-search").getByRole("alert")).toBeVisible();
  },
  "repository with a chosen card": async (page, app) => {
    await routeHub(page);
    await page.goto(`${app.origin}/#repo=owner/name`);
    await page.getByLabel("GPU memory").selectOption("12");
    await expect(page.locator("gguf-repository tr.best")).toHaveCount(1);
  },
  repository: async (page, app) => {
    await routeHub(page, { "owner/name": { ...FORTY, gated: "manual" } });
    await page.goto(`${app.origin}/#repo=owner/name&repo.filter=q4&repo.sort=-size`);
    await expect(page.locator("gguf-repository tbody tr").first()).toBeVisible();
  },
  "repository that is refused": async (page, app) => {
    await routeHub(page, { "owner/name": { files: {} } });
    await page.goto(`${app.origin}/#repo=owner/name`);
    await expect(page.locator("gguf-repository").getByRole("alert")).toBeVisible();
  },
  ...(missing ? {} : MODEL_STATES),
  opening: async (page, app) => {
    const start = (await sampleBytes()).subarray(0, 50_000);
    // A response that never ends.
    const url = app.on("/slow.gguf", (_request, response) => {
      response.writeHead(200, { "content-length": "40000000" });
      response.write(start);
    });
    await openUrl(page, app, url);
    await expect(page.getByRole("progressbar").first()).toBeVisible();
  },
  error: async (page, app) => {
    await openFile(page, app, new TextEncoder().encode("<html>nothing</html>"), "page.gguf");
    await expect(page.locator("gguf-error-panel")).toBeVisible();
  },
  summary: async (page, app) => {
    await opened(page, app);
  },
  metadata: async (page, app) => {
    await opened(page, app);
    await tab(page, /Metadata/);
    for (const key of ["ggml.tokens", "general.name"])
      await page.locator("gguf-metadata-table .row", { hasText: key }).first().click();
  },
  tensors: async (page, app) => {
    await opened(page, app);
    await tab(page, /Tensors/);
    await page.locator("gguf-tensor-table .row", { hasText: "token_embd.weight" }).first().click();
    await expect(page.locator("gguf-tensor-values")).toBeVisible();
  },
  checks: async (page, app) => {
    await opened(page, app);
    await tab(page, /Checks/);
    await expect(page.locator("gguf-checks")).toBeVisible();
  },
  memory: async (page, app) => {
    await opened(page, app);
    await tab(page, /Memory/);
    await page.getByText("Memory by layer", { exact: true }).click();
    await page.getByText("Formulas", { exact: true }).click();
    await page.getByRole("combobox", { name: "GPU memory" }).selectOption("Other");
    await page.getByRole("spinbutton", { name: "Sequences" }).fill("0");
    await expect(page.locator("gguf-memory-panel").getByRole("alert")).toBeVisible();
  },
  "memory with settings that llama.cpp refuses": async (page, app) => {
    await opened(page, app);
    await tab(page, /Memory/);
    await page.getByRole("checkbox", { name: "Flash attention" }).uncheck();
    await page.getByRole("combobox", { name: "KV cache type (values)" }).selectOption("Q4_0");
    await expect(page.locator("gguf-memory-panel").getByRole("alert")).toBeVisible();
  },
  tokenizer: async (page, app) => {
    await openTokenizer(page, app, helloVocabulary());
    await textField(page).fill("hi<end> hi🦙");
    await expect(shownTokens(page).first()).toBeVisible();
    await page.locator("gguf-token-table .row").nth(3).click();
    await expect(page.locator("gguf-token-table .detail")).toBeVisible();
    await page.getByRole("combobox", { name: "What to search" }).selectOption("Bytes");
    await page.getByRole("searchbox", { name: "Search tokens" }).fill("x");
    await expect(page.locator("gguf-tokenizer").getByRole("alert")).toBeVisible();
  },
  "tokenizer with wrong ids": async (page, app) => {
    await openTokenizer(page, app, helloVocabulary());
    await idsField(page).fill("99");
    await expect(page.locator("gguf-tokenizer").getByRole("alert")).toBeVisible();
  },
  "tokenizer that cannot be run": async (page, app) => {
    await openTokenizer(page, app, helloVocabulary({ "tokenizer.ggml.model": text("rwkv") }));
    await expect(refusal(page)).toBeVisible();
  },
  "editing a token": async (page, app) => {
    await openTokenizer(page, app, helloVocabulary());
    await beginEditing(page);
    await page.locator("gguf-token-table .row").nth(3).click();
    await expect(page.getByRole("textbox", { name: /^Text of token/ })).toBeVisible();
  },
  "chat template": async (page, app) => {
    const source =
      "{{ bos_token }}{% if enable_thinking or effort == 'low' %}<|no|>{% endif %}\n{{ 'https://example.com' }}";
    await openTemplate(page, app, templateFile({ "": source, other: "{{ messages }}" }));
    await page.getByRole("combobox", { name: "Conversation" }).selectOption("Own messages");
    await expect(flags(page)).toContainText("https://example.com");
    await page.getByText("Values that the template tests").click();
    await expect(page.getByRole("textbox", { name: "Chat template" })).toBeVisible();
    await expect(page.locator("gguf-rendered-text .token").first()).toBeVisible();
  },
  "chat templates side by side": async (page, app) => {
    await openTemplate(page, app, templateFile({ "": "{{ messages }} \t", other: "{{ messages[0].content }}" }));
    await page.getByRole("combobox", { name: "Conversation" }).selectOption("All side by side");
    await page.getByRole("combobox", { name: "Template to compare with" }).selectOption("other");
    await expect(page.locator("gguf-template .second gguf-line-diff p").first()).toBeVisible();
  },
  "chat template with errors": async (page, app) => {
    await openTemplate(page, app, templateFile({ "": "{% if x %}" }));
    await page.getByRole("combobox", { name: "Conversation" }).selectOption("Own messages");
    await page.getByRole("textbox", { name: "Messages as JSON" }).fill("[");
    await expect(page.locator("gguf-template .failure")).toBeVisible();
  },
  "editing a chat template": async (page, app) => {
    await edited(page, app);
    await tab(page, /Chat template/);
    await expect(page.getByRole("textbox", { name: "Chat template" })).toBeEditable();
    await expect(page.locator("gguf-template gguf-line-diff p").first()).toBeVisible();
  },
  convert: async (page, app) => {
    await openFile(page, app, await sampleBytes(), "sample.gguf");
    await showConvert(page);
    await expect(convertPanel(page)).toContainText("The model is quantized already");
    await page.getByRole("textbox", { name: "Tensors whose names match" }).fill("attn_[");
    await page.getByRole("button", { name: "Set type" }).click();
    await expect(convertPanel(page).getByRole("alert")).toBeVisible();
  },
  "a conversion that runs": async (page, app) => {
    await replacePickers(page, new Uint8Array());
    await openFile(page, app, await sampleBytes(), "sample.gguf");
    await showConvert(page);
    await page.getByRole("checkbox", { name: "Allow requantizing" }).check();
    await newType(page, "token_embd.weight").selectOption("Q8_0");
    await setDisk(page, "busy");
    await saveConverted(page).click();
    await whenWriting(page);
    await expect(page.getByRole("progressbar", { name: "Bytes written" })).toBeVisible();
  },
  "shards with a missing one": async (page, app) => {
    await openFiles(page, app, shardsOf().slice(0, 2));
    await showShards(page);
    await expect(page.locator("gguf-shards .findings li")).toBeVisible();
  },
  "the command palette": async (page, app) => {
    await openFile(page, app, smallModel());
    await expect(page.getByRole("tab", { name: "Summary" })).toBeVisible();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Go to" });
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.type("token");
    await expect(palette.getByRole("option").first()).toBeVisible();
  },
  "the list of keys": async (page, app) => {
    await openFile(page, app, smallModel());
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  },
  "a choice of models": async (page, app) => {
    await openFiles(page, app, [{ name: "whole.gguf", bytes: wholeModel() }, ...shardsOf()]);
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "a split that would replace a file": async (page, app) => {
    await replaceFolderPicker(page, [{ name: shardName("whole", 2, 3), bytes: Uint8Array.of(1) }]);
    await openFile(page, app, wholeModel(), "whole.gguf");
    await showShards(page);
    await page.getByRole("combobox", { name: "Limit of a shard" }).selectOption("Number of tensors");
    await page.getByRole("spinbutton", { name: "Most tensors" }).fill("2");
    await expect(page.locator("gguf-split-file tbody tr")).toHaveCount(3);
    await page.getByRole("button", { name: "Save into a folder…" }).click();
    await expect(page.locator("gguf-split-file").getByRole("alert")).toBeVisible();
  },
  "hashes with a difference": async (page, app) => {
    await openFile(page, app, wholeModel(), "whole.gguf");
    await showHash(page);
    await compute(page, "XXH64", "SHA-256", "Whole file");
    await hashPanel(page).getByText("Hashes of 6 tensors").click();
    await page.getByRole("textbox", { name: "Expected hash or manifest" }).fill("0".repeat(64));
    await hashPanel(page).getByRole("button", { name: "Compare", exact: true }).click();
    await expect(hashPanel(page).getByRole("alert")).toBeVisible();
  },
  "a file to compare with that is refused": async (page, app) => {
    await opened(page, app);
    await showCompare(page);
    await compareWith(page, "ftp://x");
    await expect(compareAlert(page)).toBeVisible();
  },
  "metadata that differs": async (page, app) => {
    await openPair(page, app);
    for (const key of ["chat_template", "ggml.tokens", "block_count"]) await rowOf(page, key).click();
    await expect(detail(page).locator("gguf-array-difference")).toBeVisible();
  },
  "tensors that differ": async (page, app) => {
    await openPair(page, app);
    await comparePanel(page).getByRole("button", { name: "Compare the values" }).click();
    await expect(comparePanel(page)).toContainText("in both files was compared");
    await showDifferences(page, "Tensors");
    await rowOf(page, "blk.1.attn_q.weight").click();
    await detail(page).getByRole("button", { name: "Show the values at the largest difference" }).click();
    await expect(detail(page).locator("tr.largest")).toBeVisible();
  },
  "the errors of tensors as pictures": async (page, app) => {
    await openPair(page, app);
    await comparePanel(page).getByRole("button", { name: "Compare the values" }).click();
    await expect(comparePanel(page).locator("gguf-bits-error svg [data-row]").first()).toBeVisible();
    for (const text of await comparePanel(page).getByText("As text").all()) await text.click();
  },
  "suggested files to compare with": async (page, app) => {
    await openFiles(page, app, [
      { name: "one.gguf", bytes: wholeModel() },
      { name: "two.gguf", bytes: wholeModel() },
    ]);
    await page.getByRole("dialog").getByRole("button", { name: /one/ }).click();
    await showCompare(page);
    await expect(comparePanel(page).locator("gguf-suggested-files button").first()).toBeVisible();
  },
  "tensors in comfortable rows": async (page, app) => {
    await page.addInitScript(() => localStorage.setItem("table-rows", "comfortable"));
    await opened(page, app);
    await tab(page, /Tensors/);
    await expect(page.locator("gguf-tensor-table .scroller:not(.dense) .row").first()).toBeVisible();
  },
  "the Export menu": async (page, app) => {
    await edited(page, app);
    await page.getByRole("button", { name: "Tools" }).click();
    await expect(page.getByRole("menu")).toBeVisible();
  },
  "editing metadata": edited,
  "editing a tensor": async (page, app) => {
    await edited(page, app);
    await tab(page, /Tensors/);
    await page.locator("gguf-tensor-table .row", { hasText: "token_embd.weight" }).first().click();
  },
  changes: async (page, app) => {
    await edited(page, app);
    await tab(page, /Changes/);
    await expect(page.locator("gguf-line-diff p").first()).toBeVisible();
  },
  "the dialog to add an entry": async (page, app) => {
    await edited(page, app);
    await page.getByRole("button", { name: "Add entry" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "the dialog to save": async (page, app) => {
    await edited(page, app);
    await page.getByRole("button", { name: "Save…" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
};

/** Each size and each scheme; in a long run, each size in each scheme, and with text of twice the size. */
const KINDS = [
  ["wide and light", { width: 1280, height: 800 }, "light", ""],
  ["narrow and dark", { width: 360, height: 740 }, "dark", ""],
  ["wide and dark", { width: 1280, height: 800 }, "dark", ""],
  ["narrow and light", { width: 360, height: 740 }, "light", ""],
  ["wide with large text", { width: 1440, height: 900 }, "light", "200%"],
  ["narrow with large text", { width: 390, height: 844 }, "dark", "200%"],
] as const;

// All rules except those of level AAA.
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"];

/** What axe finds in the page, in which its source has run. */
async function violations(page: Page): Promise<{ id: string; help: string; nodes: string[] }[]> {
  return page.evaluate(async (runOnly) => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    // Only violations are reported in full.
    const { violations } = await inPage.run({ runOnly, resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 4).map(({ target, failureSummary }) => `${String(target.at(-1))} ${failureSummary ?? ""}`),
    }));
  }, TAGS);
}

for (const [state, reach] of Object.entries(STATES)) {
  test(`axe finds no problems: ${state}`, async ({ page, app }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await reach(page, app);
    // Once for all kinds: with `@axe-core/playwright`, which does it each time in three documents, the tests take six times as long.
    await page.evaluate(axe.source);
    for (const [kind, size, colorScheme, text] of KINDS.slice(0, ofRun(2, KINDS.length))) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await setTextSize(page, text);
      expect.soft(await violations(page), kind).toEqual([]);
      await expect.soft(page.getByRole("main"), kind).toHaveCount(1);
      await expect.soft(page.getByRole("heading", { level: 1 }), kind).toHaveCount(1);
      // On a phone the bar of edit mode takes the place of the bar of the page.
      const isReplaced = size.width < 640 && (await page.getByRole("toolbar", { name: "Editing" }).isVisible());
      await expect.soft(page.getByRole("banner"), kind).toHaveCount(isReplaced ? 0 : 1);
    }
    // The document stays for the next test.
    await setTextSize(page, "");
  });
}

test("the address field has the focus on the start page, also after going back", async ({ page, app }) => {
  await page.goto(app.origin);
  await expect(page.getByRole("textbox", { name: "Address of a GGUF file" })).toBeFocused();
  await openFile(page, app, smallModel(), "small.gguf");
  await expectOpen(page, "small.gguf");
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(page.getByRole("textbox", { name: "Address of a GGUF file" })).toBeFocused();
});

test("a name of 300 characters takes two lines of the summary, and a button shows all of it", async ({ page, app }) => {
  const name = "A long name ".repeat(25).trim();
  await openFile(page, app, ggufBytes([["general.name", text(name)]]), `${"long-".repeat(40)}file.gguf`);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const heading = page.locator("gguf-identity h2");
    await expect(heading).toHaveText(name);
    const lines = () =>
      heading.evaluate((element) => element.clientHeight / parseFloat(getComputedStyle(element).lineHeight));
    await expect.poll(lines).toBeCloseTo(2, 1);
    await page.getByRole("button", { name: "Show full names" }).click();
    await expect.poll(lines).toBeGreaterThan(4);
    await page.getByRole("button", { name: "Shorten names" }).click();
    await expect.poll(lines).toBeCloseTo(2, 1);
  }
});

test("one missing byte is described in the singular", async ({ page, app }) => {
  await openFile(page, app, smallModel().subarray(0, -1));
  await expect(page.locator("gguf-summary-panel .notice")).toContainText(
    /is 1 byte shorter than the .* that it needs, so 1 tensor is incomplete\./,
  );
});
