// The tensors of families whose blocks have attention, some with a linear attention in most blocks.

import { attention, each, ends, experts, gated, head, norms, NUMBERED, routedExperts, under } from "./shapes.mjs";

/** @import { Config, Layout, Shapes } from "./shapes.mjs" */

/** Whether a block sees all tokens: by its type, or by the distance of such blocks. @param {Config} c @param {number} block */
const isFull = (c, block) =>
  c.layer_types ? c.layer_types[block] === "full_attention" : (block + 1) % c.full_attention_interval === 0;

/** @param {Config} c @returns {Shapes} Qwen's experts, with one that every token uses. */
const sharedExpert = (c) => ({
  "gate.": [c.num_experts, c.hidden_size],
  ...under("shared_expert", gated(c.hidden_size, c.shared_expert_intermediate_size)),
  "shared_expert_gate.": [1, c.hidden_size],
});

/** Experts in one tensor for each part. @param {Config} c @returns {Shapes} */
const fused = (c) => ({
  "experts.gate_up_proj": [c.num_experts, 2 * c.moe_intermediate_size, c.hidden_size],
  "experts.down_proj": [c.num_experts, c.hidden_size, c.moe_intermediate_size],
});

/**
 * Qwen3-Next and Qwen 3.5: three blocks with a linear attention, then one with a gated attention.
 *
 * @param {string} start
 * @param {(c: Config) => Shapes} projections Of the linear attention.
 * @param {(c: Config) => Shapes} feedForward
 * @returns {Layout}
 */
const gatedDelta = (start, projections, feedForward) => (c) => {
  const width = c.hidden_size;
  /** @param {boolean} full @returns {Shapes} */
  const block = (full) => ({
    ...norms(width, "input_layernorm", "post_attention_layernorm"),
    ...under("mlp", feedForward(c)),
    ...(full ? under("self_attn", fullAttention) : under("linear_attn", linearAttention)),
  });
  const fullAttention = {
    ...attention(c),
    ...norms(head(c), "q_norm", "k_norm"),
    // Half of it is the gate.
    "q_proj.": [2 * c.num_attention_heads * head(c), width],
  };
  const { key, value } = linearSizes(c);
  const linearAttention = {
    A_log: [c.linear_num_value_heads],
    dt_bias: [c.linear_num_value_heads],
    "conv1d.": [2 * key + value, 1, c.linear_conv_kernel_dim],
    "norm.": [c.linear_value_head_dim],
    "out_proj.": [width, value],
    ...projections(c),
  };
  return {
    ...ends(c, start),
    ...each(`${start}.layers`, c.num_hidden_layers, (i) => block(isFull(c, i))),
    "mtp.fc.": [width, 2 * width],
    ...norms(width, "mtp.norm", "mtp.pre_fc_norm_embedding", "mtp.pre_fc_norm_hidden"),
    ...under("mtp.layers.0", block(true)),
  };
};

/** @param {Config} c */
const linearSizes = (c) => ({
  key: c.linear_num_key_heads * c.linear_key_head_dim,
  value: c.linear_num_value_heads * c.linear_value_head_dim,
});

/** @param {Config} c @returns {Shapes} */
function joined(c) {
  const { key, value } = linearSizes(c);
  return {
    "in_proj_qkvz.": [2 * key + 2 * value, c.hidden_size],
    "in_proj_ba.": [2 * c.linear_num_value_heads, c.hidden_size],
  };
}

/** @param {Config} c @returns {Shapes} */
function apart(c) {
  const { key, value } = linearSizes(c);
  return {
    "in_proj_qkv.": [2 * key + value, c.hidden_size],
    "in_proj_z.": [value, c.hidden_size],
    "in_proj_a.": [c.linear_num_value_heads, c.hidden_size],
    "in_proj_b.": [c.linear_num_value_heads, c.hidden_size],
  };
}

/** @type {Layout} */
export const qwen3Next = gatedDelta("model", joined, (c) => ({
  ...sharedExpert(c),
  ...experts(c.num_experts, gated(c.hidden_size, c.moe_intermediate_size)),
}));

/** @type {Layout} */
export const qwen35 = gatedDelta("model.language_model", apart, (c) => gated(c.hidden_size, c.intermediate_size));

