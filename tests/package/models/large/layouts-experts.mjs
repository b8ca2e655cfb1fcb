// The tensors of families with experts whose small models are not in the corpus: only the loader says whether names and shapes are right.

import { attention, each, ends, experts, gated, head, norms, routedExperts, under } from "./shapes.mjs";

/** @import { Layout } from "./shapes.mjs" */

/** GLM 4.5 and Solar Open. @param {string} start @returns {Layout} */
export const glm4Experts = (start) => (c) => ({
  ...ends(c, start),
  ...each(`${start}.layers`, c.num_hidden_layers, (i) => ({
    ...norms(c.hidden_size, "input_layernorm", "post_attention_layernorm"),
    ...under("self_attn", {
      ...attention(c),
      ...(c.attention_bias ? { "q_proj.bias": [c.num_attention_heads * head(c)] } : {}),
      ...(c.attention_bias ? { "k_proj.bias": [c.num_key_value_heads * head(c)] } : {}),
      ...(c.attention_bias ? { "v_proj.bias": [c.num_key_value_heads * head(c)] } : {}),
    }),
    ...under("mlp", i < c.first_k_dense_replace ? gated(c.hidden_size, c.intermediate_size) : routedExperts(c)),
  })),
});

/** @type {Layout} */
export const afmoe = (c) => ({
  ...ends(c),
  ...each("model.layers", c.num_hidden_layers, (i) => ({
    ...norms(c.hidden_size, "input_layernorm", "post_attention_layernorm", "pre_mlp_layernorm", "post_mlp_layernorm"),
    ...under("self_attn", {
      ...attention(c),
      ...norms(head(c), "q_norm", "k_norm"),
      "gate_proj.": [c.num_attention_heads * head(c), c.hidden_size],
    }),
    ...under(
      "mlp",
      i < c.num_dense_layers
        ? gated(c.hidden_size, c.intermediate_size)
        : {
            "router.gate.": [c.num_experts, c.hidden_size],
            expert_bias: [c.num_experts],
            ...under("shared_experts", gated(c.hidden_size, c.num_shared_experts * c.moe_intermediate_size)),
            ...experts(c.num_experts, gated(c.hidden_size, c.moe_intermediate_size)),
          },
    ),
  })),
});

/** @type {Layout} */
export const bailing = (c) => ({
  "model.word_embeddings.": [c.vocab_size, c.hidden_size],
  "model.norm.": [c.hidden_size],
  "lm_head.": [c.vocab_size, c.hidden_size],
  ...each("model.layers", c.num_hidden_layers, () => ({
    ...norms(c.hidden_size, "input_layernorm", "post_attention_layernorm"),
    "attention.query_key_value.": [(c.num_attention_heads + 2 * c.num_key_value_heads) * head(c), c.hidden_size],
    "attention.dense.": [c.hidden_size, c.num_attention_heads * head(c)],
    "mlp.gate.": [c.num_experts, c.hidden_size],
    ...under("mlp.shared_experts", gated(c.hidden_size, c.num_shared_experts * c.moe_intermediate_size)),
    ...under("mlp", experts(c.num_experts, gated(c.hidden_size, c.moe_intermediate_size))),
  })),
});
