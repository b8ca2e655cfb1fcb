// A large model: a folder with a configuration, a vocabulary, and tensors that have names and shapes, but no data.

import { october, octoberFiles } from "../corpus.mjs";
import { tensorsOf } from "./shapes.mjs";

/** @import { GgufSource } from "gguf-wasm/models" */
/** @import { Config, Layout } from "./shapes.mjs" */

/**
 * A model.
 *
 * @typedef {object} Large
 * @property {string} name Its public name, under which its configuration is published.
 * @property {string} like The folder of the corpus with a small model of its kind: the rest of its configuration, and its tokenizer.
 * @property {Layout} layout
 * @property {number} billions The published number of parameters, of the language model alone.
 * @property {number} parameters The number of parameters of the GGUF file, exactly.
 * @property {[weights: number, context: number]} allocates The bytes that llama.cpp b11549 allocates for the weights, and for the keys, the
 * values and the states of 8192 tokens.
 * @property {Config} numbers
 * @property {Config} [around] Members of the configuration around that of the language model.
 * @property {boolean} [hasAllTokens] Whether the tokenizer has a token for each row of the embedding: the vocabulary is not padded.
 * @property {string[]} [tokens] Tokens that its tokenizer has besides those of the small model.
 * @property {boolean} [isOther] Whether the small model is of another class, and gives its tokenizer only.
 * @property {boolean} [isLong] Whether it is planned in long runs only, because another one is like it.
 */

/** Types of blocks. @param {number} count @param {(block: number) => string} type */
export const types = (count, type) => Array.from({ length: count }, (_, block) => type(block));

/** Members of a configuration with their values: `hidden_size=2048 tie_word_embeddings=true`. @param {string} text @returns {Config} */
export const sizes = (text) =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => {
        const [name, value = ""] = pair.split("=");
        return [name, JSON.parse(value)];
      }),
  );

/** The members of a configuration, and those of the language model in it. @param {Config} config @returns {Config} */
export const textOf = (config) => ({ ...config, ...config.text_config });

/** JSON as Python writes it, with infinite numbers. @param {Uint8Array | undefined} bytes @returns {Config} */
const parse = (bytes) =>
  JSON.parse(
    Buffer.from(bytes ?? [])
      .toString()
      .replace(/-?\bInfinity\b/g, "null"),
  );

/** The bytes of an element of a stored type. */
const SIZES = { BF16: 2, F32: 4 };

/** A tensor of a small model. @typedef {{ dtype: keyof typeof SIZES, shape: number[] }} Stored */

/** The small model that a large one is like. @param {Large} large */
export function smallOf({ like }) {
  const model = october(like);
  const files = octoberFiles(model);
  const { "model.safetensors": tensors, ...others } = files;
  const bytes = Buffer.from(tensors ?? []);
  /** @type {Record<string, Stored>} */
  const { __metadata__, ...stored } = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())).toString());
  return { config: parse(files["config.json"]), files: others, stored, pre: model.pre ?? undefined };
}

/**
 * A file that has a header and no data: a read of data fails.
 *
 * @param {[name: string, shape: number[]][]} tensors
 * @param {keyof typeof SIZES} dtype
 * @returns {GgufSource}
 */
function withoutData(tensors, dtype) {
  let size = 0;
  const entries = tensors.map(([name, shape]) => {
    const start = size;
    size += shape.reduce((product, length) => product * length, SIZES[dtype]);
    return `"${name}":{"dtype":"${dtype}","shape":[${shape}],"data_offsets":[${start},${size}]}`;
  });
  const text = Buffer.from(`{${entries.join()}}`);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const header = new Uint8Array(Buffer.concat([length, text]));
  size += header.length;
  return {
    size,
    async read(start, end) {
      if (start >= header.length) throw new Error(`bytes ${start} to ${end} are read, which are data`);
      // A request for the header may be longer than the header.
      const bytes = new Uint8Array(Math.min(end, size) - start);
      bytes.set(header.subarray(start, end));
      return bytes;
    },
  };
}

/** The most tensors of a file: the header of a file stays below 10 MB. */
const TENSORS_OF_FILE = 40_000;

/** The files with tensors, by their names. @param {[name: string, shape: number[]][]} tensors @param {keyof typeof SIZES} dtype */
function partsOf(tensors, dtype) {
  const count = Math.ceil(tensors.length / TENSORS_OF_FILE);
  const five = (/** @type {number} */ number) => String(number).padStart(5, "0");
  /** @type {Record<string, GgufSource>} */
  const parts = {};
  for (let part = 0; part < count; part++) {
    const name = count === 1 ? "model.safetensors" : `model-${five(part + 1)}-of-${five(count)}.safetensors`;
    parts[name] = withoutData(tensors.slice(part * TENSORS_OF_FILE, (part + 1) * TENSORS_OF_FILE), dtype);
  }
  return parts;
}

/** The tokenizer of the small model, with the tokens that the large one needs. @param {Large} large @param {Uint8Array | undefined} bytes */
function tokenizerOf({ numbers, hasAllTokens, tokens = [] }, bytes) {
  const tokenizer = parse(bytes);
  const { model, added_tokens: added } = tokenizer;
  for (const { id, content } of added) model.vocab[content] = id;
  let next = Object.keys(model.vocab).length;
  for (const content of tokens) added.push({ id: (model.vocab[content] = next++), content, special: true });
  for (; hasAllTokens && next < numbers.vocab_size; next++) model.vocab[`<unused${next}>`] = next;
  return new TextEncoder().encode(JSON.stringify(tokenizer));
}

/** The folder of a large model: the small files of the one that it is like, another configuration, and tensors. @param {Large} large */
export function folderOf(large) {
  const { config, files, stored } = smallOf(large);
  const { numbers, around } = large;
  const inner = config.text_config ? { text_config: { ...config.text_config, ...numbers } } : numbers;
  /** @type {Config} */
  const whole = { ...(large.isOther ? numbers : { ...config, ...inner }), ...around };
  const dtype = Object.values(stored)[0]?.dtype ?? "BF16";
  return {
    ...files,
    ...(large.hasAllTokens || large.tokens ? { "tokenizer.json": tokenizerOf(large, files["tokenizer.json"]) } : {}),
    "config.json": new TextEncoder().encode(JSON.stringify(whole)),
    ...partsOf(tensorsOf(large.layout(textOf(whole))), dtype),
  };
}
