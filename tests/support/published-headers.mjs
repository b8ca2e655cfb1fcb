// Headers with the keys of published files, in their order. The names of the models, the counts of tokens and tensors, and the types of
// the tensors are those of the files; the tokens are made up. All are longer than the first range that is requested, 384 KiB.
//
// Orders of keys: of the converter of llama.cpp in the year of the file. `llama-quantize` sets `general.file_type`: until 2024 at its place,
// later at the end of the metadata.

import { ggufBytes, text, uint32 } from "./gguf-bytes.mjs";

/** @typedef {[key: string, value: import("./gguf-bytes.mjs").Value]} Entry */

/** @type {(value: number) => import("./gguf-bytes.mjs").Value} */
const float32 = (value) => ({ type: "float32", value });
/** @type {(value: boolean) => import("./gguf-bytes.mjs").Value} */
const bool = (value) => ({ type: "bool", value });

/** A word of a vocabulary. @param {number} index @param {number} length */
const word = (index, length) => index.toString(36).padStart(length, "Ġ");

/** @type {(count: number) => Entry} */
const tokens = (count) => ["tokenizer.ggml.tokens", { type: "strings", count, at: (index) => word(index, 6) }];
/** @type {(count: number) => Entry} */
const types = (count) => ["tokenizer.ggml.token_type", { type: "int32s", count, at: () => 1 }];
/** @type {(count: number) => Entry} */
const scores = (count) => ["tokenizer.ggml.scores", { type: "float32s", count, at: (index) => -index }];
/** @type {(count: number) => Entry} */
const merges = (count) => ["tokenizer.ggml.merges", { type: "strings", count, at: (index) => `${word(index, 4)} t` }];

const DENSE = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"];
const EXPERTS = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate_inp", "ffn_gate_exps", "ffn_down_exps"];
const ENCODER = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_up", "ffn_down"];

/**
 * @param {number} blocks
 * @param {readonly string[]} parts
 * @param {number} width
 * @param {number} type
 */
const tensors = (blocks, parts, width, type) =>
  [
    "token_embd",
    ...Array.from({ length: blocks }, (_, block) => parts.map((part) => `blk.${block}.${part}`)).flat(),
  ].map((name) => ({ name: `${name}.weight`, dimensions: [width, 256], type, bytes: 0 }));

/**
 * @typedef {object} PublishedHeader
 * @property {string} fileName
 * @property {string} name
 * @property {string} architecture
 * @property {string} context The context length as the page shows it.
 * @property {string} blocks
 * @property {string | undefined} fileType The file type, if it is before the vocabulary.
 * @property {() => Uint8Array<ArrayBuffer>} bytes
 */