/** @type {Layout} */
export const qwen35Experts = gatedDelta("model.language_model", apart, (c) => ({ ...sharedExpert(c), ...fused(c) }));

/** @param {(c: Config) => Shapes} feedForward @returns {Layout} */
const qwen3Vision = (feedForward) => (c) => ({
  ...ends(c, "model.language_model"),
  ...each("model.language_model.layers", c.num_hidden_layers, () => ({
    ...norms(c.hidden_size, "input_layernorm", "post_attention_layernorm"),
    ...under("self_attn", { ...attention(c), ...norms(head(c), "q_norm", "k_norm") }),
    ...under("mlp", feedForward(c)),
  })),
});

/** @type {Layout} */
export const qwen3Vl = qwen3Vision((c) => gated(c.hidden_size, c.intermediate_size));

/** The experts are stored transposed. @type {Layout} */
export const qwen3VlExperts = qwen3Vision((c) => ({
  "gate.": [c.num_experts, c.hidden_size],
  "experts.gate_up_proj": [c.num_experts, c.hidden_size, 2 * c.moe_intermediate_size],
  "experts.down_proj": [c.num_experts, c.moe_intermediate_size, c.hidden_size],
}));

/** The latent attention of DeepSeek. @param {Config} c @returns {Shapes} */
function latent(c) {
  const [width, rank, rotated] = [c.hidden_size, c.kv_lora_rank, c.qk_rope_head_dim];
  const queries = c.num_attention_heads * (c.qk_nope_head_dim + rotated);
  return {
    "kv_a_layernorm.": [rank],
    "kv_a_proj_with_mqa.": [rank + rotated, width],
    "kv_b_proj.": [c.num_attention_heads * (c.qk_nope_head_dim + c.v_head_dim), rank],
    "o_proj.": [width, c.num_attention_heads * c.v_head_dim],
    ...(c.q_lora_rank
      ? {
          "q_a_layernorm.": [c.q_lora_rank],
          "q_a_proj.": [c.q_lora_rank, width],
          "q_b_proj.": [queries, c.q_lora_rank],
        }
      : { "q_proj.": [queries, width] }),
  };
}

/** What chooses the tokens that a block sees. @param {Config} c @returns {Shapes} */
const indexer = (c) => ({
  "k_norm.": [c.index_head_dim],
  "k_norm.bias": [c.index_head_dim],
  "weights_proj.": [c.index_n_heads, c.hidden_size],
  "wk.": [c.index_head_dim, c.hidden_size],
  "wq_b.": [c.index_n_heads * c.index_head_dim, c.q_lora_rank],
});

/**
 * DeepSeek V3.2, GLM 5 and GLM 4.7 Flash, with the blocks that predict later tokens.
 *
 * @param {boolean} storesEnds Whether these blocks have the embedding and the output matrix once more.
 * @param {string} [around] What stands around the language model: `language_model.`
 * @returns {Layout}
 */
const latentExperts =
  (storesEnds, around = "") =>
  (c) => ({
    ...ends(c, `${around}model`, "norm", `${around}lm_head`),
    ...each(`${around}model.layers`, c.num_hidden_layers + (c.num_nextn_predict_layers ?? 0), (i) => ({
      ...norms(c.hidden_size, "input_layernorm", "post_attention_layernorm"),
      ...under("self_attn", latent(c)),
      // Blocks whose type is `shared` use the choice of an earlier block.
      ...(c.index_topk && c.indexer_types?.[i] !== "shared" ? under("self_attn.indexer", indexer(c)) : {}),
      ...under("mlp", i < c.first_k_dense_replace ? gated(c.hidden_size, c.intermediate_size) : routedExperts(c)),
      ...(i < c.num_hidden_layers
        ? {}
        : {
            "eh_proj.": [c.hidden_size, 2 * c.hidden_size],
            ...norms(c.hidden_size, "enorm", "hnorm", "shared_head.norm"),
            ...(storesEnds ? { "embed_tokens.": [c.vocab_size, c.hidden_size] } : {}),
            ...(storesEnds ? { "shared_head.head.": [c.vocab_size, c.hidden_size] } : {}),
          }),
    })),
  });

