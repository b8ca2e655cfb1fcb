//! DeepSeek V2 to V3.2, and the models of GLM with their attention.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{EXPERTS, GATED, NEXT_TOKENS, NORMS, SHARED_EXPERTS};
use super::llama::{INTERLEAVED, UNGATED, rope_dimension};
use super::rope_factors::long_factors;
use super::row::{DECODER, Family, Folder, Generated};
use super::rule::{Change, Found, Piece, name};
use super::rule_text::{Rules, rules};
use super::tied::untied;
use crate::model::config::{Config, ConfigRules, float};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, BLOCK_COUNT, Key, Keys};
use crate::model::next_tokens::{block_name, counted_blocks, given_count, stored_count};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};

pub(super) const ENDS: Rules = rules![
    name("embed_tokens", "token_embd"),
    name("norm", "output_norm"),
    name("lm_head", "output").with(Change::Custom(untied)),
];

const RULES: Rules = rules![
    name("layers.#.self_attn.q_proj", "blk.#.attn_q"),
    name("layers.#.self_attn.q_a_proj", "blk.#.attn_q_a"),
    name("layers.#.self_attn.q_a_layernorm", "blk.#.attn_q_a_norm"),
    name("layers.#.self_attn.q_b_proj", "blk.#.attn_q_b"),
    name("layers.#.self_attn.kv_a_proj_with_mqa", "blk.#.attn_kv_a_mqa"),
    name("layers.#.self_attn.kv_a_layernorm", "blk.#.attn_kv_a_norm"),
    name("layers.#.self_attn.kv_b_proj", "").with(Change::Custom(keys_and_values)),
    name("layers.#.self_attn.o_proj", "blk.#.attn_output"),
];

/// The latent attention, whose matrix of keys and values stays one.
const UNDIVIDED: Rules = rules![
    name("layers.#.self_attn.q_proj", "blk.#.attn_q"),
    name("layers.#.self_attn.q_a_proj", "blk.#.attn_q_a"),
    name("layers.#.self_attn.q_a_layernorm", "blk.#.attn_q_a_norm"),
    name("layers.#.self_attn.q_b_proj", "blk.#.attn_q_b"),
    name("layers.#.self_attn.kv_a_proj_with_mqa", "blk.#.attn_kv_a_mqa"),
    name("layers.#.self_attn.kv_a_layernorm", "blk.#.attn_kv_a_norm"),
    name("layers.#.self_attn.kv_b_proj", "blk.#.attn_kv_b"),
    name("layers.#.self_attn.o_proj", "blk.#.attn_output"),
];

/// What chooses the tokens that a block sees.
const INDEXER: Rules = rules![
    name("layers.#.self_attn.indexer.k_norm", "blk.#.indexer.k_norm"),
    name("layers.#.self_attn.indexer.weights_proj", "blk.#.indexer.proj"),
    name("layers.#.self_attn.indexer.wk", "blk.#.indexer.attn_k"),
    name("layers.#.self_attn.indexer.wq_b", "blk.#.indexer.attn_q_b"),
];

const KEYS: &[Key] = &[
    Key::List(BASE),
    // The latent attention is an attention with one head of keys.
    Key::FixedUnsigned("attention.head_count_kv", 1),
    Key::Call(dense_blocks),
    Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
    Key::Unsigned("attention.q_lora_rank", &["q_lora_rank"]),
    Key::Call(latent_sizes),
    Key::RequiredUnsigned("expert_feed_forward_length", &["moe_intermediate_size", "intermediate_size"]),
    Key::Unsigned("expert_count", &["n_routed_experts"]),
    Key::Call(shared_experts),
    Key::Float("expert_weights_scale", &["routed_scaling_factor"]),
    Key::Call(norm_weights),
    Key::RequiredUnsigned("rope.dimension_count", &["qk_rope_head_dim"]),
    Key::Call(yarn_logarithm),
];

