// Operates the memory panel, and reads its figures.

import { expect, type Locator, type Page } from "@playwright/test";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { pathOf } from "../../package/corpus.mjs";
import { readFile } from "node:fs/promises";
import { openUrl } from "./fixtures.ts";
import type { TestServer } from "./server.ts";

export const panel = (page: Page): Locator => page.locator("gguf-memory-panel");
export const slider = (page: Page, name: string) => page.getByRole("slider", { name, exact: true });
export const field = (page: Page, name: string) => page.getByRole("spinbutton", { name, exact: true });
export const choice = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });
export const check = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });

/** The sentence that says whether the model fits on a device. */
export const verdict = (page: Page, device: string) =>
  panel(page)
    .locator(".device", { has: page.getByRole("heading", { name: device, exact: true }) })
    .locator(".verdict");

/** The command line. */
export const command = (page: Page) => panel(page).locator(".command code");

/** The region about the largest context. */
export const largest = (page: Page) => panel(page).getByRole("region", { name: "Largest context" });

/** The text of that region, once the search has ended. */
export async function largestText(page: Page): Promise<string> {
  await expect(largest(page)).toHaveAttribute("aria-busy", "false");
  return largest(page).innerText();
}

/** The cell of a part on a device. */
export async function cell(page: Page, part: string, device: string): Promise<Locator> {
  const table = panel(page).getByRole("table", { name: "Memory by part and device" });
  const devices = await table.getByRole("columnheader").allInnerTexts();
  const row = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: part, exact: true }) });
  return row.getByRole("cell").nth(devices.indexOf(device) - 1);
}

/** The exact bytes of a part on a device: one number, or the two ends of a range. */
export async function bytesOf(page: Page, part: string, device: string): Promise<number[]> {
  const text = await (await cell(page, part, device)).innerText();
  if (text === "None") return [0];
  const exact = /([\d,]+)(?: to ([\d,]+))? (?:B|bytes?)$/.exec(text);
  expect(exact, `${part}: ${text}`).not.toBeNull();
  return (exact ?? [])
    .slice(1)
    .flatMap((digits: string | undefined) => (digits ? [Number(digits.replaceAll(",", ""))] : []));
}

/** Opens the header of a real model and shows the panel. `state` is a part of the hash. */
export async function openModel(page: Page, app: TestServer, name: string, state = ""): Promise<string> {
  const url = app.file(`/models/${name}.gguf`, await readFile(pathOf(`llama-cpp-2026-08/memory/${name}.gguf`)));
  await openUrl(page, app, url, `&view=memory${state}`);
  await expect(panel(page).getByRole("heading", { name: "Settings" })).toBeVisible();
  return url;
}

/** A model of two layers: 4,096 tokens, 2 heads of 16 elements for keys and values, experts, 100 tokens in the vocabulary. */
export function smallMixture(): Uint8Array {
  const matrix = (name: string, dimensions: number[]) => ({
    name,
    dimensions,
    type: 0,
    bytes: 4 * dimensions.reduce((product, size) => product * size, 1),
  });
  return ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["llama.context_length", uint32(4096)],
      ["llama.block_count", uint32(2)],
      ["llama.embedding_length", uint32(64)],
      ["llama.feed_forward_length", uint32(96)],
      ["llama.attention.head_count", uint32(4)],
      ["llama.attention.head_count_kv", uint32(2)],
      ["llama.vocab_size", uint32(100)],
      ["llama.expert_count", uint32(8)],
      ["llama.expert_used_count", uint32(2)],
    ],
    [
      matrix("token_embd.weight", [64, 100]),
      ...[0, 1].flatMap((layer) => [
        matrix(`blk.${layer}.attn_norm.weight`, [64]),
        matrix(`blk.${layer}.ffn_up_exps.weight`, [64, 96, 8]),
      ]),
      matrix("output_norm.weight", [64]),
      matrix("output.weight", [64, 100]),
    ],
  );
}
