// Small files that describe something large are refused, and do not end the module: after each, another model can still be opened.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openModel } from "gguf-wasm/models";
import { hubModelFiles } from "../../support/hub-model.mjs";

/** @typedef {Record<string, Uint8Array<ArrayBuffer> | Blob>} Files */

const { "tokenizer.model": _, ...others } = hubModelFiles();

/** @param {unknown} value */
const bytes = (value) => new Uint8Array(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));

/** @template T @param {number} count @param {T} value @returns {T[]} */
const list = (count, value) => Array.from({ length: count }, () => value);

/** A model with a byte-level vocabulary. @param {object} members Of `tokenizer.json`. @returns {Files} */
const withTokenizer = (members) => ({
  ...others,
  "tokenizer_config.json": bytes({ tokenizer_class: "PreTrainedTokenizerFast" }),
  "tokenizer.json": bytes({
    pre_tokenizer: { type: "ByteLevel" },
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", vocab: { a: 0, b: 1, ab: 2 }, merges: ["a b"] },
    ...members,
  }),
});

/** @param {string} text */
const split = (text) => ({ type: "Split", pattern: { Regex: text }, behavior: "Isolated", invert: false });
const replace = { type: "Replace", pattern: { String: "e" }, content: "ee" };
const token = { id: 3, content: "<e>", normalized: false, special: true };

/** Models and the codes that their plans fail with. @type {[what: string, code: string, files: Files][]} */
const MODELS = [
  [
    "a decoder that doubles a text 29 times",
    "too-large",
    withTokenizer({ decoder: { type: "Sequence", decoders: list(29, replace) }, added_tokens: [token] }),
  ],
  [
    "a decoder that puts spaces between all characters",
    "too-large",
    withTokenizer({
      decoder: {
        type: "Sequence",
        decoders: list(60, { type: "Metaspace", replacement: "", prepend_scheme: "never" }),
      },
      added_tokens: [token],
    }),
  ],
  [
    "20,000 repetitions of repetitions",
    "unknown-pre-tokenizer",
    withTokenizer({ pre_tokenizer: split(`a${"*".repeat(20_000)}`) }),
  ],
  [
    "1,000 slow expressions",
    "unknown-pre-tokenizer",
    withTokenizer({ pre_tokenizer: { type: "Sequence", pretokenizers: list(1000, split("(?:.|.){9}zz")) } }),
  ],
  ["groups within each other", "unknown-pre-tokenizer", withTokenizer({ pre_tokenizer: split("(".repeat(100_000)) })],
  ["a configuration of small values", "too-large", { ...others, "config.json": bytes(`[${"{},".repeat(1 << 20)}0]`) }],
  [
    "a vocabulary of small values",
    "too-large",
    { ...withTokenizer({}), "tokenizer.json": bytes(`[${'{"a":{"b":{}}},'.repeat(1 << 21)}0]`) },
  ],
  ["values within each other", "bad-json", { ...withTokenizer({}), "tokenizer.json": bytes("[".repeat(1 << 20)) }],
];

/** A model that can be converted. */
async function assertAlive() {
  const plan = await (await openModel(hubModelFiles())).convert();
  assert.ok(plan.size > 1000);
}

describe("small files that describe something large", () => {
  for (const [what, code, files] of MODELS) {
    test(`${what}: ${code}`, async () => {
      const model = await openModel(files);
      await assert.rejects(model.convert(), { name: "GgufError", code });
      assert.ok(code === "unknown-pre-tokenizer" || model.obstacles.some((obstacle) => obstacle.code === code));
      await assertAlive();
    });
  }

  test("many files that are large together", async () => {
    const template = new Blob([" ".repeat(4 << 20)]);
    const templates = list(200, template).map((file, index) => [`additional_chat_templates/${index}.jinja`, file]);
    await assert.rejects(openModel({ ...others, ...Object.fromEntries(templates) }), { code: "too-large" });
    await assertAlive();
  });
});
