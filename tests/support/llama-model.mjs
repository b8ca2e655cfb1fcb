// A small model that llama.cpp loads, for tests that change one thing in it.

import { ggufBytes, text, uint32 } from "./gguf-bytes.mjs";

const F32 = 0;

/** @typedef {[string, import("./gguf-bytes.mjs").Value]} Entry */

/**
 * A model of the architecture `llama`, whose data is zero.
 *
 * @param {object} [options]
 * @param {number} [options.blocks] Each has nine tensors; three tensors are in no block.
 * @param {number} [options.tokens]
 * @param {number} [options.merges] The number of merges. With them, the tokenizer is that of GPT-2, else that of Llama 2.
 * @param {string} [options.architecture] Another name of the architecture. The keys have it, too.
 * @param {readonly Entry[]} [options.entries] Entries that replace those of their key, or are added.
 * @param {readonly string[]} [options.without] Keys of entries that are left out.
 * @param {Readonly<Record<string, number[]>>} [options.tensors] Dimensions of tensors, which are changed or added.
 */
export function llamaModel({
  blocks = 2,
  tokens = 64,
  merges = 0,
  architecture = "llama",
  entries = [],
  without = [],
  tensors = {},
} = {}) {
  const [width, kv, inner] = [64, 32, 96];
  /** @type {Entry[]} */
  const own = [
    ["general.architecture", text(architecture)],
    [`${architecture}.context_length`, uint32(512)],
    [`${architecture}.embedding_length`, uint32(width)],
    [`${architecture}.block_count`, uint32(blocks)],
    [`${architecture}.feed_forward_length`, uint32(inner)],
    [`${architecture}.attention.head_count`, uint32(4)],
    [`${architecture}.attention.head_count_kv`, uint32(2)],
    [`${architecture}.rope.dimension_count`, uint32(16)],
    [`${architecture}.attention.layer_norm_rms_epsilon`, { type: "float32", value: 1e-5 }],
    ...tokenizer(tokens, merges),
  ];
  const replaced = new Map([...own, ...entries]);
  for (const key of without) replaced.delete(key);
  /** @type {Map<string, number[]>} */
  const shapes = new Map([["token_embd.weight", [width, tokens]]]);
  for (let block = 0; block < blocks; block += 1) {
    const parts = {
      attn_norm: [width],
      attn_q: [width, width],
      attn_k: [width, kv],
      attn_v: [width, kv],
      attn_output: [width, width],
      ffn_norm: [width],
      ffn_gate: [width, inner],
      ffn_up: [width, inner],
      ffn_down: [inner, width],
    };
    for (const [name, dimensions] of Object.entries(parts)) shapes.set(`blk.${block}.${name}.weight`, dimensions);
  }
  shapes.set("output_norm.weight", [width]).set("output.weight", [width, tokens]);
  for (const [name, dimensions] of Object.entries(tensors)) shapes.set(name, dimensions);
  return ggufBytes(
    [...replaced],
    [...shapes].map(([name, dimensions]) => {
      const bytes = 4 * dimensions.reduce((product, length) => product * length, 1);
      return { name, dimensions, type: F32, bytes };
    }),
  );
}

/**
 * @param {number} tokens
 * @param {number} merges
 * @returns {Entry[]}
 */
function tokenizer(tokens, merges) {
  const word = (/** @type {number} */ index, /** @type {number} */ length) => index.toString(36).padStart(length, "Ġ");
  /** @type {Entry[]} */
  const common = [
    ["tokenizer.ggml.tokens", { type: "strings", count: tokens, at: (index) => word(index, 8) }],
    ["tokenizer.ggml.token_type", { type: "int32s", count: tokens, at: (index) => (index < 3 ? 3 : 1) }],
    ["tokenizer.ggml.bos_token_id", uint32(1)],
    ["tokenizer.ggml.eos_token_id", uint32(2)],
  ];
  if (merges === 0)
    return [
      ["tokenizer.ggml.model", text("llama")],
      ["tokenizer.ggml.scores", { type: "float32s", count: tokens, at: () => 0 }],
      ["tokenizer.ggml.unknown_token_id", uint32(0)],
      ...common,
    ];
  return [
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.pre", text("llama-bpe")],
    ["tokenizer.ggml.merges", { type: "strings", count: merges, at: (index) => `${word(index, 6)} ${index % 97}` }],
    ...common,
  ];
}
