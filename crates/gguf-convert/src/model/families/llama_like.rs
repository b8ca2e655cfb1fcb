//! Decoders that differ from Llama in a few names and keys.

use alloc::vec::Vec;

use super::decoder::{ATTENTION, ENDS, GATED, NORMS, QUERY_KEY_NORMS};
use super::deepseek::ENDS as TIED_ENDS;
use super::llama::{INTERLEAVED, KEYS, LLAMA, MIXTRAL, UNGATED, rope_dimension};
use super::olmo::BIASES_AS_THEY_ARE;
use super::rope_factors::{head_dimension, long_factors, no_llama3};
use super::row::{DECODER, Family, Generated};
use super::rule::{name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, BLOCK_COUNT, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

/// AFMoE: four norms, a gate in the attention, and experts.
const AFMOE: Rules = rules![
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    name("layers.#.pre_mlp_layernorm", "blk.#.ffn_norm"),
    name("layers.#.post_mlp_layernorm", "blk.#.post_ffw_norm"),
    name("layers.#.self_attn.gate_proj", "blk.#.attn_gate"),
    name("layers.#.mlp.router.gate", "blk.#.ffn_gate_inp"),
    whole("layers.#.mlp.expert_bias", "blk.#.exp_probs_b.bias"),
    name("layers.#.mlp.experts.@.gate_proj", "blk.#.ffn_gate_exps"),
    name("layers.#.mlp.experts.@.up_proj", "blk.#.ffn_up_exps"),
    name("layers.#.mlp.experts.@.down_proj", "blk.#.ffn_down_exps"),
    name("layers.#.mlp.shared_experts.gate_proj", "blk.#.ffn_gate_shexp"),
    name("layers.#.mlp.shared_experts.up_proj", "blk.#.ffn_up_shexp"),
    name("layers.#.mlp.shared_experts.down_proj", "blk.#.ffn_down_shexp"),
];

pub(super) const FAMILIES: &[Family] = &[
    Family { classes: &["IQuestCoderForCausalLM"], config: ConfigRules::AsItIs(&["iquestcoder"]), ..LLAMA },
    Family {
        classes: &["LlamaBidirectionalModel"],
        architecture: "llama-embed",
        config: ConfigRules::AsItIs(&["llama_bidirec"]),
        rules: &[ENDS, INTERLEAVED, NORMS, GATED, MIXTRAL],
        ..LLAMA
    },
    Family {
        classes: &["NanbeigeForCausalLM"],
        architecture: "nanbeige",
        config: ConfigRules::AsItIs(&["nanbeige"]),
        keys: &[Key::List(KEYS), Key::Call(loops)],
        ..LLAMA
    },
    Family {
        classes: &["AfmoeForCausalLM"],
        architecture: "afmoe",
        config: ConfigRules::AsItIs(&["afmoe"]),
        generated: no_llama3,
        rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, GATED, AFMOE],
        keys: &[
            Key::List(KEYS),
            Key::Unsigned("expert_shared_count", &["num_shared_experts"]),
            Key::Unsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
            Key::Unsigned("leading_dense_block_count", &["num_dense_layers"]),
            Key::Bool("expert_weights_norm", "route_norm"),
            Key::Float("expert_weights_scale", &["route_scale"]),
            Key::Unsigned("attention.sliding_window", &["sliding_window"]),
        ],
        ..LLAMA
    },
    Family {
        classes: &["InternLM3ForCausalLM"],
        architecture: "llama",
        config: ConfigRules::AsItIs(&["internlm3"]),
        vocabulary: Vocabulary::InternLm3,
        rules: &[ENDS, INTERLEAVED, NORMS, GATED],
        keys: KEYS,
        ..DECODER
    },
    Family {
        classes: &["MaincoderForCausalLM"],
        architecture: "maincoder",
        config: ConfigRules::AsItIs(&["maincoder"]),
        rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, GATED],
        keys: &[Key::List(BASE), Key::Unsigned("rope.dimension_count", &["head_dim"])],
        ..DECODER
    },
    Family {
        classes: &["PanguEmbeddedForCausalLM"],
        architecture: "pangu-embedded",
        config: ConfigRules::AsItIs(&["PanguEmbedded"]),
        vocabulary: Vocabulary::Ernie,
        rules: &[TIED_ENDS, ATTENTION, NORMS, GATED],
        keys: &[
            Key::List(BASE),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::Call(rope_dimension),
            Key::Call(head_sizes),
        ],
        ..DECODER
    },
    Family {
        classes: &["OrionForCausalLM"],
        architecture: "orion",
        config: ConfigRules::AsItIs(&["orion"]),
        vocabulary: Vocabulary::SentencePiece,
        rules: &[ENDS, ATTENTION, NORMS, GATED],
        keys: &[
            Key::FileType,
            Key::FixedText("tensor_data_layout", "Meta AI original pth"),
            Key::RequiredUnsigned(
                "context_length",
                &["max_sequence_length", "max_position_embeddings", "model_max_length"],
            ),
            Key::RequiredUnsigned("embedding_length", &["hidden_size"]),
            BLOCK_COUNT,
            Key::RequiredUnsigned("feed_forward_length", &["intermediate_size"]),
            Key::RequiredUnsigned("attention.head_count", &["num_attention_heads"]),
            Key::RequiredUnsigned("attention.head_count_kv", &["num_key_value_heads", "num_attention_heads"]),
            // The configuration calls it so, but the norm has a mean.
            Key::RequiredFloat("attention.layer_norm_epsilon", &["rms_norm_eps"]),
        ],
        ..DECODER
    },
    Family {
        classes: &["Jais2ForCausalLM"],
        architecture: "jais2",
        config: ConfigRules::AsItIs(&["jais2"]),
        rules: &[ENDS, ATTENTION, NORMS, UNGATED],
        keys: &[Key::List(BASE), Key::Call(rope_dimension)],
        ..DECODER
    },
    Family {
        classes: &["MiniCPMForCausalLM"],
        architecture: "minicpm",
        config: ConfigRules::AsItIs(&["minicpm"]),
        vocabulary: Vocabulary::SentencePiece,
        rules: &[BIASES_AS_THEY_ARE, ENDS, INTERLEAVED, NORMS, GATED],
        generated: |config| {
            Ok(Generated { tensors: long_factors(config, head_of_hidden(config)?)?, floats: Vec::new() })
        },
        keys: &[Key::List(BASE), Key::Call(scales)],
        ..DECODER
    },
];

