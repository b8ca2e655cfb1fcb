// Large published models with attention: the numbers of their `config.json`.

import {
  deepSeek,
  gemma3n,
  gemma4,
  glm5,
  kimiLinear,
  llama4,
  miniMax,
  qwen35,
  qwen35Experts,
  qwen3Next,
  qwen3Vl,
} from "./layouts-attention.mjs";
import { sizes, types } from "./model.mjs";

/** @import { Large } from "./model.mjs" */

/** Gemma's types of blocks: the last of so many sees everything. @param {number} count @param {number} period */
const windows = (count, period) =>
  types(count, (block) => ((block + 1) % period ? "sliding_attention" : "full_attention"));

/** The linear attention of Qwen, and how a quarter of each head is rotated. */
const DELTA = {
  full_attention_interval: 4,
  layer_types: undefined,
  head_dim: 256,
  linear_key_head_dim: 128,
  linear_num_key_heads: 16,
  linear_value_head_dim: 128,
  max_position_embeddings: 262144,
};

/** The position embedding of Qwen 3.5. */
const QWEN_35_ROPE = {
  mrope_interleaved: true,
  mrope_section: [11, 11, 10],
  partial_rotary_factor: 0.25,
  rope_theta: 10000000,
  rope_type: "default",
};

/** The position embedding of Qwen3-VL. */
const QWEN_VL = {
  head_dim: 128,
  vocab_size: 151936,
  max_position_embeddings: 262144,
  rope_scaling: { mrope_interleaved: true, mrope_section: [24, 20, 20], rope_type: "default" },
};

/** Members that the class fills in, or that a published configuration does not have. */
const NO_LISTS = { layer_types: undefined, mlp_layer_types: undefined, indexer_types: undefined };

/** GLM 5, and the block that predicts later tokens. */
const GLM_5 = {
  ...NO_LISTS,
  scoring_func: "sigmoid",
  topk_method: "noaux_tc",
  ...sizes(`
    vocab_size=154880 hidden_size=6144 intermediate_size=12288 moe_intermediate_size=2048 num_hidden_layers=78
    num_nextn_predict_layers=1 first_k_dense_replace=3 num_attention_heads=64 num_key_value_heads=64 head_dim=64
    q_lora_rank=2048 kv_lora_rank=512 qk_head_dim=256 qk_nope_head_dim=192 qk_rope_head_dim=64 v_head_dim=256
    index_head_dim=128 index_n_heads=32 index_topk=2048 n_routed_experts=256 num_experts_per_tok=8
  `),
};

/** Gemma 4 with large heads in blocks that see everything. */
const GEMMA_4 = {
  vocab_size: 262144,
  vocab_size_per_layer_input: 262144,
  head_dim: 256,
  global_head_dim: 512,
  per_layer_config: undefined,
  max_position_embeddings: 262144,
  sliding_window: 1024,
  hidden_size_per_layer_input: 0,
  attention_k_eq_v: true,
  num_kv_shared_layers: 0,
  use_double_wide_mlp: false,
};

