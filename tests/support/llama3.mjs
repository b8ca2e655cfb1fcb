// A header like that of Llama 3: 128,256 tokens, 280,147 merges, 291 tensors.

import { ggufBytes, text } from "./gguf-bytes.mjs";

const PARTS = ["attn_k", "attn_norm", "attn_output", "attn_q", "attn_v", "ffn_down", "ffn_gate", "ffn_norm", "ffn_up"];

/**
 * The header up to the data section.
 *
 * @param {object} [tensors] The properties of every tensor. By default 4096 × 4096 Q4_K, all at the same offset.
 * @param {number[]} [tensors.dimensions]
 * @param {number} [tensors.type]
 * @param {number} [tensors.bytes] The bytes of data of each tensor.
 */
export function llama3({ dimensions = [4096, 4096], type = 12, bytes = 0 } = {}) {
  const words = (/** @type {number} */ index, /** @type {number} */ length) => index.toString(36).padStart(length, "Ġ");
  const blocks = Array.from({ length: 32 }, (_, block) => PARTS.map((part) => `blk.${block}.${part}.weight`)).flat();
  return ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["tokenizer.ggml.tokens", { type: "strings", count: 128_256, at: (index) => words(index, 8) }],
      ["tokenizer.ggml.token_type", { type: "int32s", count: 128_256, at: () => 1 }],
      ["tokenizer.ggml.merges", { type: "strings", count: 280_147, at: (index) => `${words(index, 6)} ${index % 97}` }],
    ],
    ["token_embd.weight", ...blocks, "output_norm.weight", "output.weight"].map((name) => ({
      name,
      dimensions,
      type,
      bytes,
    })),
    3,
    false,
    false,
  );
}
