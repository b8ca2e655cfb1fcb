// Measures how long `estimateError` takes for a model of 8 billion weights: the shapes of Llama 3.1 8B in F16, from a source that makes up
// the rows. The argument is the number of workers.

import { Gguf, requantize } from "gguf-wasm/convert/node";
import { generator } from "../tests/support/chance.mjs";
import { ggufBytes, uint32 } from "../tests/support/gguf-bytes.mjs";

const [workers = "2"] = process.argv.slice(2);

const F16 = 1;
const [WIDTH, KV, INNER, TOKENS, BLOCKS] = [4096, 1024, 14336, 128256, 32];

/** @type {Record<string, number[]>} */
const OF_BLOCK = {
  attn_q: [WIDTH, WIDTH],
  attn_k: [WIDTH, KV],
  attn_v: [WIDTH, KV],
  attn_output: [WIDTH, WIDTH],
  ffn_gate: [WIDTH, INNER],
  ffn_up: [WIDTH, INNER],
  ffn_down: [INNER, WIDTH],
};

const tensors = [
  { name: "token_embd.weight", dimensions: [WIDTH, TOKENS] },
  { name: "output.weight", dimensions: [WIDTH, TOKENS] },
  ...Array.from({ length: BLOCKS }, (_, block) =>
    Object.entries(OF_BLOCK).map(([name, dimensions]) => ({ name: `blk.${block}.${name}.weight`, dimensions })),
  ).flat(),
].map((tensor) => ({ ...tensor, type: F16, bytes: 2 * (tensor.dimensions[0] ?? 1) * (tensor.dimensions[1] ?? 1) }));

const weights = normalWeights(1 << 20);

/** Weights of a normal distribution with a deviation of 0.02, as F16. @param {number} count */
function normalWeights(count) {
  const random = generator(16);
  const numbers = Float32Array.from({ length: count }, () => {
    return 0.02 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  });
  const bits = new Uint32Array(numbers.buffer);
  // Without subnormal numbers, and rounded towards zero.
  const halves = Uint16Array.from(bits, (bits) => {
    const exponent = ((bits >> 23) & 255) - 112;
    return ((bits >>> 16) & 0x8000) | (exponent <= 0 ? 0 : (exponent << 10) | ((bits >> 13) & 1023));
  });
  return new Uint8Array(halves.buffer);
}

/** An importance matrix for all tensors, in the older form. */
function importanceMatrix() {
  const text = new TextEncoder();
  const number = (/** @type {number} */ value) => new Uint8Array(Int32Array.of(value).buffer);
  const random = generator(3);
  const parts = [number(tensors.length)];
  for (const { name, dimensions } of tensors) {
    const columns = dimensions[0] ?? 1;
    const values = Float32Array.from({ length: columns }, () => random() ** 2);
    parts.push(number(name.length), text.encode(name), number(1), number(columns), new Uint8Array(values.buffer));
  }
  return new Blob(/** @type {BlobPart[]} */ (parts));
}

/** @type {[string, import("../tests/support/gguf-bytes.mjs").Value][]} */
const entries = [
  ["general.architecture", { type: "string", value: "llama" }],
  ["llama.context_length", uint32(131072)],
  ["llama.embedding_length", uint32(WIDTH)],
  ["llama.block_count", uint32(BLOCKS)],
  ["llama.feed_forward_length", uint32(INNER)],
  ["llama.attention.head_count", uint32(32)],
  ["llama.attention.head_count_kv", uint32(8)],
  ["llama.attention.layer_norm_rms_epsilon", { type: "float32", value: 1e-5 }],
];
const header = ggufBytes(entries, tensors, 3, false, false);
const size = header.length + tensors.reduce((sum, { bytes }) => sum + bytes, 0);
let bytesRead = 0;
const source = {
  size,
  read: async (/** @type {number} */ start, /** @type {number} */ end) => {
    bytesRead += end - start;
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length; at += weights.length)
      bytes.set(weights.subarray(0, Math.min(weights.length, bytes.length - at)), at);
    if (start < header.length) bytes.set(header.subarray(start, end));
    return bytes;
  },
};

for (const withImatrix of [false, true]) {
  const options = withImatrix ? { imatrix: importanceMatrix() } : {};
  const gguf = await Gguf.open(source);
  const plan = await requantize(gguf, { type: "Q4_K_M", workers: Number(workers), ...options });
  bytesRead = 0;
  const start = performance.now();
  const { fileTypes } = await plan.estimateError();
  const seconds = (performance.now() - start) / 1000;
  const processor = process.cpuUsage();
  console.log(
    `${withImatrix ? "with" : "without"} imatrix, ${workers} workers: ${seconds.toFixed(1)} s for ${fileTypes.length} file types, ` +
      `${(bytesRead / 1e6).toFixed(0)} MB read, processor time so far ${((processor.user + processor.system) / 1e6).toFixed(1)} s`,
  );
}
