// A GGUF file with two metadata entries and one tensor, written byte by byte.

const encoder = new TextEncoder();

/** @param {number} value */
const u32 = (value) => new Uint8Array(new Uint32Array([value]).buffer);
/** @param {number} value */
const u64 = (value) => new Uint8Array(new BigUint64Array([BigInt(value)]).buffer);
/** @param {string} text */
const string = (text) => [u64(encoder.encode(text).length), encoder.encode(text)];

const STRING = u32(8);
const ARRAY = u32(9);
const F32 = u32(0);

const header = [
  encoder.encode("GGUF"),
  u32(3),
  u64(1),
  u64(2),
  ...string("general.name"),
  STRING,
  ...string("Small"),
  ...string("tokenizer.ggml.tokens"),
  ARRAY,
  STRING,
  u64(3),
  ...string("<s>"),
  ...string("</s>"),
  ...string("a"),
  ...string("output.weight"),
  u32(1),
  u64(4),
  F32,
  u64(0),
];
const headerSize = header.reduce((sum, part) => sum + part.length, 0);

/** The tensor's values. */
export const VALUES = new Float32Array([1, -2, 0.5, 4]);

/** The bytes of the file. */
export const MODEL = new Uint8Array(Math.ceil(headerSize / 32) * 32 + VALUES.byteLength);
let at = 0;
for (const part of header) {
  MODEL.set(part, at);
  at += part.length;
}
MODEL.set(new Uint8Array(VALUES.buffer), MODEL.length - VALUES.byteLength);
