// A second file that is loaded beside the model: its memory, its option of the command, and what is refused.

import type { Page } from "@playwright/test";
import { missing } from "../../package/corpus.mjs";
import { imageProjector, imatrix, loraAdapter, projector } from "../support/file-kinds.ts";
import { expect, openFile, test } from "../support/fixtures.ts";
import {
  bytesOf,
  check,
  choice,
  command,
  field,
  largest,
  largestText,
  openModel,
  panel,
  slider,
  smallMixture,
} from "../support/memory-panel.ts";

/** The tensors of the projector, each rounded up to a multiple of 32 bytes. */
const PROJECTOR_BYTES = 4 * (14 * 14 * 3 * 32 + 3 * 128 * 32);

const address = (page: Page) => page.getByRole("textbox", { name: "Address of the second file" });
const remove = (page: Page) => page.getByRole("button", { name: "Remove the second file" });
const weights = (page: Page) => bytesOf(page, "Weights", "GPU");

async function openMixture(page: Page, app: Parameters<typeof openFile>[1]): Promise<void> {
  await openFile(page, app, smallMixture(), "mixture.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
}

test("a projector from an address adds its weights, and is in the command and in the link", async ({ page, app }) => {
  await page.goto(app.origin);
  const model = app.file("/models/mixture.gguf", smallMixture());
  const second = app.file("/models/mmproj.gguf", projector());
  await page.goto(`${app.origin}/#url=${encodeURIComponent(model)}&view=memory`);
  const [alone = NaN] = await weights(page);
  await address(page).fill(second);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect.poll(() => weights(page)).toEqual([alone + PROJECTOR_BYTES]);
  await expect(panel(page)).toContainText("Projector: mmproj.gguf");
  await expect(remove(page)).toBeFocused();
  await expect(panel(page)).toContainText("Adds 122 KiB on the GPU. What it takes while it reads an image");
  await expect(command(page)).toHaveText(/ -fa on --mmproj mmproj\.gguf$/);
  await expect(page).toHaveURL(/&memory\.second=http:.*mmproj\.gguf$/);

  await page.reload();
  await expect.poll(() => weights(page)).toEqual([alone + PROJECTOR_BYTES]);
  await remove(page).press("Enter");
  await expect.poll(() => weights(page)).toEqual([alone]);
  await expect(address(page)).toBeFocused();
  await expect(page).toHaveURL(/&view=memory$/);
  await expect(address(page)).toHaveValue("");
});

test("a projector says whether it belongs to the model", async ({ page, app }) => {
  await openMixture(page, app);
  const verdict = panel(page).locator(".projector-fit");
  for (const [length, text] of [
    [64, "The projector fits the model: its embeddings have 64 numbers, as many as the model reads."],
    [128, "The projector does not fit the model: its embeddings have 128 numbers, and the model reads 64."],
  ] as const) {
    await address(page).fill(app.file(`/models/mmproj-${length}.gguf`, imageProjector(length)));
    await address(page).press("Enter");
    await expect(verdict).toContainText(text);
    await expect(verdict).toHaveClass(length === 64 ? /\bgood\b/ : /\bbad\b/);
    await remove(page).click();
    await expect(verdict).toHaveCount(0);
  }
  await address(page).fill(app.file("/models/draft.gguf", smallMixture()));
  await address(page).press("Enter");
  await expect(panel(page)).toContainText("Draft model: draft.gguf");
  await expect(verdict).toHaveCount(0);
});

test("a draft model has the same context, and the largest context has room for both", async ({ page, app }) => {
  await openMixture(page, app);
  await choice(page, "GPU memory").selectOption("24 GB");
  await field(page, "Context length in tokens").fill("1024");
  const cache = () => bytesOf(page, "KV cache", "GPU");
  expect(await cache()).toEqual([262_144]);
  const alone = await largestText(page);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose file" }).click();
  await (await chooser).setFiles({ name: "draft.gguf", mimeType: "", buffer: Buffer.from(smallMixture()) });
  await expect.poll(cache).toEqual([524_288]);
  await expect(panel(page)).toContainText("Draft model: draft.gguf");
  await expect(command(page)).toHaveText(/ -md draft\.gguf -ngld 3$/);
  // A local file is not in the link.
  await expect(page).toHaveURL(/&view=memory$/);
  const tokens = (text: string) => Number(/([\d,]+) tokens/.exec(text)?.[1]?.replaceAll(",", ""));
  expect(tokens(await largestText(page))).toBeLessThan(tokens(alone) * 0.6);

  // One GiB is left free. With that context, both fit; with 256 tokens more, they do not.
  await largest(page).getByRole("button").last().click();
  const most = async () => (await bytesOf(page, "Total", "GPU")).at(-1) ?? NaN;
  const context = Number(await field(page, "Context length in tokens").inputValue());
  await expect.poll(most).toBeLessThanOrEqual(23 * 2 ** 30);
  await field(page, "Context length in tokens").fill(String(context + 256));
  await expect.poll(most).toBeGreaterThan(23 * 2 ** 30);
});

test("an adapter is loaded beside the model", async ({ page, app }) => {
  await openMixture(page, app);
  const [alone = NaN] = await weights(page);
  await address(page).fill(app.file("/models/lora.gguf", loraAdapter()));
  await address(page).press("Enter");
  await expect.poll(() => weights(page)).toEqual([alone + 4 * 64 * 8 * 4]);
  await expect(command(page)).toHaveText(/ --lora lora\.gguf$/);
  // Its tensors are where those of the model are.
  await slider(page, "Layers on the GPU").fill("0");
  await expect.poll(() => weights(page)).toEqual([0]);
});

test.describe("files that cannot be added", () => {
  test.use({ expected: /404/ });

  test("are explained, and change nothing", async ({ page, app }) => {
    await openMixture(page, app);
    const alone = await weights(page);
    const alert = panel(page).getByRole("alert");
    const add = async (typed: string) => {
      await address(page).fill(typed);
      await address(page).press("Enter");
    };
    await add(app.file("/models/imatrix.gguf", imatrix("wiki.txt")));
    await expect(alert).toHaveText("llama.cpp loads no file of this kind beside a model: importance matrix.");
    await expect(address(page)).toHaveAccessibleDescription(/importance matrix/);
    await add(`${app.origin}/models/no-such-file.gguf`);
    await expect(alert).toContainText("File not found.");
    await expect(address(page)).toBeFocused();
    await expect(address(page)).toHaveValue(`${app.origin}/models/no-such-file.gguf`);
    await add("");
    await expect(alert).toHaveText("Type or paste the address of a .gguf file.");
    await add(app.file("/models/broken.gguf", smallMixture().slice(0, 100)));
    await expect(alert).toContainText("The file is cut off.");
    await add("javascript:alert(1)");
    await expect(alert).toContainText("Only http and https addresses can be opened");
    expect(await weights(page)).toEqual(alone);
    await expect(command(page)).toHaveText(/ -fa on$/);
    await add(app.file("/models/mmproj.gguf", projector()));
    await expect(remove(page)).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
});

test("layers with a window can have a cache for the whole context", async ({ page, app }) => {
  test.skip(missing !== false, String(missing));
  await openModel(page, app, "gemma-3-4b");
  const name = "Keep the whole context";
  const cache = async () => (await bytesOf(page, "KV cache", "GPU"))[0] ?? NaN;
  const before = await cache();
  await check(page, name).check();
  await expect.poll(cache).toBeGreaterThan(3 * before);
  await expect(command(page)).toHaveText(/ --swa-full$/);
  await expect(page).toHaveURL(/&memory\.window=full$/);
});
