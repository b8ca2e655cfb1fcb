/** What a name of a file declares before the main module is there is what `parseFileName` finds. */

import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { initSync, parseFileName } from "gguf-wasm/full/init";
import { namedFacts } from "../../../www/src/gguf/named-facts.ts";

test.beforeAll(async () => {
  initSync(await readFile(new URL("../../../pkg/full/gguf_wasm_full_bg.wasm", import.meta.url)));
});

/** Names of published files. */
const NAMES = [
  "Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf",
  "Mixtral-8x7B-Instruct-v0.1-Q5_K_S.gguf",
  "gemma-3-27b-it-UD-Q4_K_XL.gguf",
  "qwen2.5-7b-instruct-q4_k_m.gguf",
  "Qwen2.5-0.5B-Instruct-IQ2_XXS.gguf",
  "Phi-3-mini-4k-instruct-q4.gguf",
  "gpt-oss-20b-MXFP4.gguf",
  "bge-large-en-v1.5-f16.gguf",
  "Llama-3.3-70B-Instruct-BF16-00002-of-00003.gguf",
  "DeepSeek-V3-256x20B-Q2_K_L.gguf",
  "model.gguf",
  "model",
  "",
];

for (const name of NAMES) {
  test(`the name ${name || '""'}`, () => {
    const { sizeLabel, encoding } = parseFileName(name);
    expect(namedFacts(name)).toMatchObject({ sizeLabel, encoding });
  });
}

test("the title is the name without its encoding", () => {
  expect(namedFacts("gemma-3-27b-it-UD-Q4_K_XL.gguf").title).toBe("gemma-3-27b-it");
  expect(namedFacts("Llama-3.3-70B-Instruct-BF16-00002-of-00003.gguf").title).toBe("Llama-3.3-70B-Instruct");
  expect(namedFacts("model.gguf").title).toBe("model");
});
