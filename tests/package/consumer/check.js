// What every environment has to see of the small model.

import { MODEL, VALUES } from "./model.js";

/**
 * @param {typeof import("gguf-wasm")} api
 * @returns {Promise<string>} a word when all is well; otherwise it throws
 */
export async function check({ Gguf, ggmlTypes }) {
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
  return "works";
}