const INDEXER_KEYS: &[Key] = &[
    Key::RequiredUnsigned("attention.indexer.head_count", &["index_n_heads"]),
    Key::RequiredUnsigned("attention.indexer.key_length", &["index_head_dim"]),
    Key::RequiredUnsigned("attention.indexer.top_k", &["index_topk"]),
];

const LATENT: Family = Family {
    architecture: "deepseek2",
    adjust: default_epsilon,
    rules: &[ENDS, NORMS, GATED, EXPERTS, SHARED_EXPERTS, RULES],
    expert_count: &["n_routed_experts"],
    keys: KEYS,
    ..DECODER
};

/// With blocks that predict later tokens.
const NEXT: Family = Family {
    adjust: count_blocks,
    splits_next_tokens: true,
    rename: block_name,
    rules: &[ENDS, NORMS, GATED, EXPERTS, SHARED_EXPERTS, RULES, NEXT_TOKENS, INDEXER],
    ..LATENT
};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["DeepseekV2ForCausalLM", "DeepseekV3ForCausalLM"],
        config: ConfigRules::Types(&["deepseek_v2", "deepseek_v3"]),
        // The blocks that predict later tokens.
        drops_later_blocks: true,
        ..LATENT
    },
    Family {
        // The language models of Kimi VL and Kimi K2.5, and Youtu, whose classes transformers does not have.
        classes: &[
            "KimiVLForConditionalGeneration",
            "KimiK25ForConditionalGeneration",
            "YoutuForCausalLM",
            "YoutuVLForConditionalGeneration",
        ],
        config: ConfigRules::AsItIs(&["kimi_vl", "kimi_k25", "deepseek_v3", "kimi_k2", "youtu", "youtu_vl"]),
        drops_later_blocks: true,
        ..LATENT
    },
    Family {
        classes: &["DeepseekForCausalLM"],
        architecture: "deepseek",
        config: ConfigRules::AsItIs(&["deepseek"]),
        vocabulary: Vocabulary::SentencePieceOrGpt2,
        rules: &[super::decoder::ENDS, INTERLEAVED, NORMS, GATED, EXPERTS, SHARED_EXPERTS],
        expert_count: &["n_routed_experts"],
        keys: &[
            Key::List(BASE),
            Key::Call(rope_dimension),
            Key::FixedText("rope.scaling.type", "none"),
            Key::RequiredUnsigned("leading_dense_block_count", &["first_k_dense_replace"]),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::RequiredUnsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
            Key::FixedFloat("expert_weights_scale", 1.0),
            Key::RequiredUnsigned("expert_count", &["n_routed_experts"]),
            Key::RequiredUnsigned("expert_shared_count", &["n_shared_experts"]),
        ],
        ..DECODER
    },
    Family {
        classes: &["PLMForCausalLM"],
        architecture: "plm",
        config: ConfigRules::AsItIs(&["plm"]),
        rules: &[super::decoder::ENDS, NORMS, UNGATED, UNDIVIDED],
        keys: &[
            Key::List(BASE),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::RequiredUnsigned("attention.kv_lora_rank", &["kv_lora_rank"]),
            Key::Call(key_length),
            Key::RequiredUnsigned("attention.value_length", &["v_head_dim"]),
            Key::RequiredUnsigned("rope.dimension_count", &["qk_rope_head_dim"]),
        ],
        ..DECODER
    },
    Family {
        classes: &["MiniCPM3ForCausalLM"],
        architecture: "minicpm3",
        config: ConfigRules::AsItIs(&["minicpm3"]),
        vocabulary: Vocabulary::SentencePiece,
        generated: |config| {
            let tensors = long_factors(config, config.required(&["qk_rope_head_dim"])?)?;
            Ok(Generated { tensors, floats: Vec::new() })
        },
        rules: &[super::decoder::ENDS, NORMS, GATED, UNDIVIDED],
        keys: &[
            Key::FileType,
            Key::RequiredUnsigned("context_length", &["max_position_embeddings"]),
            Key::RequiredUnsigned("embedding_length", &["hidden_size"]),
            BLOCK_COUNT,
            Key::RequiredUnsigned("feed_forward_length", &["intermediate_size"]),
            Key::RequiredUnsigned("attention.head_count", &["num_attention_heads"]),
            Key::RequiredUnsigned("attention.head_count_kv", &["num_key_value_heads"]),
            Key::RequiredFloat("attention.layer_norm_rms_epsilon", &["rms_norm_eps"]),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::Unsigned("attention.q_lora_rank", &["q_lora_rank"]),
            Key::RequiredUnsigned("attention.kv_lora_rank", &["kv_lora_rank"]),
            Key::Call(key_length),
            Key::RequiredUnsigned("rope.dimension_count", &["qk_rope_head_dim"]),
        ],
        ..DECODER
    },
    Family {
        classes: &["Glm4MoeLiteForCausalLM"],
        config: ConfigRules::AsItIs(&["glm4_moe_lite"]),
        rename: counted_block_name,
        vocabulary: Vocabulary::Glm4Moe,
        rules: &[ENDS, NORMS, GATED, EXPERTS, SHARED_EXPERTS, RULES, NEXT_TOKENS],
        keys: &[Key::List(KEYS), Key::Call(stored_count)],
        ..NEXT
    },
    Family {
        classes: &["GlmMoeDsaForCausalLM"],
        architecture: "glm-dsa",
        config: ConfigRules::AsItIs(&["glm_moe_dsa"]),
        vocabulary: Vocabulary::Glm4Moe,
        keys: &[
            Key::List(KEYS),
            Key::Call(rotated_part),
            Key::Call(given_count),
            Key::List(INDEXER_KEYS),
            Key::Call(indexer_types),
        ],
        ..NEXT
    },
    Family {
        classes: &["DeepseekV32ForCausalLM"],
        architecture: "deepseek32",
        config: ConfigRules::AsItIs(&["deepseek_v32"]),
        check: starts_texts,
        keys: &[Key::List(KEYS), Key::Call(given_count), Key::List(INDEXER_KEYS)],
        ..NEXT
    },
];

