// The choices of the panel: what they change, how they are kept, and how they are refused.

import type { Page } from "@playwright/test";
import { missing } from "../../package/corpus.mjs";
import { startEditing } from "../support/editing.ts";
import { corpusModel } from "../support/corpus-model.ts";
import { expect, openFile, test } from "../support/fixtures.ts";
import { answerWithZeros } from "../support/large-model.ts";
import {
  bytesOf,
  check,
  choice,
  command,
  field,
  largest,
  openModel,
  panel,
  slider,
  smallMixture,
  verdict,
} from "../support/memory-panel.ts";

const EXPERTS = 64 * 96 * 8 * 4;

test("each choice changes the figures that depend on it", async ({ page, app }) => {
  await openFile(page, app, smallMixture(), "mixture.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  const cache = () => bytesOf(page, "KV cache", "GPU");
  const weights = () => bytesOf(page, "Weights", "GPU");
  // Two layers, 4,096 cells, two heads of 16 elements, two bytes each, for keys and for values.
  expect(await cache()).toEqual([1_048_576]);
  expect(await weights()).toEqual([2 * (256 + EXPERTS) + 256 + 25_600]);
  expect(await bytesOf(page, "Weights", "CPU")).toEqual([25_600]);

  await field(page, "Context length in tokens").fill("1000");
  await expect.poll(cache).toEqual([262_144]);
  await expect(panel(page)).toContainText("Context: 1,024 tokens.");
  await page.getByRole("button", { name: "Use 4,096" }).click();
  await expect.poll(cache).toEqual([1_048_576]);

  await choice(page, "KV cache type (keys)").selectOption("F32");
  await expect.poll(cache).toEqual([1_572_864]);
  await choice(page, "KV cache type (values)").selectOption("F32");
  await expect.poll(cache).toEqual([2_097_152]);
  await choice(page, "KV cache type (keys)").selectOption("F16");
  await choice(page, "KV cache type (values)").selectOption("BF16");
  await expect.poll(cache).toEqual([1_048_576]);

  await field(page, "Context length in tokens").fill("1000");
  await field(page, "Sequences").fill("3");
  await expect.poll(cache).toEqual([393_216]);
  await expect(panel(page)).toContainText("Context: 1,536 tokens, 512 for each of 3 sequences.");
  expect(await bytesOf(page, "Output buffer", "CPU")).toEqual([1200]);
  await check(page, "One cache for all sequences").check();
  await expect.poll(cache).toEqual([262_144]);
  await expect(panel(page)).toContainText("Context: 1,024 tokens, shared by 3 sequences.");

  const range = () => bytesOf(page, "Compute buffer", "GPU");
  const [before = NaN] = await range();
  await choice(page, "Micro-batch").selectOption("128");
  await expect.poll(async () => (await range())[0]).toBeLessThan(before);
  const [smaller = NaN] = await range();
  await check(page, "Flash attention").uncheck();
  await expect.poll(async () => (await range())[0]).toBeGreaterThan(smaller);

  await slider(page, "Experts on the CPU").fill("1");
  await expect.poll(weights).toEqual([2 * 256 + EXPERTS + 256 + 25_600]);
  expect(await bytesOf(page, "Weights", "CPU")).toEqual([25_600 + EXPERTS]);
  await slider(page, "Layers on the GPU").fill("1");
  await expect.poll(weights).toEqual([256 + 25_600]);
  await expect(slider(page, "Layers on the GPU")).toHaveAttribute("aria-valuetext", "1 of 3");
  // The table has no state: the model keeps none.
  await expect(panel(page).getByRole("rowheader", { name: "Recurrent state" })).toHaveCount(0);
});

test("the choices for the model are in the address, those of the machine are stored, and a link restores all", async ({
  page,
  app,
  context,
}) => {
  await page.goto(app.origin);
  const url = app.file("/models/mixture.gguf", smallMixture());
  await page.goto(`${app.origin}/#url=${encodeURIComponent(url)}&view=memory`);
  await field(page, "Context length in tokens").fill("3000");
  await choice(page, "KV cache type (keys)").selectOption("BF16");
  await choice(page, "KV cache type (values)").selectOption("F32");
  await field(page, "Sequences").fill("4");
  await check(page, "One cache for all sequences").check();
  await slider(page, "Layers on the GPU").fill("2");
  await slider(page, "Experts on the CPU").fill("1");
  await choice(page, "Micro-batch").selectOption("256");
  await check(page, "Flash attention").uncheck();
  await choice(page, "GPU memory").selectOption("Other");
  await field(page, "Memory in GB").fill("11.5");
  const chosen =
    /&view=memory&memory\.keys=bf16&memory\.values=f32&memory\.sequences=4&memory\.unified=1&memory\.layers=2&memory\.experts=1&memory\.ubatch=256&memory\.flash=off$/;
  await expect(page).toHaveURL(chosen);
  const figuresOf = (there: Page) => panel(there).getByRole("table", { name: "Memory by part and device" }).innerText();
  const figures = await figuresOf(page);

  const expectChosen = async (there: Page) => {
    await expect(field(there, "Context length in tokens")).toHaveValue("3000");
    await expect(choice(there, "KV cache type (keys)")).toHaveValue("BF16");
    await expect(choice(there, "KV cache type (values)")).toHaveValue("F32");
    await expect(field(there, "Sequences")).toHaveValue("4");
    await expect(check(there, "One cache for all sequences")).toBeChecked();
    await expect(slider(there, "Layers on the GPU")).toHaveValue("2");
    await expect(slider(there, "Experts on the CPU")).toHaveValue("1");
    await expect(choice(there, "Micro-batch")).toHaveValue("256");
    await expect(check(there, "Flash attention")).not.toBeChecked();
    await expect(choice(there, "GPU memory")).toHaveValue("own");
    await expect(field(there, "Memory in GB")).toHaveValue("11.5");
    expect(await figuresOf(there)).toBe(figures);
  };
  await page.reload();
  await expectChosen(page);
  await expect(page).toHaveURL(chosen);
  const other = await context.newPage();
  await other.goto(page.url());
  await expectChosen(other);
  await other.close();

  // A choice that has its default again disappears from the address. Another panel keeps the rest.
  await choice(page, "KV cache type (keys)").selectOption("F16");
  await check(page, "Flash attention").check();
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await expect(page).toHaveURL(
    /&view=tensors&memory\.values=f32&memory\.sequences=4&memory\.unified=1&memory\.layers=2&memory\.experts=1&memory\.ubatch=256$/,
  );
});

test("invalid values in the address are ignored, and are removed from it", async ({ page, app }) => {
  const url = app.file("/models/hostile-memory.gguf", smallMixture());
  const hash =
    "&memory.context=0&memory.keys=q6_k&memory.values=__proto__&memory.sequences=257&memory.layers=-1&memory.experts=1e3&memory.ubatch=3&memory.flash=on&memory.card=0&memory.shared=yes&memory.unified=2";
  await page.goto(`${app.origin}/#url=${encodeURIComponent(url)}&view=memory${hash}`);
  await expect(field(page, "Context length in tokens")).toHaveValue("4096");
  expect(await bytesOf(page, "KV cache", "GPU")).toEqual([1_048_576]);
  await choice(page, "Micro-batch").selectOption("64");
  await expect(page).toHaveURL(/&view=memory&memory\.ubatch=64$/);
  // More layers and experts than the model has are all of them.
  await page.goto(`${app.origin}/#url=${encodeURIComponent(url)}&view=memory&memory.layers=99&memory.experts=99`);
  await expect(slider(page, "Layers on the GPU")).toHaveValue("3");
  await expect(slider(page, "Experts on the CPU")).toHaveValue("2");
});

test("the command has the settings that differ from the defaults of llama-server", async ({ page, app, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openFile(page, app, smallMixture(), "it's a mixture.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  await expect(command(page)).toHaveText("llama-server -m 'it'\\''s a mixture.gguf' -c 4096 -np 1 -ngl 3 -fa on");
  await field(page, "Sequences").fill("2");
  await check(page, "One cache for all sequences").check();
  await choice(page, "KV cache type (keys)").selectOption("BF16");
  await slider(page, "Layers on the GPU").fill("2");
  await slider(page, "Experts on the CPU").fill("2");
  await choice(page, "Micro-batch").selectOption("4096");
  await check(page, "Flash attention").uncheck();
  const words =
    "llama-server -m 'it'\\''s a mixture.gguf' -c 4096 -np 2 --kv-unified -ctk bf16 -ngl 2 --n-cpu-moe 2 -b 4096 -ub 4096 -fa off";
  await expect(command(page)).toHaveText(words);
  // The result of the last choice is announced a moment later, and takes the place of what is announced before it.
  await expect(async () => {
    await page.getByRole("button", { name: "Copy the command" }).click();
    await expect(page.getByRole("status")).toHaveText("Copied", { timeout: 2000 });
  }).toPass();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(words);
  await expect(panel(page)).toContainText("Without these options, llama-server has 4 slots that share one cache");
});

test("settings that llama.cpp refuses are explained beside the choices", async ({ page, app }) => {
  await openFile(page, app, smallMixture(), "mixture.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  const alert = panel(page).getByRole("alert");
  await choice(page, "KV cache type (keys)").selectOption("Q8_0");
  await expect(alert).toHaveText(
    "llama.cpp refuses a cache of type Q8_0, because the length of a head is no multiple of its block size. Use F16.",
  );
  await expect(choice(page, "KV cache type (keys)")).toHaveAttribute("aria-invalid", "true");
  await expect(choice(page, "KV cache type (values)")).toHaveAttribute("aria-invalid", "false");
  await expect(choice(page, "KV cache type (keys)")).toHaveAccessibleDescription(/no multiple of its block size/);
  await expect(panel(page)).toContainText("There are no figures, because llama.cpp refuses the settings.");
  await expect(panel(page).getByRole("table")).toHaveCount(0);
  await expect(command(page)).toHaveCount(0);
  // The other choices stay.
  await expect(slider(page, "Layers on the GPU")).toHaveValue("3");
  await choice(page, "KV cache type (keys)").selectOption("F16");
  await expect(alert).toHaveCount(0);
  expect(await bytesOf(page, "KV cache", "GPU")).toEqual([1_048_576]);
  await choice(page, "KV cache type (values)").selectOption("Q4_0");
  await check(page, "Flash attention").uncheck();
  await expect(alert).toContainText("without flash attention");
});

test("a number that is not valid is refused beside its field, and the last valid one stays in effect", async ({
  page,
  app,
}) => {
  await openFile(page, app, smallMixture(), "mixture.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  const context = field(page, "Context length in tokens");
  for (const wrong of ["", "0", "-5", "1.5", "4294967296", "1e300"]) {
    await context.fill(wrong);
    await expect(panel(page).getByRole("alert"), wrong).toHaveText("Enter a whole number from 1 to 4,294,967,295.");
    await expect(context, wrong).toHaveAttribute("aria-invalid", "true");
    await expect(context, wrong).toHaveAccessibleDescription(/Enter a whole number/);
    expect(await bytesOf(page, "KV cache", "GPU"), wrong).toEqual([1_048_576]);
  }
  // The slider replaces the text.
  await slider(page, "Context length").fill("0");
  await expect(context).toHaveValue("512");
  await expect(panel(page).getByRole("alert")).toHaveCount(0);
  await field(page, "Sequences").fill("257");
  await expect(panel(page).getByRole("alert")).toHaveText("Enter a whole number from 1 to 256.");
  await field(page, "Sequences").fill("256");
  await expect(panel(page).getByRole("alert")).toHaveCount(0);
  await choice(page, "GPU memory").selectOption("Other");
  for (const wrong of ["0", "1000001", "8.12345"]) {
    await field(page, "Memory in GB").fill(wrong);
    await expect(panel(page).getByRole("alert"), wrong).toHaveText(
      "Enter a number above 0, with three decimals at most, up to 1,000,000.",
    );
  }
  // While a person types the decimals, the field keeps its text.
  await field(page, "Memory in GB").fill("");
  await field(page, "Memory in GB").pressSequentially("7.25");
  await expect(field(page, "Memory in GB")).toHaveValue("7.25");
  await expect(verdict(page, "GPU")).toContainText("of 7.25 GiB");
});

test("in edit mode, the panel says that it shows the stored file", async ({ page, app }) => {
  await startEditing(page, app, smallMixture(), "mixture.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  await expect(panel(page)).toContainText("These are the figures of the stored file, without the changes.");
  expect(await bytesOf(page, "KV cache", "GPU")).toEqual([1_048_576]);
});

test("another file has its own choices, and the same machine", async ({ page, app }) => {
  await openFile(page, app, smallMixture(), "mixture.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  await field(page, "Context length in tokens").fill("512");
  await choice(page, "KV cache type (keys)").selectOption("F32");
  await choice(page, "GPU memory").selectOption("12 GB");
  await expect.poll(() => bytesOf(page, "KV cache", "GPU")).toEqual([196_608]);
  await openFile(page, app, smallMixture(), "other.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  await expect(field(page, "Context length in tokens")).toHaveValue("512");
  await expect(choice(page, "GPU memory")).toHaveValue("12");
  expect(await bytesOf(page, "KV cache", "GPU")).toEqual([131_072]);
});

test("a machine that a link says counts in all panels, until the person chooses another one", async ({ page, app }) => {
  test.skip(missing !== false, String(missing));
  await page.goto(app.origin);
  const url = app.on("/models/linked.gguf", answerWithZeros(corpusModel("llama-2-7b.gguf")));
  await page.goto(`${app.origin}/#url=${encodeURIComponent(url)}&view=memory&memory.context=5000&memory.card=24`);
  await expect(field(page, "Context length in tokens")).toHaveValue("5000");
  await expect(panel(page)).toContainText("Longer than trained: the model was trained for 4,096 tokens.");
  await expect(page.locator("gguf-machine-verdict")).toContainText("Runs on your 24 GB: ");
  // It stands directly below the figures: neither has a share of the free height.
  const line = await page.locator("gguf-machine-verdict").boundingBox();
  expect(line?.height).toBeLessThan(100);
  await page.getByRole("tab", { name: "Summary" }).click();
  const run = page.locator("gguf-will-it-run");
  await expect(run.locator(".answer")).toContainText(
    "with a context of 5,000 tokens, longer than the 4,096 that it was trained for",
  );
  await run.getByLabel("GPU memory", { exact: true }).selectOption("12");
  await expect(page.locator("gguf-machine-verdict")).toContainText("Runs on your 12 GB: 4k context");
  await expect(page).not.toHaveURL(/memory\./);
  await page.getByRole("tab", { name: "Memory" }).click();
  await expect(choice(page, "GPU memory")).toHaveValue("12");
  await expect(field(page, "Context length in tokens")).toHaveValue("4096");
  // Two cards have a bar each, and the command divides the layers.
  await panel(page).getByRole("button", { name: "Add a card" }).click();
  await choice(page, "GPU memory of card 2").selectOption("6");
  await expect(panel(page).locator(".device h4")).toHaveText(["GPU 0", "GPU 1", "CPU"]);
  await expect(command(page)).toContainText("-ts 11,5 ");
  await expect(page.locator("gguf-machine-verdict")).toContainText("Runs on your 12 + 6 GB: 4k context");
  await panel(page).getByRole("button", { name: "Remove card 2" }).click();
  await expect(panel(page).locator(".device h4")).toHaveText(["GPU", "CPU"]);
});

test("the panel is operated by keyboard, and the result is announced", async ({ page, app }) => {
  await openFile(page, app, smallMixture(), "mixture.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  await slider(page, "Context length").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(slider(page, "Context length")).toHaveAttribute("aria-valuetext", "2,048 tokens");
  await expect(field(page, "Context length in tokens")).toHaveValue("2048");
  await expect.poll(() => bytesOf(page, "KV cache", "GPU")).toEqual([524_288]);
  await expect(page.getByRole("status")).toHaveText(
    /^GPU: Takes .* of GPU memory\. CPU: Takes 2\.29 to 2\.42 MiB of main memory\.$/,
  );
  await page.keyboard.press("End");
  await expect(slider(page, "Context length")).toHaveAttribute("aria-valuetext", "4,096 tokens");
  await page.keyboard.press("Home");
  await expect(slider(page, "Context length")).toHaveAttribute("aria-valuetext", "512 tokens");
  // The focus passes all choices in the order of the page.
  const names: string[] = [];
  for (let step = 0; step < 11; step += 1) {
    await page.keyboard.press("Tab");
    names.push(
      await page.evaluate(() => {
        let active: Element | null = document.activeElement;
        while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
        const labelled = active as HTMLInputElement | null;
        return labelled?.labels?.[0]?.textContent.trim() ?? active?.textContent.trim() ?? "";
      }),
    );
  }
  expect(names).toEqual([
    "Context length in tokens",
    "Use 4,096",
    "Layers on the GPU",
    "Experts on the CPU",
    "GPU memory",
    "Shared by GPU and CPU",
    "KV cache type (keys)",
    "KV cache type (values)",
    "Flash attention",
    "Sequences",
    "One cache for all sequences",
  ]);
  await page.keyboard.press("Space");
  await expect(check(page, "One cache for all sequences")).toBeChecked();
});

test.describe("real models", () => {
  test.skip(missing !== false, String(missing));

  test("too little memory is said, and the largest context that fits can be taken", async ({ page, app }) => {
    await openModel(page, app, "llama-3.1-8b", "&memory.context=131072&memory.card=24");
    await expect(verdict(page, "GPU")).toHaveText("Fits: takes 20.5 to 20.7 GiB of 24 GiB, and leaves 3.30 GiB free.");
    await choice(page, "GPU memory").selectOption("12 GB");
    await expect(verdict(page, "GPU")).toHaveText(
      "Does not fit: takes 20.5 to 20.7 GiB of 12 GiB, of which 1 GiB is left free: at least 9.54 GiB too much.",
    );
    await expect(panel(page).locator(".device.over .end")).toBeVisible();
    await expect(panel(page).locator(".device .free")).toHaveCount(0);
    await expect(panel(page).getByRole("cell", { name: "Too little: 9.54 to 9.70 GiB more is needed" })).toBeVisible();
    await expect(largest(page)).toHaveAttribute("aria-busy", "false");
    const button = largest(page).getByRole("button");
    const tokens = Number((await button.innerText()).replace(/\D/g, ""));
    expect(tokens % 256).toBe(0);
    await button.click();
    await expect(field(page, "Context length in tokens")).toHaveValue(String(tokens));
    await expect(verdict(page, "GPU")).toContainText("Fits: ");
    await expect(largest(page).getByRole("button")).toHaveCount(0);
    await expect(panel(page).locator(".device .end")).toHaveCount(0);
    // The next length does not fit, or it is not sure.
    await field(page, "Context length in tokens").fill(String(tokens + 256));
    await expect(verdict(page, "GPU")).toContainText(/^\s*(May|Does) not fit: /);
    // More than the weights take is missing: no context fits.
    await choice(page, "GPU memory").selectOption("Other");
    await field(page, "Memory in GB").fill("4");
    await expect(largest(page)).toContainText("Not even 256 tokens fit on the GPU.");
  });

  test("the ways to make a model fit are shown with what they cost, and chosen", async ({ page, app }) => {
    await openModel(page, app, "llama-3.1-8b", "&memory.context=131072");
    await choice(page, "GPU memory").selectOption("8 GB");
    await expect(verdict(page, "GPU")).toContainText("Does not fit: ");
    await panel(page).getByText("Make it fit").click();
    const ways = panel(page).getByRole("region", { name: "Ways to make it fit" });
    await expect(ways.getByRole("button")).toHaveText([
      "16 of 33 layers on the GPU, KV cache type Q8_0",
      "10 of 33 layers on the GPU",
      "Everything on the GPU, a context of 19,456 tokens",
    ]);
    await expect(ways.getByRole("row").nth(1)).toContainText("speed: the CPU computes 48.5% of the weights");
    await ways.getByRole("button").nth(1).click();
    await expect(slider(page, "Layers on the GPU")).toHaveAttribute("aria-valuetext", "10 of 33");
    await expect(choice(page, "KV cache type (keys)")).toHaveValue("F16");
    await expect(verdict(page, "GPU")).toContainText(/^\s*Fits: /);
    await expect(ways.getByRole("button", { pressed: true })).toHaveText("10 of 33 layers on the GPU");
    await ways.getByRole("button").first().click();
    await expect(command(page)).toHaveText(/ -c 131072 -np 1 -ctk q8_0 -ctv q8_0 -ngl 16 -fa on$/);
    await expect(verdict(page, "GPU")).toContainText(/^\s*Fits: /);
  });

  test("one memory for GPU and CPU has one bar, and the largest context fits in it", async ({ page, app }) => {
    await openModel(page, app, "qwen3-30b-a3b", "&memory.context=4096&memory.layers=3&memory.experts=9&memory.card=24");
    const parts = ["Weights", "KV cache", "Output buffer"];
    await slider(page, "Layers on the GPU").fill("49");
    await slider(page, "Experts on the CPU").fill("0");
    const apart: number[] = [];
    for (const part of parts) {
      const [gpu = NaN] = await bytesOf(page, part, "GPU");
      const [cpu = NaN] = await bytesOf(page, part, "CPU");
      apart.push(gpu + cpu);
    }
    await check(page, "Shared by GPU and CPU").check();
    await expect(panel(page).locator(".device")).toHaveCount(1);
    await expect(slider(page, "Layers on the GPU")).toHaveCount(0);
    await expect(slider(page, "Experts on the CPU")).toHaveCount(0);
    for (const [at, part] of parts.entries()) expect(await bytesOf(page, part, "GPU and CPU")).toEqual([apart[at]]);
    await expect(command(page)).toContainText("-ngl 49 -fa on");
    await expect(largest(page)).toHaveAttribute("aria-busy", "false");
    // The last one is longer than trained.
    const button = largest(page).getByRole("button").last();
    const tokens = Number((await button.innerText()).replace(/\D/g, ""));
    await button.click();
    await expect(verdict(page, "GPU and CPU")).toContainText("Fits: ");
    await field(page, "Context length in tokens").fill(String(tokens + 256));
    await expect(verdict(page, "GPU and CPU")).toContainText("May not fit: ");
  });

  test("the bars stay visible on a narrow screen, and nothing is wider than the panel", async ({ page, app }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openModel(page, app, "qwen3-next-80b-a3b");
    await panel(page).getByText("Memory by layer", { exact: true }).click();
    await panel(page).getByText("Formulas", { exact: true }).click();
    const sizes = await panel(page).evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(sizes[0]).toBe(sizes[1]);
    await choice(page, "Micro-batch").scrollIntoViewIfNeeded();
    await expect(panel(page).locator(".device .bar").first()).toBeInViewport();
  });
});
