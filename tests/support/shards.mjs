// Models that are split into shards, for tests.

import { ggufBytes, text, uint32 } from "./gguf-bytes.mjs";

/** The name of a shard. @param {number} number @param {number} count */
export const shardName = (number, count, prefix = "m") =>
  `${prefix}-${String(number).padStart(5, "0")}-of-${String(count).padStart(5, "0")}.gguf`;

/**
 * The shards of a model by their names. Each has one F32 tensor `t1`, `t2`, … of 1024 elements, which have the value of the
 * shard's number.
 *
 * @param {number} count
 * @param {object} [options]
 * @param {string} [options.prefix]
 * @param {number} [options.tokens] The number of tokens in the first shard.
 * @returns {Record<string, Uint8Array<ArrayBuffer>>}
 */
export function shardFiles(count, { prefix, tokens = 10 } = {}) {
  /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
  const files = {};
  for (let number = 1; number <= count; number++) {
    const place = /** @type {Parameters<typeof ggufBytes>[0]} */ ([
      ["split.no", { type: "uint16", value: number - 1 }],
      ["split.tensors.count", { type: "int32", value: count }],
      ["split.count", { type: "uint16", value: count }],
    ]);
    const metadata = /** @type {typeof place} */ ([
      ["general.architecture", text("llama")],
      ["llama.block_count", uint32(1)],
      ["tokenizer.ggml.tokens", { type: "strings", count: tokens, at: (/** @type {number} */ i) => `token ${i}` }],
    ]);
    const tensor = { name: `t${number}`, dimensions: [1024], type: 0, bytes: 4096 };
    const bytes = new Uint8Array(ggufBytes(number === 1 ? [...metadata, ...place] : place, [tensor]));
    new Float32Array(bytes.buffer, bytes.length - 4096).fill(number);
    files[shardName(number, count, prefix)] = bytes;
  }
  return files;
}

/** The shards as `File`s. @param {Record<string, Uint8Array<ArrayBuffer>>} files */
export const asFiles = (files) => Object.entries(files).map(([name, bytes]) => new File([bytes], name));