/// `attention.key_length`: the parts of a head that are rotated, and the others.
fn key_length(keys: &mut Keys<'_>) -> Result<()> {
    let size = |name: &str| keys.config.required(&[name]);
    let length = size("qk_nope_head_dim")?.saturating_add(size("qk_rope_head_dim")?);
    keys.put("attention.key_length", EntryValue::U32(length));
    Ok(())
}

fn default_epsilon(config: &mut Config) -> Result<()> {
    if config.get("rms_norm_eps").is_none() {
        config.set("rms_norm_eps", 1e-6.into());
    }
    Ok(())
}

fn count_blocks(config: &mut Config) -> Result<()> {
    default_epsilon(config)?;
    counted_blocks(config)
}

/// Later blocks are left out if the configuration does not count them.
fn counted_block_name(config: &Config, name: &str) -> Option<String> {
    let number = name.strip_prefix("model.layers.").and_then(|rest| rest.split_once('.')?.0.parse::<u32>().ok());
    let is_later = config.next_token_count() == 0
        && number.zip(config.block_count().ok()).is_some_and(|(number, count)| number >= count);
    if is_later { None } else { block_name(config, name) }
}

/// The reference refuses tokenizers that do not add a token at the start of a text.
fn starts_texts(_: &Config, folder: &Folder<'_>) -> Result<()> {
    const FILE: &str = "tokenizer_config.json";
    let config = folder.files.object(FILE)?.unwrap_or_default();
    let class = config.get("tokenizer_class").and_then(Value::as_str).unwrap_or_default();
    let has_member = matches!(class, "LlamaTokenizer" | "LlamaTokenizerFast");
    if has_member && config.get("add_bos_token").and_then(Value::as_bool) != Some(false) {
        return Ok(());
    }
    Err(error!(UnsupportedModel:
        "{FILE} has the tokenizer_class \"{}\", or \"add_bos_token\" is false: DeepSeek V3.2 needs LlamaTokenizerFast and true",
        Shown(class.as_bytes())))
}

