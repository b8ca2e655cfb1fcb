// A small model in a format before GGUF: GGJT version 3 of the LLaMA family, one block, all tensors F32.

const TOKENS = ["<unk>", "<s>", "</s>"];

/** @param {...number} numbers */
const u32s = (...numbers) => Buffer.from(new Uint8Array(Uint32Array.from(numbers).buffer));

/** The names and dimensions of the tensors. @param {number} width @returns {readonly (readonly [name: string, ...dimensions: number[]])[]} */
const tensorsOf = (width) => [
  ["tok_embeddings.weight", width, TOKENS.length],
  ["norm.weight", width],
  ["output.weight", width, TOKENS.length],
  ...["wq", "wk", "wv", "wo"].map((name) => /** @type {const} */ ([`layers.0.attention.${name}.weight`, width, width])),
  ["layers.0.attention_norm.weight", width],
  ...["w1", "w2", "w3"].map((name) => /** @type {const} */ ([`layers.0.feed_forward.${name}.weight`, width, width])),
  ["layers.0.ffn_norm.weight", width],
];

/** The bytes of the model. @param {number} width The width of the embeddings, a multiple of 32. */
export function legacyFile(width = 32) {
  // Magic, version; vocabulary, width, multiple, heads, blocks, rotated elements, file type.
  /** @type {Buffer[]} */
  const pieces = [Buffer.from("tjgg"), u32s(3, TOKENS.length, width, width, 1, 1, width, 0)];
  for (const token of TOKENS) pieces.push(u32s(token.length), Buffer.from(token), u32s(0));
  let size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const add = (/** @type {Buffer} */ piece) => {
    pieces.push(piece);
    size += piece.length;
  };
  for (const [name, ...dimensions] of tensorsOf(width)) {
    add(u32s(dimensions.length, name.length, 0, ...dimensions));
    add(Buffer.from(name));
    add(Buffer.alloc((32 - (size % 32)) % 32));
    const count = dimensions.reduce((product, extent) => product * extent, 1);
    add(Buffer.from(new Uint8Array(Float32Array.from({ length: count }, (_, i) => i / 8).buffer)));
  }
  return new Uint8Array(Buffer.concat(pieces));
}
