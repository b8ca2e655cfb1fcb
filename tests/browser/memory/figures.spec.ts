// The figures of the panel, compared with what llama.cpp allocates.

import type { Page } from "@playwright/test";
import { MICRO_BATCHES } from "../../../www/src/memory/memory-state.ts";
import { json, missing } from "../../package/corpus.mjs";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";
import { expect, openFile, test } from "../support/fixtures.ts";
import {
  bytesOf,
  cell,
  choice,
  command,
  field,
  largest,
  openModel,
  panel,
  slider,
  verdict,
} from "../support/memory-panel.ts";

/** A setting of the index, and what llama.cpp allocates for it. */
interface Setting {
  n_ctx: number;
  n_seq: number;
  unified: boolean;
  n_batch: number;
  n_ubatch: number;
  flash_attn: boolean;
  type_k: string;
  type_v: string;
  swa_full: boolean;
  refused?: string;
  result?: {
    model_bytes: number;
    /** The caches and the states together. */
    context_bytes: number;
    kv: { key_mib: number; value_mib: number }[];
    recurrent: { r_mib: number; s_mib: number }[];
    output_mib: number;
  };
}

interface Model {
  file: string;
  settings: Setting[];
}

const SIZES: readonly number[] = MICRO_BATCHES;
const models = (json("llama-cpp-2026-08/memory/index.json") as { models?: Model[] }).models ?? [];

/** The settings as fields of the hash. llama.cpp ran without a GPU. */
function fieldsOf(setting: Setting): [string, string | number][] {
  return Object.entries({
    context: setting.n_ctx,
    keys: setting.type_k,
    values: setting.type_v,
    sequences: setting.n_seq,
    unified: setting.unified ? "1" : "",
    layers: 0,
    ubatch: setting.n_ubatch,
    flash: setting.flash_attn ? "" : "off",
    window: setting.swa_full ? "full" : "",
  });
}

const hashOf = (setting: Setting): string =>
  fieldsOf(setting)
    .map(([name, value]) => `&memory.${name}=${value}`)
    .join("");

/** Settings that have each value of each field. The tests of the crate compare all settings of all models. */
function withEachValue(settings: readonly Setting[]): Setting[] {
  const seen = new Set<string>();
  return settings.filter((setting) => {
    const before = seen.size;
    for (const [name, value] of fieldsOf(setting)) seen.add(`${name} ${value}`);
    return seen.size > before;
  });
}

/** Changes the settings by a link within the page. */
async function follow(page: Page, url: string, setting: Setting): Promise<void> {
  const hash = `#url=${url}&view=memory${hashOf(setting)}`;
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await expect(field(page, "Context length in tokens")).toHaveValue(String(setting.n_ctx));
  await expect(choice(page, "KV cache type (keys)")).toHaveValue(setting.type_k.toUpperCase());
  await expect(choice(page, "KV cache type (values)")).toHaveValue(setting.type_v.toUpperCase());
  await expect(choice(page, "Micro-batch")).toHaveValue(String(setting.n_ubatch));
}