fn loops(keys: &mut Keys<'_>) -> Result<()> {
    let loops = keys.config.unsigned(&["num_loops"])?.filter(|loops| *loops > 0).unwrap_or(1);
    let skips = keys.config.boolean("skip_loop_final_norm")?.unwrap_or(false);
    keys.put("num_loops", EntryValue::U32(loops));
    keys.put("skip_loop_final_norm", EntryValue::Bool(skips));
    Ok(())
}

/// The sizes of keys and values, if the configuration does not say the size of a head.
fn head_sizes(keys: &mut Keys<'_>) -> Result<()> {
    if keys.config.unsigned(&["head_dim"])?.is_none() {
        let size = head_dimension(keys.config)?;
        keys.put("attention.key_length", EntryValue::U32(size));
        keys.put("attention.value_length", EntryValue::U32(size));
    }
    Ok(())
}

fn head_of_hidden(config: &Config) -> Result<u32> {
    Ok(config.required(&["hidden_size"])? / config.heads()?)
}

/// The numbers with which MiniCPM multiplies the embedding, each block, and the output.
fn scales(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let number = |name: &str| config.required_float(&[name]);
    let blocks = f64::from(config.required(&["num_hidden_layers"])?);
    let base = number("dim_model_base")?;
    if blocks == 0.0 || base == 0.0 {
        return Err(error!(BadJson: "\"num_hidden_layers\" or \"dim_model_base\" in {CONFIG} is 0"));
    }
    for (key, value) in [
        ("embedding_scale", number("scale_emb")?),
        ("residual_scale", number("scale_depth")? / libm::sqrt(blocks)),
        ("logit_scale", number("hidden_size")? / base),
    ] {
        keys.put(key, EntryValue::F32(value as f32));
    }
    Ok(())
}
