// Writes GGUF files for tests. The writer checks nothing, so that a test can write invalid files.

/**
 * @typedef {{ type: "uint16" | "uint32" | "int32" | "float32" | "uint64" | "bool", value: number | bigint | boolean }
 *   | { type: "string", value: string | Uint8Array }
 *   | { type: "strings", count: number, at: (index: number) => string | Uint8Array }
 *   | { type: "float32s" | "int32s", count: number, at: (index: number) => number }
 *   | { type: "uint8s", bytes: Uint8Array }
 *   | { type: "nested", value: string[][] }} Value
 *
 * @typedef {object} Tensor
 * @property {string} name
 * @property {number[]} dimensions
 * @property {number} type The number of the tensor type.
 * @property {number} bytes
 */

const encoder = new TextEncoder();

class Sink {
  #bytes = Buffer.alloc(1 << 16);
  #big;
  length = 0;

  /** @param {boolean} big Whether numbers are big-endian. */
  constructor(big) {
    this.#big = big;
  }

  /** @param {number} count */
  #room(count) {
    if (this.length + count <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, this.length + count));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
  /** @param {number} value */
  u16(value) {
    this.#room(2);
    this.length = this.#big
      ? this.#bytes.writeUInt16BE(value, this.length)
      : this.#bytes.writeUInt16LE(value, this.length);
  }
  /** @param {number} value */
  u32(value) {
    this.#room(4);
    const number = value >>> 0;
    this.length = this.#big
      ? this.#bytes.writeUInt32BE(number, this.length)
      : this.#bytes.writeUInt32LE(number, this.length);
  }
  /** @param {number | bigint} value */
  u64(value) {
    this.#room(8);
    const number = BigInt(value);
    this.length = this.#big
      ? this.#bytes.writeBigUInt64BE(number, this.length)
      : this.#bytes.writeBigUInt64LE(number, this.length);
  }
  /** @param {number} value */
  f32(value) {
    this.#room(4);
    this.length = this.#big
      ? this.#bytes.writeFloatBE(value, this.length)
      : this.#bytes.writeFloatLE(value, this.length);
  }
  /** @param {Uint8Array} data */
  raw(data) {
    this.#room(data.length);
    this.#bytes.set(data, this.length);
    this.length += data.length;
  }
  /** @param {string | Uint8Array} value */
  string(value) {
    const data = typeof value === "string" ? encoder.encode(value) : value;
    this.u64(data.length);
    this.raw(data);
  }
  /** @param {number} alignment */
  pad(alignment) {
    const rest = this.length % alignment;
    if (rest > 0) this.raw(new Uint8Array(alignment - rest));
  }
  done() {
    return new Uint8Array(this.#bytes.subarray(0, this.length));
  }
}

/**
 * @param {Sink} sink
 * @param {Value} value
 */
function writeValue(sink, value) {
  switch (value.type) {
    case "uint16":
      sink.u32(2);
      sink.u16(Number(value.value));
      break;
    case "uint32":
      sink.u32(4);
      sink.u32(Number(value.value));
      break;
    case "int32":
      sink.u32(5);
      sink.u32(Number(value.value));
      break;
    case "float32":
      sink.u32(6);
      sink.f32(Number(value.value));
      break;
    case "bool":
      sink.u32(7);
      sink.raw(Uint8Array.of(value.value ? 1 : 0));
      break;
    case "uint64":
      sink.u32(10);
      sink.u64(BigInt(value.value));
      break;
    case "string":
      sink.u32(8);
      sink.string(value.value);
      break;
    case "strings":
      sink.u32(9);
      sink.u32(8);
      sink.u64(value.count);
      for (let i = 0; i < value.count; i += 1) sink.string(value.at(i));
      break;
    case "float32s":
      sink.u32(9);
      sink.u32(6);
      sink.u64(value.count);
      for (let i = 0; i < value.count; i += 1) sink.f32(value.at(i));
      break;
    case "int32s":
      sink.u32(9);
      sink.u32(5);
      sink.u64(value.count);
      for (let i = 0; i < value.count; i += 1) sink.u32(value.at(i));
      break;
    case "uint8s":
      sink.u32(9);
      sink.u32(0);
      sink.u64(value.bytes.length);
      sink.raw(value.bytes);
      break;
    case "nested":
      sink.u32(9);
      sink.u32(9);
      sink.u64(value.value.length);
      for (const inner of value.value) {
        sink.u32(8);
        sink.u64(inner.length);
        for (const text of inner) sink.string(text);
      }
      break;
  }
}

/**
 * A whole file. The tensor data are zeros.
 *
 * @param {readonly (readonly [string | Uint8Array, Value])[]} metadata
 * @param {readonly Tensor[]} [tensors]
 * @param {number} [version]
 * @param {boolean} [bigEndian]
 * @property {boolean} [withData] Whether the file contains the data section.
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function ggufBytes(metadata, tensors = [], version = 3, bigEndian = false, withData = true) {
  const sink = new Sink(bigEndian);
  sink.raw(encoder.encode("GGUF"));
  sink.u32(version);
  sink.u64(tensors.length);
  sink.u64(metadata.length);
  for (const [key, value] of metadata) {
    sink.string(key);
    writeValue(sink, value);
  }
  let offset = 0;
  for (const tensor of tensors) {
    sink.string(tensor.name);
    sink.u32(tensor.dimensions.length);
    for (const size of tensor.dimensions) sink.u64(size);
    sink.u32(tensor.type);
    sink.u64(offset);
    offset += Math.ceil(tensor.bytes / 32) * 32;
  }
  if (tensors.length > 0) {
    sink.pad(32);
    if (withData) sink.raw(new Uint8Array(offset));
  }
  return sink.done();
}

/** @type {(value: string | Uint8Array) => Value} */
export const text = (value) => ({ type: "string", value });
/** @type {(value: number) => Value} */
export const uint32 = (value) => ({ type: "uint32", value });

/** A small model with every kind of entry that the page shows. */
export function smallModel() {
  /** @type {(index: number) => Tensor[]} */
  const block = (index) => [
    { name: `blk.${index}.attn_q.weight`, dimensions: [256, 256], type: 12, bytes: 36_864 },
    { name: `blk.${index}.ffn_up.weight`, dimensions: [256, 1024], type: 14, bytes: 215_040 },
    { name: `blk.${index}.attn_norm.weight`, dimensions: [256], type: 0, bytes: 1024 },
  ];
  return ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.name", text("Tiny Test")],
      ["general.file_type", uint32(15)],
      ["general.repo_url", text("https://example.com/tiny")],
      ["llama.context_length", uint32(8192)],
      ["llama.embedding_length", uint32(256)],
      ["llama.block_count", uint32(12)],
      ["llama.rope.freq_base", { type: "float32", value: 10000.1 }],
      ["tokenizer.ggml.model", text("gpt2")],
      ["tokenizer.ggml.tokens", { type: "strings", count: 1000, at: (i) => (i === 777 ? "Ġneedle" : `tok${i}`) }],
      ["tokenizer.ggml.token_type", { type: "int32s", count: 1000, at: (i) => (i === 2 ? 3 : 1) }],
      ["tokenizer.chat_template", text("{% for message in messages %}\n{{ message.content }}\n{% endfor %}")],
    ],
    [
      { name: "token_embd.weight", dimensions: [256, 1000], type: 8, bytes: 272_000 },
      ...Array.from({ length: 12 }, (_, index) => block(index)).flat(),
      { name: "output_norm.weight", dimensions: [256], type: 0, bytes: 1024 },
    ],
  );
}