test.describe("equals llama.cpp", () => {
  test.skip(missing !== false, String(missing));
  test.describe.configure({ timeout: 120_000 });

  for (const name of ["llama-3.1-8b", "gemma-3-4b", "deepseek-v2-lite-mla", "mamba-130m", "qwen3-next-80b-a3b"]) {
    test(name, async ({ page, app }) => {
      const model = models.find(({ file }) => file === `${name}.gguf`);
      // The panel has no choice for the batch.
      const settings = (model?.settings ?? []).filter(
        ({ refused, n_batch, n_ubatch }) => refused === undefined && n_batch === 2048 && SIZES.includes(n_ubatch),
      );
      expect(settings.length).toBeGreaterThan(15);
      const url = await openModel(page, app, name, hashOf(settings[0] as Setting));
      for (const setting of ofRun(withEachValue(settings), settings)) {
        await follow(page, url, setting);
        const what = JSON.stringify(hashOf(setting));
        const { result } = setting;
        const hasState = (result?.recurrent ?? []).some(({ r_mib, s_mib }) => r_mib + s_mib > 0);
        const hasCache = (result?.kv ?? []).some(({ key_mib, value_mib }) => key_mib + value_mib > 0);
        expect(await bytesOf(page, "Weights", "CPU"), what).toEqual([result?.model_bytes]);
        const parts = { "KV cache": hasCache, "Recurrent state": hasState };
        let context = 0;
        for (const [part, has] of Object.entries(parts)) {
          if (has) context += (await bytesOf(page, part, "CPU"))[0] ?? NaN;
          else await expect(panel(page).getByRole("rowheader", { name: part })).toHaveCount(0);
        }
        expect(context, what).toBe(result?.context_bytes);
        const [output = NaN] = await bytesOf(page, "Output buffer", "CPU");
        expect((output / 2 ** 20).toFixed(2), what).toBe(result?.output_mib.toFixed(2));
        const [low = NaN, high = NaN] = await bytesOf(page, "Compute buffer", "CPU");
        expect(high, what).toBeLessThanOrEqual(3 * low);
        const fixed = (result?.model_bytes ?? NaN) + context + output;
        expect(await bytesOf(page, "Total", "CPU"), what).toEqual([fixed + low, fixed + high]);
      }
      await expect(verdict(page, "GPU")).toHaveText("Nothing is on the GPU.");
    });
  }

  test("the table by layer adds up to the parts", async ({ page, app }) => {
    await openModel(page, app, "qwen3-next-80b-a3b", "&memory.layers=40&memory.experts=12&memory.context=4096");
    await panel(page).getByText("Memory by layer", { exact: true }).click();
    const table = panel(page).getByRole("table", { name: "Memory by layer" });
    await expect(table.getByRole("columnheader")).toHaveText(["Layer", "Device", "Weights", "KV cache", "State"]);
    const rows = await table.locator("tbody tr").evaluateAll((all) =>
      all.map((row) => ({
        layer: row.children[0]?.textContent,
        device: row.children[1]?.textContent,
        bytes: [...row.children].slice(2).map((td) => Number(td.getAttribute("title")?.replace(/\D/g, ""))),
      })),
    );
    expect(rows.map(({ layer }) => layer)).toEqual([
      "Input",
      ...Array.from({ length: 48 }, (_, layer) => String(layer)),
      "Output",
    ]);
    // 40 of 49: the output and the last 39 layers, of which 9, 10 and 11 have their experts on the CPU.
    const devices = rows.slice(1, -1).map(({ device }) => device);
    expect(devices).toEqual([
      ...Array.from({ length: 9 }, () => "CPU"),
      ...Array.from({ length: 3 }, () => "GPU, experts CPU"),
      ...Array.from({ length: 36 }, () => "GPU"),
    ]);
    const sum = (column: number) => rows.reduce((total, { bytes }) => total + (bytes[column] ?? NaN), 0);
    for (const [column, part] of ["Weights", "KV cache", "Recurrent state"].entries()) {
      const [gpu = NaN] = await bytesOf(page, part, "GPU");
      const [cpu = NaN] = await bytesOf(page, part, "CPU");
      expect(gpu, part).toBeGreaterThan(0);
      expect(sum(column), part).toBe(gpu + cpu);
    }
  });

  test("the formulas are shown on demand", async ({ page, app }) => {
    await openModel(page, app, "gemma-3-4b", "&memory.context=8192");
    const formula = panel(page).getByText("29 layers × 1536 cells × 1 stream × 2048 bytes of F16").first();
    await expect(formula).toBeHidden();
    await panel(page).getByText("Formulas", { exact: true }).click();
    await expect(formula).toBeVisible();
    await expect(panel(page).getByRole("term").filter({ hasText: "Keys of the sliding-window cache" })).toBeVisible();
  });

  test("a model without keys and values has no limit of the context", async ({ page, app }) => {
    await openModel(page, app, "mamba-130m", "&memory.card=24");
    await expect(largest(page)).toContainText(
      "The model keeps no keys and values, so no context is too large for the memory.",
    );
    await expect(largest(page).getByRole("button")).toHaveCount(0);
  });

  test("a model that is not on the GPU has no limit there", async ({ page, app }) => {
    await openModel(page, app, "llama-3.1-8b", "&memory.layers=0&memory.card=24");
    await expect(largest(page)).toContainText("No keys and values are on the GPU");
    await expect(largest(page).getByRole("button")).toHaveCount(0);
  });
});