fn rotated_part(keys: &mut Keys<'_>) -> Result<()> {
    let part = match keys.config.rope().get("partial_rotary_factor") {
        Some(part) => float("partial_rotary_factor", part)?,
        None => 1.0,
    };
    let size = (f64::from(keys.config.required(&["qk_rope_head_dim"])?) * part) as u32;
    keys.put("rope.dimension_count", EntryValue::U32(size));
    Ok(())
}

fn indexer_types(keys: &mut Keys<'_>) -> Result<()> {
    if let Some(types) = keys.config.texts("indexer_types")? {
        let types = types.into_iter().map(|name| name == "full").collect();
        keys.put("attention.indexer.types", EntryValue::Bools(types));
    }
    Ok(())
}

/// The matrix that makes keys and values is two tensors. That of the keys is transposed in each head.
fn keys_and_values(found: &Found<'_>) -> Result<Vec<Piece>> {
    split_keys_and_values(found, &["v_head_dim"])
}

/// As above, where members name the size of a head of values.
pub(super) fn split_keys_and_values(found: &Found<'_>, value_members: &[&str]) -> Result<Vec<Piece>> {
    let config = found.config;
    let heads = u64::from(config.required(&["num_key_value_heads"])?);
    let key = u64::from(config.required(&["qk_nope_head_dim"])?);
    let value = u64::from(config.required(value_members)?);
    let view = found.view.clone().with_rank(2)?.divided(0, &[Some(heads), Some(key + value)])?;
    let keys = view.clone().sliced(1, 0, 1, key)?.swapped(1, 2)?;
    let values = view.sliced(1, key, 1, value)?;
    Ok(vec![found.piece_named("blk.#.attn_k_b", keys), found.piece_named("blk.#.attn_v_b", values)])
}

/// `leading_dense_block_count`: the blocks before those with experts.
fn dense_blocks(keys: &mut Keys<'_>) -> Result<()> {
    let count = match keys.config.unsigned(&["first_k_dense_replace"])? {
        Some(count) => count,
        None if keys.config.unsigned(&["n_routed_experts"])?.is_some() => 0,
        None => keys.config.first_next_token_block()?,
    };
    keys.put("leading_dense_block_count", EntryValue::U32(count));
    Ok(())
}

fn latent_sizes(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let size = |name: &str| config.required(&[name]);
    let rank = if config.get("kv_lora_rank").is_some() { size("kv_lora_rank")? } else { 512 };
    let (rotated, other) = (size("qk_rope_head_dim")?, size("qk_nope_head_dim")?);
    for (key, value) in [
        ("attention.kv_lora_rank", rank),
        ("attention.key_length", rank.saturating_add(rotated)),
        ("attention.value_length", rank),
        ("attention.key_length_mla", other.saturating_add(rotated)),
        ("attention.value_length_mla", size("v_head_dim")?),
    ] {
        keys.put(key, EntryValue::U32(value));
    }
    Ok(())
}

fn shared_experts(keys: &mut Keys<'_>) -> Result<()> {
    let count =
        if keys.config.get("n_shared_experts").is_some() { keys.config.required(&["n_shared_experts"])? } else { 0 };
    keys.put("expert_shared_count", EntryValue::U32(count));
    Ok(())
}

fn norm_weights(keys: &mut Keys<'_>) -> Result<()> {
    if keys.config.boolean("norm_topk_prob")? == Some(true) {
        keys.put("expert_weights_norm", EntryValue::Bool(true));
    }
    Ok(())
}

/// `rope.scaling.yarn_log_multiplier`.
fn yarn_logarithm(keys: &mut Keys<'_>) -> Result<()> {
    if let Some(scale) = keys.config.rope().get("mscale_all_dim").filter(|scale| **scale != Value::Null) {
        let scale = float("mscale_all_dim", scale)?;
        keys.put("rope.scaling.yarn_log_multiplier", EntryValue::F32((0.1 * scale) as f32));
    }
    Ok(())
}
