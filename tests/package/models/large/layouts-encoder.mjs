// The tensors of families with an encoder.

import { each, under } from "./shapes.mjs";

/** @import { Config, Layout, Shapes } from "./shapes.mjs" */

/** @param {Config} c @param {boolean} hasBias @returns {Shapes} */
const t5Attention = (c, hasBias) => ({
  ...Object.fromEntries(["q", "k", "v"].map((name) => [`${name}.`, [c.num_heads * c.d_kv, c.d_model]])),
  "o.": [c.d_model, c.num_heads * c.d_kv],
  ...(hasBias ? { "relative_attention_bias.": [c.relative_attention_num_buckets, c.num_heads] } : {}),
});

/** @param {Config} c @param {string} start @param {number} count @returns {Shapes} */
const t5Stack = (c, start, count) => ({
  [`${start}.final_layer_norm.`]: [c.d_model],
  ...each(`${start}.block`, count, (i) => {
    /** @type {Record<string, Shapes>} */
    const parts = {
      // Each block of UMT5 has a table of its own.
      SelfAttention: t5Attention(c, i === 0 || c.model_type === "umt5"),
      ...(start === "decoder" ? { EncDecAttention: t5Attention(c, false) } : {}),
      DenseReluDense: { "wi_0.": [c.d_ff, c.d_model], "wi_1.": [c.d_ff, c.d_model], "wo.": [c.d_model, c.d_ff] },
    };
    const layers = Object.entries(parts);
    return each("layer", layers.length, (part) => {
      const [name, shapes] = layers[part] ?? ["", {}];
      return { "layer_norm.": [c.d_model], ...under(name, shapes) };
    });
  }),
});

/** @type {Layout} */
export const t5 = (c) => ({
  "shared.": [c.vocab_size, c.d_model],
  "lm_head.": [c.vocab_size, c.d_model],
  ...t5Stack(c, "encoder", c.num_layers),
  ...t5Stack(c, "decoder", c.num_decoder_layers),
});

/** A layer with a bias. @param {string} name @param {number} rows @param {number} [columns] A norm has none. @returns {Shapes} */
const biased = (name, rows, columns) => ({
  [`${name}.`]: columns === undefined ? [rows] : [rows, columns],
  [`${name}.bias`]: [rows],
});

/** @type {Layout} */
export const jinaBert = (c) => {
  const [width, inner] = [c.hidden_size, c.intermediate_size];
  return {
    "embeddings.word_embeddings.": [c.vocab_size, width],
    "embeddings.token_type_embeddings.": [c.type_vocab_size, width],
    ...biased("embeddings.LayerNorm", width),
    ...biased("pooler.dense", width, width),
    ...each("encoder.layer", c.num_hidden_layers, () => ({
      ...["query", "key", "value"].reduce(
        (shapes, name) => ({ ...shapes, ...biased(`attention.self.${name}`, width, width) }),
        {},
      ),
      ...biased("attention.output.dense", width, width),
      ...biased("attention.output.LayerNorm", width),
      "mlp.gated_layers.": [2 * inner, width],
      ...biased("mlp.wo", width, inner),
      ...biased("mlp.layernorm", width),
    })),
  };
};
