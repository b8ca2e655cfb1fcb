// Checks the package in an environment: reads a small model in memory and the sample.

import { MODEL, VALUES } from "./model.js";

/** @typedef {{ workers?: number }} Conversion How many workers convert, if the entry can convert. */

/**
 * @param {typeof import("gguf-wasm")} api
 * @param {import("gguf-wasm").GgufSource} source The sample.
 * @param {Conversion} [conversion]
 * @returns {Promise<string>} The facts about the sample, as JSON. Throws if the small model is read incorrectly.
 */
export async function check(api, source, conversion) {
  await checkSmall(api);
  if ("tokenizerModels" in api) await checkChat(/** @type {any} */ (api));
  if ("compare" in api) await checkHashes(/** @type {any} */ (api));
  if ("requantize" in api) await checkConversion(/** @type {any} */ (api), source, conversion);
  return openSample(api, source);
}

/**
 * Converts the sample, on the calling thread and with workers.
 *
 * @param {typeof import("gguf-wasm/convert")} api
 * @param {import("gguf-wasm").GgufSource} source
 * @param {Conversion} [conversion]
 */
async function checkConversion({ Gguf, requantize }, source, conversion) {
  const gguf = await Gguf.open(source);
  const digests = [];
  for (const options of [{ workers: 0 }, conversion]) {
    const plan = await requantize(gguf, { type: "Q4_0", allowRequantize: true, ...options });
    const bytes = await new Response(plan.stream()).arrayBuffer();
    if (bytes.byteLength !== plan.size)
      throw new Error(`converted to ${bytes.byteLength} bytes, expected ${plan.size}`);
    digests.push(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).join());
  }
  if (digests[0] !== digests[1]) throw new Error("workers convert to other bytes than the calling thread");
  gguf.free();
}

/**
 * Renders a conversation, for which another module is loaded.
 *
 * @param {typeof import("gguf-wasm/explain")} api
 */
async function checkChat({ Gguf }) {
  const gguf = await Gguf.open(MODEL);
  const { text } = await gguf.chat([{ role: "user", content: "Hi" }]);
  if (text !== "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n") throw new Error(`rendered ${text}`);
  gguf.free();
}

/**
 * Hashes a model, with the hash functions of the host and without them, for which another module is loaded.
 *
 * @param {typeof import("gguf-wasm/full")} api
 */
async function checkHashes({ Gguf }) {
  const gguf = await Gguf.open(MODEL);
  const data = await gguf.readBytes("output.weight");
  /** @type {any} */
  const host = /** @type {any} */ (globalThis).process ?? {};
  const { getBuiltinModule } = host;
  const withoutCrypto = (/** @type {string} */ name) =>
    name === "node:crypto" ? undefined : getBuiltinModule?.call(host, name);
  for (const use of [getBuiltinModule, withoutCrypto]) {
    Object.assign(host, { getBuiltinModule: use });
    const { sha1, sha256 } = (await gguf.hash({ algorithms: ["sha1", "sha256"] })).data;
    for (const [name, found] of Object.entries({ "SHA-1": sha1, "SHA-256": sha256 })) {
      const digest = new Uint8Array(await crypto.subtle.digest(name, data));
      const expected = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
      if (found !== expected) throw new Error(`${name} is ${found}, expected ${expected}`);
    }
  }
  Object.assign(host, { getBuiltinModule });
  gguf.free();
}

/**
 * @param {typeof import("gguf-wasm")} api
 * @param {import("gguf-wasm").GgufSource} source
 */
export async function openSample({ Gguf }, source) {
  const gguf = await Gguf.open(source);
  const digest = await crypto.subtle.digest("SHA-256", await gguf.readBytes("output_norm.weight"));
  const seen = {
    name: gguf.metadata.get("general.name"),
    tensors: gguf.tensors.length,
    digest: Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
  gguf.free();
  return JSON.stringify(seen);
}

/** @param {typeof import("gguf-wasm")} api */
async function checkSmall({ Gguf, ggmlTypes }) {
  const gguf = await Gguf.open(MODEL);
  const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
  const tensor = gguf.tensor("output.weight");
  const seen = {
    version: gguf.version,
    name: gguf.metadata.get("general.name"),
    tokens: typeof tokens === "object" ? tokens.toArray() : tokens,
    entries: gguf.entries.map((entry) => entry.key),
    tensor: tensor && [tensor.name, tensor.type, tensor.dimensions],
    values: tensor && [...new Float32Array((await gguf.readBytes(tensor)).slice().buffer)],
    knowsTypes: ggmlTypes().some((type) => type.name === "Q4_K"),
    refused: await Gguf.open(MODEL.slice(0, 40)).then(
      () => "nothing",
      (error) => error.name,
    ),
  };
  const expected = {
    version: 3,
    name: "Small",
    tokens: ["<s>", "</s>", "a"],
    entries: ["general.name", "tokenizer.ggml.tokens"],
    tensor: ["output.weight", "F32", [4]],
    values: [...VALUES],
    knowsTypes: true,
    refused: "GgufError",
  };
  if (JSON.stringify(seen) !== JSON.stringify(expected)) throw new Error(`saw ${JSON.stringify(seen)}`);
  gguf.free();
}
