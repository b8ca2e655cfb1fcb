// Large published models of families whose small models are not in the corpus: their whole configurations.

import { kimiK25, qwen3VlExperts } from "./layouts-attention.mjs";
import { afmoe, bailing, glm4Experts } from "./layouts-experts.mjs";
import { bamba } from "./layouts-state.mjs";
import { sizes, types } from "./model.mjs";

/** @import { Large } from "./model.mjs" */

/** @type {readonly Large[]} */
export const LARGE_OTHER = [
  {
    name: "Qwen3-VL-30B-A3B-Instruct",
    like: "Qwen3-VL-4X-Instruct",
    isOther: true,
    layout: qwen3VlExperts,
    billions: 30.5,
    parameters: 30_532_122_624,
    allocates: [61_089_832_960, 805_306_368],
    numbers: {
      architectures: ["Qwen3VLMoeForConditionalGeneration"],
      model_type: "qwen3_vl_moe",
      vision_config: { model_type: "qwen3_vl_moe", deepstack_visual_indexes: [8, 16, 24] },
      tie_word_embeddings: false,
      text_config: {
        model_type: "qwen3_vl_moe_text",
        rope_scaling: { mrope_interleaved: true, mrope_section: [24, 20, 20], rope_type: "default" },
        ...sizes(`
          hidden_size=2048 intermediate_size=6144 num_hidden_layers=48 num_attention_heads=32 num_key_value_heads=4
          head_dim=128 num_experts=128 num_experts_per_tok=8 moe_intermediate_size=768 norm_topk_prob=true
          rms_norm_eps=1e-6 rope_theta=5000000 vocab_size=151936 max_position_embeddings=262144
        `),
      },
    },
  },
  {
    name: "GLM-4.5V",
    like: "GLM-4.7-Flash-tiny",
    isOther: true,
    layout: glm4Experts("model.language_model"),
    billions: 106,
    parameters: 106_852_251_264,
    allocates: [213_753_780_736, 1_543_503_872],
    numbers: {
      architectures: ["Glm4vMoeForConditionalGeneration"],
      model_type: "glm4v_moe",
      tie_word_embeddings: false,
      text_config: {
        model_type: "glm4v_moe_text",
        rope_scaling: { mrope_section: [8, 12, 12], rope_type: "default" },
        ...sizes(`
          hidden_size=4096 intermediate_size=10944 moe_intermediate_size=1408 num_hidden_layers=46
          num_attention_heads=96 num_key_value_heads=8 head_dim=128 attention_bias=true first_k_dense_replace=1
          n_routed_experts=128 n_shared_experts=1 num_experts_per_tok=8 n_group=1 topk_group=1 norm_topk_prob=true
          routed_scaling_factor=1 partial_rotary_factor=0.5 rope_theta=10000 rms_norm_eps=1e-5 vocab_size=151552
          max_position_embeddings=65536
        `),
      },
    },
  },
  {
    name: "Solar-Open-100B",
    like: "GLM-4.7-Flash-tiny",
    isOther: true,
    tokens: ["<unk>", "<|startoftext|>"],
    layout: glm4Experts("model"),
    billions: 102.6,
    parameters: 102_651_799_552,
    allocates: [205_354_737_664, 1_610_612_736],
    numbers: {
      architectures: ["SolarOpenForCausalLM"],
      model_type: "solar_open",
      rope_scaling: { type: "yarn", factor: 2, original_max_position_embeddings: 65536 },
      ...sizes(`
        hidden_size=4096 intermediate_size=10240 moe_intermediate_size=1280 num_hidden_layers=48 num_attention_heads=64
        num_key_value_heads=8 head_dim=128 first_k_dense_replace=0 n_routed_experts=128 n_shared_experts=1
        num_experts_per_tok=8 norm_topk_prob=true routed_scaling_factor=1 partial_rotary_factor=1 rope_theta=1000000
        rms_norm_eps=1e-5 vocab_size=196608 max_position_embeddings=131072 tie_word_embeddings=false
      `),
    },
  },
  {
    name: "Kimi-K2.5",
    like: "Kimi-Linear-tiny",
    isOther: true,
    isLong: true,
    layout: kimiK25,
    billions: 1026,
    parameters: 1_026_408_232_448,
    allocates: [2_053_148_825_600, 575_668_224],
    numbers: {
      architectures: ["KimiK25ForConditionalGeneration"],
      model_type: "kimi_k25",
      text_config: {
        model_type: "kimi_k2",
        scoring_func: "sigmoid",
        topk_method: "noaux_tc",
        ...sizes(`
          hidden_size=7168 intermediate_size=18432 moe_intermediate_size=2048 num_hidden_layers=61
          num_attention_heads=64 num_key_value_heads=64 q_lora_rank=1536 kv_lora_rank=512 qk_nope_head_dim=128
          qk_rope_head_dim=64 v_head_dim=128 first_k_dense_replace=1 n_routed_experts=384 n_shared_experts=1
          num_experts_per_tok=8 n_group=1 topk_group=1 norm_topk_prob=true routed_scaling_factor=2.827
          rope_theta=50000 rms_norm_eps=1e-5 vocab_size=163840 max_position_embeddings=262144
          tie_word_embeddings=false
        `),
      },
    },
  },
  {
    name: "Trinity-Mini",
    like: "Qwen3-Next-80x-A3x",
    isOther: true,
    layout: afmoe,
    billions: 26,
    parameters: 26_123_974_400,
    allocates: [52_264_229_888, 260_046_848],
    numbers: {
      architectures: ["AfmoeForCausalLM"],
      model_type: "afmoe",
      score_func: "sigmoid",
      layer_types: types(32, (block) => (block % 4 === 3 ? "full_attention" : "sliding_attention")),
      ...sizes(`
        hidden_size=2048 intermediate_size=6144 moe_intermediate_size=1024 num_hidden_layers=32 num_attention_heads=32
        num_key_value_heads=4 head_dim=128 num_dense_layers=2 num_experts=128 num_experts_per_tok=8
        num_shared_experts=1 n_group=1 topk_group=1 route_norm=true route_scale=2.826 global_attn_every_n_layers=4
        sliding_window=2048 rope_theta=10000 rms_norm_eps=1e-5 vocab_size=200192 max_position_embeddings=131072
        mup_enabled=true tie_word_embeddings=false
      `),
    },
  },
  {
    name: "Ling-lite-1.5",
    like: "Qwen3-Next-80x-A3x",
    isOther: true,
    layout: bailing,
    billions: 16.8,
    parameters: 16_801_974_272,
    allocates: [33_611_522_048, 469_762_048],
    numbers: {
      architectures: ["BailingMoeForCausalLM"],
      model_type: "bailing_moe",
      ...sizes(`
        hidden_size=2048 intermediate_size=1408 moe_intermediate_size=1408 num_hidden_layers=28 num_attention_heads=16
        num_key_value_heads=4 first_k_dense_replace=0 num_experts=64 num_shared_experts=2 num_experts_per_tok=6
        norm_topk_prob=true norm_head=false rope_theta=600000 rms_norm_eps=1e-6 vocab_size=126464
        max_position_embeddings=32768 use_bias=false use_qkv_bias=false tie_word_embeddings=false
      `),
    },
  },
  {
    name: "Bamba-9B-v1",
    like: "granite-4.0-h-tiny-x",
    isOther: true,
    layout: bamba,
    billions: 9.78,
    parameters: 9_780_235_392,
    allocates: [19_563_950_592, 225_238_016],
    numbers: {
      architectures: ["BambaForCausalLM"],
      model_type: "bamba",
      attn_layer_indices: [9, 18, 27],
      ...sizes(`
        hidden_size=4096 intermediate_size=14336 num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=8
        mamba_n_heads=128 mamba_d_head=64 mamba_n_groups=1 mamba_d_state=128 mamba_d_conv=4 mamba_expand=2
        mamba_conv_bias=true mamba_proj_bias=false attn_rotary_emb=64 rope_theta=10000 rms_norm_eps=1e-5
        vocab_size=128256 max_position_embeddings=262144 tie_word_embeddings=false
      `),
    },
  },
];