/** @type {readonly PublishedHeader[]} */
export const PUBLISHED_HEADERS = [
  {
    fileName: "Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf",
    name: "Meta Llama 3.1 8B Instruct",
    architecture: "llama",
    context: "131,072",
    blocks: "32",
    fileType: "Q4_K_M",
    bytes: () =>
      ggufBytes(
        [
          ["general.architecture", text("llama")],
          ["general.type", text("model")],
          ["general.name", text("Meta Llama 3.1 8B Instruct")],
          ["general.finetune", text("Instruct")],
          ["general.basename", text("Meta-Llama-3.1")],
          ["general.size_label", text("8B")],
          ["general.license", text("llama3.1")],
          ["llama.block_count", uint32(32)],
          ["llama.context_length", uint32(131_072)],
          ["llama.embedding_length", uint32(4096)],
          ["llama.feed_forward_length", uint32(14_336)],
          ["llama.attention.head_count", uint32(32)],
          ["llama.attention.head_count_kv", uint32(8)],
          ["llama.rope.freq_base", float32(500_000)],
          ["llama.attention.layer_norm_rms_epsilon", float32(1e-5)],
          ["general.file_type", uint32(15)],
          ["llama.vocab_size", uint32(128_256)],
          ["llama.rope.dimension_count", uint32(128)],
          ["tokenizer.ggml.model", text("gpt2")],
          ["tokenizer.ggml.pre", text("llama-bpe")],
          tokens(128_256),
          types(128_256),
          merges(280_147),
          ["tokenizer.ggml.bos_token_id", uint32(128_000)],
          ["tokenizer.ggml.eos_token_id", uint32(128_009)],
          ["tokenizer.chat_template", text("{{ messages }}")],
          ["general.quantization_version", uint32(2)],
        ],
        tensors(32, DENSE, 4096, 12),
        3,
        false,
        false,
      ),
  },
  {
    fileName: "qwen2.5-7b-instruct-q4_k_m.gguf",
    name: "qwen2.5-7b-instruct",
    architecture: "qwen2",
    context: "131,072",
    blocks: "28",
    fileType: "Q4_K_M",
    bytes: () =>
      ggufBytes(
        [
          ["general.architecture", text("qwen2")],
          ["general.type", text("model")],
          ["general.name", text("qwen2.5-7b-instruct")],
          ["general.version", text("v0.1")],
          ["general.finetune", text("qwen2.5-7b-instruct")],
          ["general.size_label", text("7.6B")],
          ["qwen2.block_count", uint32(28)],
          ["qwen2.context_length", uint32(131_072)],
          ["qwen2.embedding_length", uint32(3584)],
          ["qwen2.feed_forward_length", uint32(18_944)],
          ["qwen2.attention.head_count", uint32(28)],
          ["qwen2.attention.head_count_kv", uint32(4)],
          ["qwen2.rope.freq_base", float32(1_000_000)],
          ["qwen2.attention.layer_norm_rms_epsilon", float32(1e-6)],
          ["general.file_type", uint32(15)],
          ["tokenizer.ggml.model", text("gpt2")],
          ["tokenizer.ggml.pre", text("qwen2")],
          tokens(152_064),
          types(152_064),
          merges(151_387),
          ["tokenizer.ggml.eos_token_id", uint32(151_645)],
          ["tokenizer.ggml.padding_token_id", uint32(151_643)],
          ["tokenizer.ggml.bos_token_id", uint32(151_643)],
          ["tokenizer.ggml.add_bos_token", bool(false)],
          ["tokenizer.chat_template", text("{{ messages }}")],
          ["general.quantization_version", uint32(2)],
        ],
        tensors(28, DENSE, 3584, 12),
        3,
        false,
        false,
      ),
  },
  {
    fileName: "gemma-3-12b-it-Q4_K_M.gguf",
    name: "Gemma 3 12b It",
    architecture: "gemma3",
    context: "131,072",
    blocks: "48",
    fileType: undefined,
    bytes: () =>
      ggufBytes(
        [
          ["general.architecture", text("gemma3")],
          ["general.type", text("model")],
          ["general.name", text("Gemma 3 12b It")],
          ["general.finetune", text("it")],
          ["general.basename", text("gemma-3")],
          ["general.size_label", text("12B")],
          ["gemma3.context_length", uint32(131_072)],
          ["gemma3.embedding_length", uint32(3840)],
          ["gemma3.block_count", uint32(48)],
          ["gemma3.feed_forward_length", uint32(15_360)],
          ["gemma3.attention.head_count", uint32(16)],
          ["gemma3.attention.layer_norm_rms_epsilon", float32(1e-6)],
          ["gemma3.attention.key_length", uint32(256)],
          ["gemma3.attention.value_length", uint32(256)],
          ["gemma3.rope.freq_base", float32(1_000_000)],
          ["gemma3.attention.sliding_window", uint32(1024)],
          ["gemma3.attention.head_count_kv", uint32(8)],
          ["tokenizer.ggml.model", text("llama")],
          ["tokenizer.ggml.pre", text("default")],
          tokens(262_144),
          scores(262_144),
          types(262_144),
          ["tokenizer.ggml.bos_token_id", uint32(2)],
          ["tokenizer.ggml.eos_token_id", uint32(106)],
          ["tokenizer.ggml.add_bos_token", bool(true)],
          ["tokenizer.chat_template", text("{{ messages }}")],
          ["general.quantization_version", uint32(2)],
          ["general.file_type", uint32(15)],
        ],
        tensors(48, DENSE, 3840, 12),
        3,
        false,
        false,
      ),
  },
  {
    fileName: "mixtral-8x7b-instruct-v0.1.Q4_K_M.gguf",
    name: "mistralai_mixtral-8x7b-instruct-v0.1",
    architecture: "llama",
    context: "32,768",
    blocks: "32",
    fileType: "Q4_K_M",
    bytes: () =>
      ggufBytes(
        [
          ["general.architecture", text("llama")],
          ["general.name", text("mistralai_mixtral-8x7b-instruct-v0.1")],
          ["llama.context_length", uint32(32_768)],
          ["llama.embedding_length", uint32(4096)],
          ["llama.block_count", uint32(32)],
          ["llama.feed_forward_length", uint32(14_336)],
          ["llama.rope.dimension_count", uint32(128)],
          ["llama.attention.head_count", uint32(32)],
          ["llama.attention.head_count_kv", uint32(8)],
          ["llama.expert_count", uint32(8)],
          ["llama.expert_used_count", uint32(2)],
          ["llama.attention.layer_norm_rms_epsilon", float32(1e-5)],
          ["llama.rope.freq_base", float32(1_000_000)],
          ["general.file_type", uint32(15)],
          ["tokenizer.ggml.model", text("llama")],
          tokens(32_000),
          scores(32_000),
          types(32_000),
          ["tokenizer.ggml.bos_token_id", uint32(1)],
          ["tokenizer.ggml.eos_token_id", uint32(2)],
          ["tokenizer.ggml.unknown_token_id", uint32(0)],
          ["tokenizer.ggml.add_bos_token", bool(true)],
          ["general.quantization_version", uint32(2)],
        ],
        tensors(32, EXPERTS, 4096, 12),
        3,
        false,
        false,
      ),
  },
  {
    fileName: "bge-large-en-v1.5-f16.gguf",
    name: "bge-large-en-v1.5",
    architecture: "bert",
    context: "512",
    blocks: "24",
    fileType: "F16",
    bytes: () =>
      ggufBytes(
        [
          ["general.architecture", text("bert")],
          ["general.name", text("bge-large-en-v1.5")],
          ["bert.block_count", uint32(24)],
          ["bert.context_length", uint32(512)],
          ["bert.embedding_length", uint32(1024)],
          ["bert.feed_forward_length", uint32(4096)],
          ["bert.attention.head_count", uint32(16)],
          ["bert.attention.layer_norm_epsilon", float32(1e-12)],
          ["general.file_type", uint32(1)],
          ["bert.attention.causal", bool(false)],
          ["bert.pooling_type", uint32(2)],
          ["tokenizer.ggml.token_type_count", uint32(2)],
          ["tokenizer.ggml.bos_token_id", uint32(101)],
          ["tokenizer.ggml.eos_token_id", uint32(102)],
          ["tokenizer.ggml.model", text("bert")],
          tokens(30_522),
          scores(30_522),
          types(30_522),
          ["tokenizer.ggml.unknown_token_id", uint32(100)],
        ],
        tensors(24, ENCODER, 1024, 1),
        3,
        false,
        false,
      ),
  },
];
