// The tensors of families with a state: Mamba, RWKV and convolutions, some with attention.

import { attention, each, ends, experts, gated, head, norms, NUMBERED, under } from "./shapes.mjs";

/** @import { Config, Layout, Shapes } from "./shapes.mjs" */

/**
 * Mamba 2.
 *
 * @param {{ width: number, heads: number, inner: number, groups: number, state: number, kernel: number, norm?: boolean }} sizes
 * @returns {Shapes}
 */
const mamba2Mixer = ({ width, heads, inner, groups, state, kernel, norm = true }) => {
  const convolved = inner + 2 * groups * state;
  return {
    A_log: [heads],
    D: [heads],
    dt_bias: [heads],
    "conv1d.": [convolved, 1, kernel],
    "conv1d.bias": [convolved],
    "in_proj.": [inner + convolved + heads, width],
    "out_proj.": [width, inner],
    ...(norm ? { "norm.": [inner] } : {}),
  };
};

/** The members of configurations that begin with `mamba_`. @param {Config} c */
const mambaSizes = (c) => ({
  width: c.hidden_size,
  heads: c.mamba_n_heads,
  inner: c.mamba_n_heads * c.mamba_d_head,
  groups: c.mamba_n_groups,
  state: c.mamba_d_state,
  kernel: c.mamba_d_conv,
});

/** @param {Config} c @returns {Shapes} */
const backboneEnds = (c) => ({
  "backbone.embeddings.": [c.vocab_size, c.hidden_size],
  "backbone.norm_f.": [c.hidden_size],
  "lm_head.": [c.vocab_size, c.hidden_size],
});

/** @type {Layout} */
export const mamba2 = (c) => ({
  ...backboneEnds(c),
  ...each("backbone.layers", c.num_hidden_layers, () => ({
    "norm.": [c.hidden_size],
    ...under(
      "mixer",
      mamba2Mixer({
        width: c.hidden_size,
        heads: c.num_heads,
        inner: c.num_heads * c.head_dim,
        groups: c.n_groups,
        state: c.state_size,
        kernel: c.conv_kernel,
      }),
    ),
  })),
});

/** A feed-forward network without a gate. @param {Config} c @param {number} inner @returns {Shapes} */
const ungated = (c, inner) => ({ "up_proj.": [inner, c.hidden_size], "down_proj.": [c.hidden_size, inner] });

/** The parts of blocks by the letters of the pattern. @type {Record<string, Layout>} */
const NEMOTRON_PARTS = {
  M: (c) =>
    mamba2Mixer({
      width: c.hidden_size,
      heads: c.mamba_num_heads,
      inner: c.mamba_num_heads * c.mamba_head_dim,
      groups: c.n_groups,
      state: c.ssm_state_size,
      kernel: c.conv_kernel,
    }),
  "*": (c) => attention(c),
  "-": (c) => ungated(c, c.intermediate_size),
  E: (c) => ({
    "gate.": [c.n_routed_experts, c.hidden_size],
    "gate.e_score_correction_bias": [c.n_routed_experts],
    ...under("shared_experts", ungated(c, c.moe_shared_expert_intermediate_size)),
    ...experts(c.n_routed_experts, ungated(c, c.moe_intermediate_size)),
  }),
};

/** @type {Layout} */
export const nemotronH = (c) => ({
  ...backboneEnds(c),
  ...each("backbone.layers", c.num_hidden_layers, (i) => ({
    "norm.": [c.hidden_size],
    ...under("mixer", NEMOTRON_PARTS[c.hybrid_override_pattern[i]]?.(c) ?? {}),
  })),
});

/** @type {Layout} */
export const graniteHybrid = (c) => ({
  ...ends(c),
  ...each("model.layers", c.num_hidden_layers, (i) => ({
    ...norms(c.hidden_size, "input_layernorm", "post_attention_layernorm"),
    ...(c.layer_types[i] === "mamba"
      ? under("mamba", mamba2Mixer(mambaSizes(c)))
      : under("self_attn", attention({ ...c, head_dim: undefined }))),
    "block_sparse_moe.router.layer.": [c.num_local_experts, c.hidden_size],
    "block_sparse_moe.input_linear.": [c.num_local_experts, 2 * c.intermediate_size, c.hidden_size],
    "block_sparse_moe.output_linear.": [c.num_local_experts, c.hidden_size, c.intermediate_size],
    "shared_mlp.input_linear.": [2 * c.shared_intermediate_size, c.hidden_size],
    "shared_mlp.output_linear.": [c.hidden_size, c.shared_intermediate_size],
  })),
});

/** @type {Layout} */
export const bamba = (c) => ({
  ...ends(c, "model", "final_layernorm"),
  ...each("model.layers", c.num_hidden_layers, (i) => ({
    ...norms(c.hidden_size, "input_layernorm", "pre_ff_layernorm"),
    ...(c.attn_layer_indices.includes(i)
      ? under("self_attn", attention(c))
      : under("mamba", mamba2Mixer(mambaSizes(c)))),
    ...under("feed_forward", gated(c.hidden_size, c.intermediate_size)),
  })),
});

