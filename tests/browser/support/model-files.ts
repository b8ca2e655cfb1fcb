// Small model files that llama.cpp could load, and flawed ones.

import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

type Entries = Parameters<typeof ggufBytes>[0];

const WIDTH = 64;
const BLOCKS = 2;
const TOKENS = 100;

const matrix = (name: string, columns: number, rows: number) => ({
  name,
  dimensions: [columns, rows],
  type: 0,
  bytes: columns * rows * 4,
});
const vector = (name: string, length: number) => ({ name, dimensions: [length], type: 0, bytes: length * 4 });
const linear = (name: string, columns: number, rows: number) => [
  matrix(`${name}.weight`, columns, rows),
  vector(`${name}.bias`, rows),
];
const norm = (name: string) => [vector(`${name}.weight`, WIDTH), vector(`${name}.bias`, WIDTH)];

/** A BERT model like all-MiniLM-L6-v2, with two small blocks. `replaced` are entries with other values, and further entries. */
export function miniLm(replaced: Entries = []): Uint8Array {
  const blocks = Array.from({ length: BLOCKS }, (_, block) => [
    ...["attn_q", "attn_k", "attn_v", "attn_output"].flatMap((part) => linear(`blk.${block}.${part}`, WIDTH, WIDTH)),
    ...norm(`blk.${block}.attn_output_norm`),
    ...linear(`blk.${block}.ffn_up`, WIDTH, 4 * WIDTH),
    ...linear(`blk.${block}.ffn_down`, 4 * WIDTH, WIDTH),
    ...norm(`blk.${block}.layer_output_norm`),
  ]).flat();
  const entries: Entries = [
    ["general.architecture", text("bert")],
    ["general.name", text("MiniLM")],
    ["general.file_type", uint32(0)],
    ["general.quantization_version", uint32(2)],
    ["bert.block_count", uint32(BLOCKS)],
    ["bert.context_length", uint32(32)],
    ["bert.embedding_length", uint32(WIDTH)],
    ["bert.feed_forward_length", uint32(4 * WIDTH)],
    ["bert.attention.head_count", uint32(4)],
    ["bert.attention.layer_norm_epsilon", { type: "float32", value: 1e-12 }],
    ["bert.attention.causal", { type: "bool", value: false }],
    ["bert.pooling_type", uint32(1)],
    ["tokenizer.ggml.model", text("bert")],
    ["tokenizer.ggml.token_type_count", uint32(2)],
    ["tokenizer.ggml.tokens", { type: "strings", count: TOKENS, at: (i) => `tok${i}` }],
    ["tokenizer.ggml.bos_token_id", uint32(1)],
    ["tokenizer.ggml.seperator_token_id", uint32(2)],
    ["own.key", text("nobody knows it")],
  ];
  const values = new Map(replaced);
  const added = replaced.filter(([key]) => entries.every(([own]) => own !== key));
  return ggufBytes(
    [...entries.map(([key, value]) => [key, values.get(key) ?? value] as const), ...added],
    [
      matrix("token_embd.weight", WIDTH, TOKENS),
      matrix("position_embd.weight", WIDTH, 32),
      matrix("token_types.weight", WIDTH, 2),
      ...norm("token_embd_norm"),
      ...blocks,
    ],
  );
}

/** The model with two entries of a wrong type. The fix of each is safe. */
export const mistypedMiniLm = () =>
  miniLm([
    ["bert.block_count", { type: "uint64", value: 2n }],
    ["tokenizer.ggml.bos_token_id", { type: "int32", value: 1 }],
  ]);
