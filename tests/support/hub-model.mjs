// A small model in the layout of Hugging Face: the class LlamaForCausalLM with a SentencePiece vocabulary, in BF16.

/** The texts of the vocabulary with their types: unknown 2, control 3, normal 1, byte 6. @type {readonly (readonly [string, number])[]} */
const PIECES = [
  ["<unk>", 2],
  ["<s>", 3],
  ["</s>", 3],
  ...Array.from(
    { length: 256 },
    (_, byte) => /** @type {const} */ ([`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`, 6]),
  ),
  ...["▁", "e", "t", "h", "▁the", "he", "o", "l", "lo", "d", "w", "r", "or"].map(
    (text) => /** @type {const} */ ([text, 1]),
  ),
];

/**
 * The sizes of a model.
 *
 * @typedef {{ width: number, inner: number, heads: number, blocks: number }} Sizes
 *
 * @type {Sizes}
 */
export const SMALL = { width: 32, inner: 64, heads: 2, blocks: 1 };

/** The number of tokens. */
export const TOKEN_COUNT = PIECES.length;

/** A field of a protobuf message that has a length. @param {number} number @param {Uint8Array} bytes */
const field = (number, bytes) => Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes]);

/** @param {number} value */
function varint(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return Buffer.from([...bytes, value]);
}

/** The bytes of `tokenizer.model`: field 1 of each piece is its text, field 2 its score, field 3 its type. */
function tokenizerModel() {
  const pieces = PIECES.map(([text, type], id) => {
    const score = Buffer.alloc(5);
    score[0] = (2 << 3) | 5;
    score.writeFloatLE(-id, 1);
    return field(1, Buffer.concat([field(1, Buffer.from(text)), score, Buffer.from([3 << 3, type])]));
  });
  return Buffer.concat(pieces);
}

/** @param {object} value */
const jsonBytes = (value) => new Uint8Array(Buffer.from(JSON.stringify(value)));

/** The configuration and the tokenizer. @param {Sizes} sizes @returns {Record<string, Uint8Array<ArrayBuffer>>} */
export function smallFilesOf({ width, inner, heads, blocks }) {
  return {
    "config.json": jsonBytes({
      architectures: ["LlamaForCausalLM"],
      model_type: "llama",
      hidden_size: width,
      intermediate_size: inner,
      num_attention_heads: heads,
      num_key_value_heads: heads,
      num_hidden_layers: blocks,
      vocab_size: TOKEN_COUNT,
      max_position_embeddings: 64,
      rms_norm_eps: 1e-5,
      rope_theta: 10000,
      tie_word_embeddings: false,
      torch_dtype: "bfloat16",
    }),
    "tokenizer.model": new Uint8Array(tokenizerModel()),
    "tokenizer_config.json": jsonBytes({ tokenizer_class: "LlamaTokenizer", bos_token: "<s>", eos_token: "</s>" }),
  };
}

/**
 * The tensors and their shapes.
 *
 * @param {Sizes} sizes
 * @returns {[name: string, shape: number[]][]}
 */
export function tensorsOf({ width, inner, blocks }) {
  /** @type {[string, number[]][]} */
  const tensors = [
    ["model.embed_tokens.weight", [TOKEN_COUNT, width]],
    ["model.norm.weight", [width]],
    ["lm_head.weight", [TOKEN_COUNT, width]],
  ];
  for (let block = 0; block < blocks; block++) {
    const of = `model.layers.${block}`;
    tensors.push([`${of}.input_layernorm.weight`, [width]], [`${of}.post_attention_layernorm.weight`, [width]]);
    for (const name of ["q", "k", "v", "o"]) tensors.push([`${of}.self_attn.${name}_proj.weight`, [width, width]]);
    for (const name of ["gate", "up"]) tensors.push([`${of}.mlp.${name}_proj.weight`, [inner, width]]);
    tensors.push([`${of}.mlp.down_proj.weight`, [width, inner]]);
  }
  return tensors;
}

/**
 * The header of a safetensors file with its length, and the size of the data.
 *
 * @param {readonly (readonly [name: string, shape: readonly number[]])[]} tensors All BF16.
 */
export function safetensorsHeader(tensors) {
  let offset = 0;
  const entries = tensors.map(([name, shape]) => {
    const start = offset;
    offset += 2 * shape.reduce((product, length) => product * length, 1);
    return [name, { dtype: "BF16", shape, data_offsets: [start, offset] }];
  });
  const text = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return { header: Buffer.concat([length, text]), dataSize: offset };
}

/** All files of an adapter of rank 2 for the queries of the first block. @param {Sizes} [sizes] @returns {Record<string, Uint8Array<ArrayBuffer>>} */
export function adapterFiles({ width } = SMALL) {
  const name = "base_model.model.model.layers.0.self_attn.q_proj";
  const { header, dataSize } = safetensorsHeader([
    [`${name}.lora_A.weight`, [2, width]],
    [`${name}.lora_B.weight`, [width, 2]],
  ]);
  const data = new Uint8Array(Uint16Array.from({ length: dataSize / 2 }, (_, i) => 0x3f00 + (i % 127)).buffer);
  return {
    "adapter_config.json": jsonBytes({ peft_type: "LORA", r: 2, lora_alpha: 4 }),
    "adapter_model.safetensors": new Uint8Array(Buffer.concat([header, data])),
  };
}

/** All files of a model whose weights are small numbers. @param {Sizes} [sizes] @returns {Record<string, Uint8Array<ArrayBuffer>>} */
export function hubModelFiles(sizes = SMALL) {
  const { header, dataSize } = safetensorsHeader(tensorsOf(sizes));
  // BF16 of 0.5 to 1: the upper half of a float.
  const data = new Uint8Array(Uint16Array.from({ length: dataSize / 2 }, (_, i) => 0x3f00 + (i % 127)).buffer);
  return { ...smallFilesOf(sizes), "model.safetensors": new Uint8Array(Buffer.concat([header, data])) };
}
