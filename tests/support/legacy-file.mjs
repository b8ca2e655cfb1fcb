// A small model in a format before GGUF: GGJT version 3 of the LLaMA family, one block, all tensors F32.

const WIDTH = 32;
const TOKENS = ["<unk>", "<s>", "</s>"];

/** @param {...number} numbers */
const u32s = (...numbers) => Buffer.from(new Uint8Array(Uint32Array.from(numbers).buffer));

/** @type {readonly (readonly [name: string, ...dimensions: number[]])[]} */
const TENSORS = [
  ["tok_embeddings.weight", WIDTH, TOKENS.length],
  ["norm.weight", WIDTH],
  ["output.weight", WIDTH, TOKENS.length],
  ...["wq", "wk", "wv", "wo"].map((name) => /** @type {const} */ ([`layers.0.attention.${name}.weight`, WIDTH, WIDTH])),
  ["layers.0.attention_norm.weight", WIDTH],
  ...["w1", "w2", "w3"].map((name) => /** @type {const} */ ([`layers.0.feed_forward.${name}.weight`, WIDTH, WIDTH])),
  ["layers.0.ffn_norm.weight", WIDTH],
];

/** The bytes of the model. */
export function legacyFile() {
  // Magic, version; vocabulary, width, multiple, heads, blocks, rotated elements, file type.
  /** @type {Buffer[]} */
  const pieces = [Buffer.from("tjgg"), u32s(3, TOKENS.length, WIDTH, WIDTH, 1, 1, WIDTH, 0)];
  for (const token of TOKENS) pieces.push(u32s(token.length), Buffer.from(token), u32s(0));
  let size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const add = (/** @type {Buffer} */ piece) => {
    pieces.push(piece);
    size += piece.length;
  };
  for (const [name, ...dimensions] of TENSORS) {
    add(u32s(dimensions.length, name.length, 0, ...dimensions));
    add(Buffer.from(name));
    add(Buffer.alloc((32 - (size % 32)) % 32));
    const count = dimensions.reduce((product, extent) => product * extent, 1);
    add(Buffer.from(new Uint8Array(Float32Array.from({ length: count }, (_, i) => i / 8).buffer)));
  }
  return new Uint8Array(Buffer.concat(pieces));
}