/** @type {readonly Large[]} */
export const LARGE_ATTENTION = [
  {
    name: "Qwen3-Next-80B-A3B-Instruct",
    like: "Qwen3-Next-80x-A3x",
    layout: qwen3Next,
    billions: 80,
    parameters: 81_324_862_720,
    allocates: [159_452_425_216, 280_363_008],
    numbers: {
      ...DELTA,
      ...sizes(`
        hidden_size=2048 intermediate_size=5120 num_hidden_layers=48 num_attention_heads=16
        num_key_value_heads=2 linear_num_value_heads=32 num_experts=512 num_experts_per_tok=10
        moe_intermediate_size=512 shared_expert_intermediate_size=512 vocab_size=151936
      `),
    },
  },
  {
    name: "Qwen3.5-27B",
    like: "Qwen3.5-0.1B",
    layout: qwen35,
    billions: 27,
    parameters: 27_320_697_856,
    allocates: [53_797_287_936, 693_764_096],
    numbers: {
      ...DELTA,
      rope_parameters: QWEN_35_ROPE,
      ...sizes(`
        hidden_size=5120 intermediate_size=17408 num_hidden_layers=64 num_attention_heads=24
        num_key_value_heads=4 linear_num_value_heads=48 vocab_size=248320
      `),
    },
  },
  {
    name: "Qwen3.5-35B-A3B",
    like: "Qwen3.5-35x-A3x",
    layout: qwen35Experts,
    billions: 35,
    parameters: 35_505_251_456,
    allocates: [69_365_647_872, 233_635_840],
    numbers: {
      ...DELTA,
      rope_parameters: QWEN_35_ROPE,
      ...sizes(`
        hidden_size=2048 num_hidden_layers=40 num_attention_heads=16 num_key_value_heads=2
        linear_num_value_heads=32 num_experts=256 num_experts_per_tok=8 moe_intermediate_size=512
        shared_expert_intermediate_size=512 vocab_size=248320
      `),
    },
  },
  {
    name: "Qwen3-VL-32B-Instruct",
    like: "Qwen3-VL-4X-Instruct",
    layout: qwen3Vl,
    billions: 33,
    parameters: 32_762_123_264,
    allocates: [65_525_600_256, 2_147_483_648],
    numbers: {
      ...QWEN_VL,
      ...sizes(`
        hidden_size=5120 intermediate_size=25600 num_hidden_layers=64 num_attention_heads=64
        num_key_value_heads=8
      `),
    },
    around: { vision_config: { deepstack_visual_indexes: [8, 16, 24] } },
  },
  {
    name: "gemma-3n-E4B-it",
    like: "gemma-3n-E4X-it",
    layout: gemma3n,
    // 8 billion with the encoders of images and sound.
    billions: 6.87,
    parameters: 6_868_990_448,
    allocates: [14_813_964_224, 100_663_296],
    numbers: {
      intermediate_size: Array(35).fill(16384),
      activation_sparsity_pattern: undefined,
      layer_types: windows(35, 5),
      ...sizes(`
        vocab_size=262400 vocab_size_per_layer_input=262144 hidden_size=2048 hidden_size_per_layer_input=256
        num_hidden_layers=35 num_attention_heads=8 num_key_value_heads=2 head_dim=256 num_kv_shared_layers=15
        laurel_rank=64 max_position_embeddings=32768 sliding_window=512
      `),
    },
  },
  {
    name: "gemma-4-31B-it",
    like: "gemma-4-E2X-it",
    isLong: true,
    layout: gemma4,
    hasAllTokens: true,
    billions: 31,
    parameters: 30_697_345_596,
    allocates: [64_215_928_704, 1_929_379_840],
    numbers: {
      ...GEMMA_4,
      layer_types: windows(60, 6),
      ...sizes(`
        hidden_size=5376 intermediate_size=21504 num_hidden_layers=60 num_attention_heads=32
        num_key_value_heads=16 num_global_key_value_heads=4
      `),
    },
  },
  {
    name: "gemma-4-26B-A4B-it",
    like: "gemma-4-E2X-it",
    layout: gemma4,
    hasAllTokens: true,
    billions: 25.2,
    parameters: 25_233_142_046,
    allocates: [51_965_708_224, 482_344_960],
    numbers: {
      ...GEMMA_4,
      layer_types: windows(30, 6),
      ...sizes(`
        hidden_size=2816 intermediate_size=2112 num_hidden_layers=30 num_attention_heads=16
        num_key_value_heads=8 num_global_key_value_heads=2 enable_moe_block=true num_experts=128 top_k_experts=8
        moe_intermediate_size=704
      `),
    },
  },
  {
    name: "gemma-4-E2B-it",
    like: "gemma-4-E2X-it",
    isLong: true,
    layout: gemma4,
    hasAllTokens: true,
    // 5.1 billion with the encoders of images and sound.
    billions: 4.65,
    parameters: 4_628_569_635,
    allocates: [10_063_019_104, 62_914_560],
    numbers: {
      ...GEMMA_4,
      layer_types: windows(35, 5),
      ...sizes(`
        hidden_size=1536 intermediate_size=6144 num_hidden_layers=35 num_attention_heads=8 num_key_value_heads=1
        max_position_embeddings=131072 sliding_window=512 hidden_size_per_layer_input=256 attention_k_eq_v=false
        num_kv_shared_layers=20 use_double_wide_mlp=true
      `),
    },
  },
  {
    name: "GLM-4.7-Flash",
    like: "GLM-4.7-Flash-tiny",
    layout: deepSeek,
    // With the block that predicts later tokens.
    billions: 31,
    parameters: 31_221_488_576,
    allocates: [59_899_361_792, 443_547_648],
    numbers: {
      ...NO_LISTS,
      ...sizes(`
        vocab_size=154880 hidden_size=2048 intermediate_size=10240 moe_intermediate_size=1536
        num_hidden_layers=47 num_nextn_predict_layers=1 num_attention_heads=20 num_key_value_heads=20
        q_lora_rank=768 kv_lora_rank=512 qk_head_dim=256 qk_nope_head_dim=192 qk_rope_head_dim=64 v_head_dim=256
        n_routed_experts=64 num_experts_per_tok=4 max_position_embeddings=202752
      `),
    },
  },
  {
    name: "GLM-5",
    like: "glm5-dsa-mini",
    isLong: true,
    layout: glm5,
    billions: 744,
    parameters: 753_864_139_008,
    allocates: [1_488_091_445_248, 899_678_208],
    numbers: { ...GLM_5, max_position_embeddings: 202752 },
  },
  {
    name: "GLM-5.2",
    like: "glm5-dsa-mini",
    layout: glm5,
    billions: 744,
    parameters: 753_329_940_480,
    allocates: [1_487_000_605_696, 780_140_544],
    numbers: {
      ...GLM_5,
      indexer_types: types(78, (block) => (block < 3 || block % 4 === 2 ? "full" : "shared")),
      max_position_embeddings: 1048576,
    },
  },
  {
    name: "DeepSeek-V3.2",
    like: "DeepSeek-V3.2-Exp-tiny",
    layout: deepSeek,
    // 671 billion without the block that predicts later tokens.
    billions: 685,
    parameters: 685_355_329_792,
    allocates: [1_344_026_791_936, 703_594_496],
    numbers: {
      ...NO_LISTS,
      ...sizes(`
        vocab_size=129280 hidden_size=7168 intermediate_size=18432 moe_intermediate_size=2048
        num_hidden_layers=61 num_nextn_predict_layers=1 first_k_dense_replace=3 num_attention_heads=128
        num_key_value_heads=128 head_dim=64 q_lora_rank=1536 kv_lora_rank=512 qk_head_dim=192
        qk_nope_head_dim=128 qk_rope_head_dim=64 v_head_dim=128 index_head_dim=128 index_n_heads=64
        index_topk=2048 n_routed_experts=256 num_experts_per_tok=8 n_group=8 topk_group=4
        routed_scaling_factor=2.5 max_position_embeddings=163840
      `),
    },
  },
  {
    name: "Kimi-Linear-48B-A3B-Instruct",
    like: "Kimi-Linear-tiny",
    layout: kimiLinear,
    billions: 48,
    parameters: 49_122_681_728,
    allocates: [98_278_444_544, 110_952_448],
    numbers: {
      ...NO_LISTS,
      linear_attn_config: {
        full_attn_layers: [4, 8, 12, 16, 20, 24, 27],
        kda_layers: [1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26],
        head_dim: 128,
        num_heads: 32,
        short_conv_kernel_size: 4,
      },
      ...sizes(`
        vocab_size=163840 hidden_size=2304 head_dim=72 intermediate_size=9216 moe_intermediate_size=1024
        num_hidden_layers=27 num_attention_heads=32 num_key_value_heads=32 kv_lora_rank=512 qk_head_dim=192
        qk_nope_head_dim=128 qk_rope_head_dim=64 v_head_dim=128 num_experts=256 num_experts_per_token=8
        model_max_length=1048576 linear_head_dim=128 linear_num_heads=32
      `),
    },
  },
  {
    name: "MiniMax-M2",
    like: "MiniMax-M2-tiny",
    layout: miniMax,
    billions: 230,
    parameters: 228_689_764_864,
    allocates: [457_478_735_872, 2_080_374_784],
    numbers: {
      scoring_func: "sigmoid",
      ...sizes(`
        vocab_size=200064 hidden_size=3072 intermediate_size=1536 num_hidden_layers=62 num_attention_heads=48
        num_key_value_heads=8 head_dim=128 rotary_dim=64 num_local_experts=256 num_experts_per_tok=8
        max_position_embeddings=196608
      `),
    },
  },
  {
    name: "Llama-4-Scout-17B-16E-Instruct",
    like: "Llama-4-Scout-4E",
    layout: llama4,
    // 109 billion with the encoder of images.
    billions: 108,
    parameters: 107_769_861_184,
    allocates: [215_548_580_096, 1_610_612_736],
    numbers: {
      moe_layers: undefined,
      no_rope_layers: undefined,
      layer_types: undefined,
      rope_scaling: {
        factor: 16,
        high_freq_factor: 1,
        low_freq_factor: 1,
        original_max_position_embeddings: 8192,
        rope_type: "llama3",
      },
      ...sizes(`
        vocab_size=202048 hidden_size=5120 intermediate_size=8192 intermediate_size_mlp=16384
        num_hidden_layers=48 num_attention_heads=40 num_key_value_heads=8 head_dim=128 num_local_experts=16
        interleave_moe_layer_step=1 attention_chunk_size=8192 max_position_embeddings=10485760
      `),
    },
  },
];