/** A model of an architecture that nobody knows. */
function unknownModel(): Uint8Array {
  return ggufBytes(
    [
      ["general.architecture", text("no-such-architecture")],
      ["no-such-architecture.block_count", uint32(1)],
      ["no-such-architecture.context_length", uint32(4096)],
    ],
    [{ name: "blk.0.attn_q.weight", dimensions: [64, 64], type: 0, bytes: 16_384 }],
  );
}

test("an unknown architecture: the weights are exact, and all other parts are called not known", async ({
  page,
  app,
}) => {
  await openFile(page, app, unknownModel(), "unknown.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  await choice(page, "GPU memory").selectOption("24");
  await expect(panel(page).locator(".note")).toHaveText(
    "Only the size of the tensors is known: how llama.cpp keeps the context of no-such-architecture is not known here.",
  );
  expect(await bytesOf(page, "Weights", "GPU")).toEqual([16_384]);
  for (const part of ["KV cache", "Recurrent state", "Output buffer", "Compute buffer", "Free"])
    await expect(await cell(page, part, "GPU"), part).toHaveText("Not known");
  await expect(verdict(page, "GPU")).toHaveText(
    "Not known whether it fits: takes at least 16.0 KiB of 24 GiB, without KV cache, recurrent state, and compute buffer.",
  );
  await expect(verdict(page, "CPU")).toHaveText("Not known.");
  // The context is that of the file, although its cache is not known.
  await expect(field(page, "Context length in tokens")).toHaveValue("4096");
  await expect(command(page)).toHaveText("llama-server -m unknown.gguf -c 4096 -np 1 -fa on");
  expect(await bytesOf(page, "Total of the known parts", "GPU")).toEqual([16_384]);
  await expect(largest(page)).toContainText("Not known, because not all parts are known.");
  await expect(slider(page, "Layers on the GPU")).toHaveCount(0);
  await expect(panel(page).getByText("Memory by layer")).toHaveCount(0);
});

test("a tensor of an unknown type: the cache is known, and is on the GPU", async ({ page, app }) => {
  const entries: Parameters<typeof ggufBytes>[0] = [
    ["general.architecture", text("llama")],
    ["llama.context_length", uint32(4096)],
    ["llama.block_count", uint32(2)],
    ["llama.embedding_length", uint32(64)],
    ["llama.feed_forward_length", uint32(96)],
    ["llama.attention.head_count", uint32(4)],
    ["llama.attention.head_count_kv", uint32(2)],
    ["llama.vocab_size", uint32(100)],
  ];
  const tensor = { name: "blk.1.attn_norm.weight", dimensions: [64], type: 999, bytes: 256 };
  await openFile(page, app, ggufBytes(entries, [tensor]), "unknown-type.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  await expect(await cell(page, "Weights", "GPU")).toHaveText("Not known");
  expect(await bytesOf(page, "KV cache", "GPU")).toEqual([1_048_576]);
  await expect(panel(page).locator(".note")).toHaveText(
    "The size of the tensors is not known: the size of the tensor blk.1.attn_norm.weight is not known.",
  );
});

test("a file of no known kind has no figures but its weights", async ({ page, app }) => {
  const tensor = { name: "weights", dimensions: [64], type: 0, bytes: 256 };
  await openFile(page, app, ggufBytes([], [tensor]), "unknown.gguf");
  await page.getByRole("tab", { name: "Memory" }).click();
  await expect(panel(page).locator(".note")).toHaveText(
    "Nothing in the file says that it is a model. Only the size of its tensors is known.",
  );
  await expect(panel(page)).toContainText("The file does not tell the context that the model was trained for.");
  await expect(field(page, "Context length in tokens")).toHaveValue("");
  await expect(await cell(page, "KV cache", "GPU")).toHaveText("Not known");
});