/** @type {Layout} */
export const falconH1 = (c) => ({
  ...ends(c, "model", "final_layernorm"),
  ...each("model.layers", c.num_hidden_layers, () => ({
    ...norms(c.hidden_size, "input_layernorm", "pre_ff_layernorm"),
    ...under("mamba", mamba2Mixer({ ...mambaSizes(c), inner: c.mamba_d_ssm, norm: c.mamba_rms_norm })),
    ...under("self_attn", attention(c)),
    ...under("feed_forward", gated(c.hidden_size, c.intermediate_size)),
  })),
});

/** Mamba 1 with norms. @param {Config} c @returns {Shapes} */
function jambaMixer(c) {
  const [inner, rank, state] = [c.mamba_expand * c.hidden_size, c.mamba_dt_rank, c.mamba_d_state];
  return {
    A_log: [inner, state],
    D: [inner],
    "b_layernorm.": [state],
    "c_layernorm.": [state],
    "dt_layernorm.": [rank],
    "conv1d.": [inner, 1, c.mamba_d_conv],
    "conv1d.bias": [inner],
    "dt_proj.": [inner, rank],
    "dt_proj.bias": [inner],
    "in_proj.": [2 * inner, c.hidden_size],
    "out_proj.": [c.hidden_size, inner],
    "x_proj.": [rank + 2 * state, inner],
  };
}

/** @type {Layout} */
export const jamba = (c) => ({
  ...ends(c, "model", "final_layernorm"),
  ...each("model.layers", c.num_hidden_layers, (i) => ({
    ...norms(c.hidden_size, "input_layernorm", "pre_ff_layernorm"),
    ...(i % c.attn_layer_period === c.attn_layer_offset
      ? under("self_attn", attention(c))
      : under("mamba", jambaMixer(c))),
    ...under(
      "feed_forward",
      c.num_experts === 1 || i % c.expert_layer_period !== c.expert_layer_offset
        ? gated(c.hidden_size, c.intermediate_size)
        : {
            "router.": [c.num_experts, c.hidden_size],
            ...experts(c.num_experts, gated(c.hidden_size, c.intermediate_size)),
          },
    ),
  })),
});

/** @type {Layout} */
export const lfm2Experts = (c) => ({
  "model.embed_tokens.": [c.vocab_size, c.hidden_size],
  "model.embedding_norm.": [c.hidden_size],
  ...each("model.layers", c.num_hidden_layers, (i) => ({
    ...norms(c.hidden_size, "operator_norm", "ffn_norm"),
    ...(c.layer_types[i] === "conv"
      ? {
          "conv.conv.": [c.hidden_size, 1, c.conv_L_cache],
          "conv.in_proj.": [3 * c.hidden_size, c.hidden_size],
          "conv.out_proj.": [c.hidden_size, c.hidden_size],
        }
      : under("self_attn", { ...attention(c, "out_proj"), ...norms(head(c), "q_layernorm", "k_layernorm") })),
    ...under(
      "feed_forward",
      i < c.num_dense_layers
        ? gated(c.hidden_size, c.intermediate_size, NUMBERED)
        : {
            "gate.": [c.num_experts, c.hidden_size],
            expert_bias: [c.num_experts],
            ...experts(c.num_experts, gated(c.hidden_size, c.moe_intermediate_size, NUMBERED)),
          },
    ),
  })),
});

/** A norm with a bias, or several. @param {number} length @param {...string} names @returns {Shapes} */
const biased = (length, ...names) =>
  Object.fromEntries(names.flatMap((name) => ["", "bias"].map((end) => [`${name}.${end}`, [length]])));

/** Two small matrices in place of a large one. @param {number} width @param {number} rank @param {boolean} [bias] @returns {Shapes} */
const small = (width, rank, bias = true) => ({
  "lora.0.": [rank, width],
  "lora.2.": [width, rank],
  ...(bias ? { "lora.2.bias": [width] } : {}),
});

/** @type {Layout} */
export const rwkv7 = (c) => {
  const width = c.hidden_size;
  return {
    "lm_head.": [c.vocab_size, width],
    "model.embeddings.": [c.vocab_size, width],
    ...biased(width, "model.norm"),
    ...each("model.layers", c.num_hidden_layers, (i) => ({
      ...biased(width, "attn_norm", "ffn_norm", ...(i === 0 ? ["pre_norm"] : [])),
      ...under("attn", {
        ...biased(width, "g_norm"),
        ...Object.fromEntries(["r", "k", "v", "o"].map((name) => [`${name}_proj.`, [width, width]])),
        ...Object.fromEntries(["a", "g", "k", "r", "v", "w"].map((name) => [`x_${name}`, [1, 1, width]])),
        k_a: [width],
        k_k: [width],
        r_k: [width / c.head_dim, c.head_dim],
        ...under("a_lora", small(width, c.a_low_rank_dim)),
        ...under("w_lora", small(width, c.decay_low_rank_dim)),
        ...under("g_lora", small(width, c.gate_low_rank_dim, false)),
        ...(i === 0 ? {} : under("v_lora", small(width, c.v_low_rank_dim))),
      }),
      "ffn.x_k": [width],
      "ffn.key.": [c.intermediate_size, width],
      "ffn.value.": [width, c.intermediate_size],
    })),
  };
};