/** DeepSeek V3.2 and GLM 4.7 Flash. */
export const deepSeek = latentExperts(true);

export const glm5 = latentExperts(false);

export const kimiK25 = latentExperts(false, "language_model.");

/** Kimi Delta Attention. @param {Config} c @returns {Shapes} */
function deltaAttention(c) {
  const { num_heads: heads, head_dim: size, short_conv_kernel_size: kernel } = c.linear_attn_config;
  const [width, inner] = [c.hidden_size, heads * size];
  return {
    A_log: [1, 1, heads, 1],
    dt_bias: [inner],
    "b_proj.": [heads, width],
    "f_a_proj.": [size, width],
    "f_b_proj.": [inner, size],
    "g_a_proj.": [size, width],
    "g_b_proj.": [inner, size],
    "o_norm.": [size],
    "o_proj.": [width, inner],
    ...Object.fromEntries(
      ["q", "k", "v"].flatMap((name) => [
        [`${name}_proj.`, [inner, width]],
        [`${name}_conv1d.`, [inner, 1, kernel]],
      ]),
    ),
  };
}

/** @type {Layout} */
export const kimiLinear = (c) => ({
  ...ends(c),
  ...each("model.layers", c.num_hidden_layers, (i) => ({
    ...norms(c.hidden_size, "input_layernorm", "post_attention_layernorm"),
    // The numbers of blocks begin at 1.
    ...under("self_attn", c.linear_attn_config.full_attn_layers.includes(i + 1) ? latent(c) : deltaAttention(c)),
    ...(i < c.first_k_dense_replace
      ? under("mlp", gated(c.hidden_size, c.intermediate_size))
      : under("block_sparse_moe", {
          "gate.": [c.num_experts, c.hidden_size],
          "gate.e_score_correction_bias": [c.num_experts],
          ...under("shared_experts", gated(c.hidden_size, c.num_shared_experts * c.moe_intermediate_size)),
          ...experts(c.num_experts, gated(c.hidden_size, c.moe_intermediate_size, NUMBERED)),
        })),
  })),
});

/** @type {Layout} */
export const miniMax = (c) => ({
  ...ends(c),
  ...each("model.layers", c.num_hidden_layers, () => ({
    ...norms(c.hidden_size, "input_layernorm", "post_attention_layernorm"),
    ...under("self_attn", {
      ...attention(c),
      "q_norm.": [c.num_attention_heads * head(c)],
      "k_norm.": [c.num_key_value_heads * head(c)],
    }),
    ...under("block_sparse_moe", {
      "gate.": [c.num_local_experts, c.hidden_size],
      e_score_correction_bias: [c.num_local_experts],
      ...experts(c.num_local_experts, gated(c.hidden_size, c.intermediate_size, NUMBERED)),
    }),
  })),
});

/** @type {Layout} */
export const llama4 = (c) => ({
  ...ends(c, "language_model.model", "norm", "language_model.lm_head"),
  ...each("language_model.model.layers", c.num_hidden_layers, (i) => ({
    ...norms(c.hidden_size, "input_layernorm", "post_attention_layernorm"),
    ...under("self_attn", attention(c)),
    ...under(
      "feed_forward",
      (i + 1) % c.interleave_moe_layer_step
        ? gated(c.hidden_size, c.intermediate_size_mlp)
        : {
            "router.": [c.num_local_experts, c.hidden_size],
            ...under("shared_expert", gated(c.hidden_size, c.intermediate_size)),
            "experts.gate_up_proj": [c.num_local_experts, c.hidden_size, 2 * c.intermediate_size],
            "experts.down_proj": [c.num_local_experts, c.intermediate_size, c.hidden_size],
          },
    ),
  })),
});

/** The norms of a block of Gemma. */
const GEMMA_NORMS = [
  "input_layernorm",
  "post_attention_layernorm",
  "pre_feedforward_layernorm",
  "post_feedforward_layernorm",
];

