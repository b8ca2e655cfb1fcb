// Large published models with a state or an encoder: the numbers of their `config.json`.

import { jinaBert, t5 } from "./layouts-encoder.mjs";
import { falconH1, graniteHybrid, jamba, lfm2Experts, mamba2, nemotronH, rwkv7 } from "./layouts-state.mjs";
import { sizes, types } from "./model.mjs";

/** @import { Large } from "./model.mjs" */

/** The sizes of T5 XXL. */
const T5_XXL = sizes(`
  d_model=4096 d_ff=10240 d_kv=64 num_heads=64 num_layers=24 num_decoder_layers=24 relative_attention_num_buckets=32
`);

/** @type {readonly Large[]} */
export const LARGE_STATE = [
  {
    name: "Nemotron-H-8B-Base-8K",
    like: "Nemotron-H-tiny",
    layout: nemotronH,
    billions: 8.1,
    parameters: 8_100_852_736,
    allocates: [16_205_008_896, 237_830_144],
    numbers: {
      hybrid_override_pattern: "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-",
      head_dim: undefined,
      ...sizes(`
        vocab_size=131072 hidden_size=4096 intermediate_size=21504 num_hidden_layers=52 num_attention_heads=32
        num_key_value_heads=8 attention_head_dim=128 mamba_num_heads=128 mamba_head_dim=64 n_groups=8
        ssm_state_size=128 max_position_embeddings=8192
      `),
    },
  },
  {
    name: "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    like: "Nemotron-H-tiny",
    layout: nemotronH,
    billions: 31.6,
    parameters: 31_577_940_288,
    allocates: [63_173_608_704, 100_261_888],
    numbers: {
      hybrid_override_pattern: "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
      attention_head_dim: undefined,
      ...sizes(`
        vocab_size=131072 hidden_size=2688 intermediate_size=1856 num_hidden_layers=52 num_attention_heads=32
        num_key_value_heads=2 head_dim=128 mamba_num_heads=64 mamba_head_dim=64 n_groups=8 ssm_state_size=128
        n_routed_experts=128 n_shared_experts=1 num_experts_per_tok=6 moe_intermediate_size=1856
        moe_shared_expert_intermediate_size=3712 n_group=1 topk_group=1 norm_topk_prob=true
        routed_scaling_factor=2.5 max_position_embeddings=262144
      `),
    },
  },
  {
    name: "granite-4.0-h-small",
    like: "granite-4.0-h-tiny-x",
    layout: graniteHybrid,
    billions: 32,
    parameters: 32_207_337_984,
    allocates: [64_442_591_232, 288_862_208],
    numbers: {
      layer_types: types(40, (block) => (block % 10 === 5 ? "attention" : "mamba")),
      ...sizes(`
        vocab_size=100352 hidden_size=4096 intermediate_size=768 shared_intermediate_size=1536
        num_hidden_layers=40 num_attention_heads=32 num_key_value_heads=8 num_local_experts=72
        num_experts_per_tok=10 mamba_n_heads=128 mamba_d_head=64 mamba_d_state=128
        max_position_embeddings=131072
      `),
    },
  },
  {
    name: "Falcon-H1-7B-Instruct",
    like: "Falcon-H1-0.1X",
    layout: falconH1,
    billions: 7.59,
    parameters: 7_585_513_568,
    allocates: [15_173_157_248, 509_403_136],
    numbers: {
      ...sizes(`
        vocab_size=130048 hidden_size=3072 intermediate_size=12288 num_hidden_layers=44 num_attention_heads=12
        num_key_value_heads=2 head_dim=128 mamba_d_ssm=3072 mamba_d_head=128 mamba_d_state=256 mamba_n_heads=24
        max_position_embeddings=262144
      `),
    },
  },
  {
    name: "LFM2-8B-A1B",
    like: "LFM2-8x-A1x",
    layout: lfm2Experts,
    billions: 8.3,
    parameters: 8_339_930_560,
    allocates: [16_683_169_536, 100_958_208],
    numbers: {
      layer_types: types(24, (block) => ([2, 6, 10, 14, 18, 21].includes(block) ? "full_attention" : "conv")),
      ...sizes(`
        vocab_size=65536 hidden_size=2048 intermediate_size=7168 moe_intermediate_size=1792 num_hidden_layers=24
        num_attention_heads=32 num_key_value_heads=8 num_experts=32 num_experts_per_tok=4
        max_position_embeddings=128000
      `),
    },
  },
  {
    name: "flan-t5-xxl",
    like: "flan-t5-tiny",
    layout: t5,
    billions: 11.1,
    parameters: 11_135_332_352,
    allocates: [22_271_664_128, 3_221_225_472],
    numbers: { ...T5_XXL, vocab_size: 32128 },
  },
  {
    name: "umt5-xxl",
    like: "umt5-tiny",
    layout: t5,
    billions: 13,
    parameters: 12_972_531_712,
    allocates: [25_946_062_848, 3_221_225_472],
    numbers: { ...T5_XXL, vocab_size: 256384 },
  },
  {
    name: "Mamba-Codestral-7B-v0.1",
    like: "mamba2-130x",
    layout: mamba2,
    billions: 7.3,
    parameters: 7_285_403_648,
    allocates: [14_578_991_104, 276_299_776],
    numbers: {
      ...sizes(`
        vocab_size=32768 hidden_size=4096 num_hidden_layers=64 num_heads=128 head_dim=64 state_size=128
        n_groups=8
      `),
    },
  },
  {
    name: "RWKV7-Goose-World3-2.9B-HF",
    like: "rwkv7-0.1X-world",
    layout: rwkv7,
    billions: 2.9,
    parameters: 2_948_229_120,
    allocates: [5_931_048_960, 21_626_880],
    numbers: {
      value_dim: Array(32).fill(2560),
      ...sizes(`
        vocab_size=65536 hidden_size=2560 intermediate_size=10240 num_hidden_layers=32 head_dim=64
        a_low_rank_dim=96 decay_low_rank_dim=96 gate_low_rank_dim=320 v_low_rank_dim=64
        max_position_embeddings=4096
      `),
    },
  },
  {
    name: "Jamba-v0.1",
    like: "Jamba-dense-x",
    layout: jamba,
    billions: 52,
    parameters: 51_570_323_328,
    allocates: [103_153_843_712, 151_650_304],
    numbers: {
      ...sizes(`
        vocab_size=65536 hidden_size=4096 intermediate_size=14336 num_hidden_layers=32 num_attention_heads=32
        num_key_value_heads=8 num_experts=16 num_experts_per_tok=2 attn_layer_period=8 attn_layer_offset=4
        expert_layer_period=2 expert_layer_offset=1 mamba_d_state=16 mamba_dt_rank=256
        max_position_embeddings=262144
      `),
    },
  },
  {
    name: "jina-embeddings-v2-base-en",
    like: "jina-embeddings-v2-tiny-en",
    layout: jinaBert,
    billions: 0.137,
    parameters: 136_777_728,
    allocates: [273_727_488, 0],
    numbers: {
      ...sizes("vocab_size=30528 hidden_size=768 intermediate_size=3072 num_hidden_layers=12 num_attention_heads=12"),
    },
  },
];