/** What gives each block an embedding of its own. @param {Config} c @param {number} [rows] @returns {Shapes} */
const perLayerInputs = (c, rows = c.vocab_size_per_layer_input) => ({
  "embed_tokens_per_layer.": [rows, c.num_hidden_layers * c.hidden_size_per_layer_input],
  "per_layer_model_projection.": [c.num_hidden_layers * c.hidden_size_per_layer_input, c.hidden_size],
  "per_layer_projection_norm.": [c.hidden_size_per_layer_input],
});

/** @param {Config} c @returns {Shapes} */
const perLayerInput = (c) => ({
  "per_layer_input_gate.": [c.hidden_size_per_layer_input, c.hidden_size],
  "per_layer_projection.": [c.hidden_size, c.hidden_size_per_layer_input],
  "post_per_layer_input_norm.": [c.hidden_size],
});

/** @type {Layout} */
export const gemma3n = (c) => {
  const [width, streams] = [c.hidden_size, c.altup_num_inputs];
  const square = () => ({ "": [width, width] });
  return {
    ...ends({ ...c, tie_word_embeddings: true }, "model.language_model"),
    ...under("model.language_model", {
      ...perLayerInputs(c),
      ...each("altup_projections", streams - 1, square),
      ...each("altup_unembed_projections", streams - 1, square),
    }),
    ...each("model.language_model.layers", c.num_hidden_layers, (i) => ({
      ...norms(width, ...GEMMA_NORMS),
      ...perLayerInput(c),
      ...under("self_attn", { ...attention(c), ...norms(head(c), "q_norm", "k_norm") }),
      ...under("mlp", gated(width, c.intermediate_size[i] ?? c.intermediate_size)),
      "altup.correct_output_scale": [width],
      "altup.correction_coefs.": [streams, streams],
      "altup.prediction_coefs.": [streams * streams, streams],
      "altup.modality_router.": [streams, width],
      "altup.router_norm.": [width],
      "laurel.linear_left.": [c.laurel_rank, width],
      "laurel.linear_right.": [width, c.laurel_rank],
      "laurel.post_laurel_norm.": [width],
    })),
  };
};

/** The blocks after this one use its keys and values again. @param {Config} c */
const firstShared = (c) => c.num_hidden_layers - c.num_kv_shared_layers;

/** Blocks that see everything have larger heads, and may have no values. @param {Config} c @param {number} block */
function gemma4Attention(c, block) {
  const full = isFull(c, block);
  const size = full ? (c.global_head_dim ?? c.per_layer_config[block].head_dim) : c.head_dim;
  const heads = full ? (c.num_global_key_value_heads ?? c.num_key_value_heads) : c.num_key_value_heads;
  const {
    "k_proj.": keys = [],
    "v_proj.": values = [],
    ...own
  } = attention({
    ...c,
    head_dim: size,
    num_key_value_heads: heads,
  });
  return {
    ...own,
    "q_norm.": [size],
    ...(block < firstShared(c) ? { "k_proj.": keys, "k_norm.": [size] } : {}),
    ...(block < firstShared(c) && !(full && c.attention_k_eq_v) ? { "v_proj.": values } : {}),
  };
}

/** @type {Layout} */
export const gemma4 = (c) => ({
  ...ends(c, "model.language_model"),
  ...(c.hidden_size_per_layer_input ? under("model.language_model", perLayerInputs(c)) : {}),
  ...each("model.language_model.layers", c.num_hidden_layers, (i) => ({
    ...norms(c.hidden_size, ...GEMMA_NORMS),
    layer_scalar: [1],
    ...(c.hidden_size_per_layer_input ? perLayerInput(c) : {}),
    ...under("self_attn", gemma4Attention(c, i)),
    ...under("mlp", gated(c.hidden_size, c.intermediate_size * (c.use_double_wide_mlp && i >= firstShared(c) ? 2 : 1))),
    ...(c.enable_moe_block
      ? {
          ...norms(
            c.hidden_size,
            "pre_feedforward_layernorm_2",
            "post_feedforward_layernorm_1",
            "post_feedforward_layernorm_2",
          ),
          "router.proj.": [c.num_experts, c.hidden_size],
          "router.scale": [c.hidden_size],
          "router.per_expert_scale": [c.num_experts],
          ...fused(c),
        }
      : {}),
  })),
});
