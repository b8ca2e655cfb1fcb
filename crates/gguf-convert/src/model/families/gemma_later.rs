//! Gemma 3n and Gemma 4: blocks that get vectors of the tokens of their own, and blocks that share keys and values.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{ATTENTION, GATED, QUERY_KEY_NORMS};
use super::gemma::{GEMMA3, refuse_attention_cap};
use super::row::{Family, Generated, without_model};
use super::rule::{Change, Found, Piece, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, float, missing, unsigned, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::json_members::elements;
use crate::model::keys::{Key, Keys};
use crate::model::tensors::content::Operation;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

/// 1 is not added to these norms.
const RULES: Rules = rules![
    name("norm", "output_norm"),
    name("lm_head", "output"),
    name("per_layer_model_projection", "per_layer_model_proj"),
    name("per_layer_projection_norm", "per_layer_proj_norm"),
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    name("layers.#.pre_feedforward_layernorm", "blk.#.ffn_norm"),
    name("layers.#.post_feedforward_layernorm", "blk.#.post_ffw_norm"),
    name("layers.#.per_layer_input_gate", "blk.#.inp_gate"),
    name("layers.#.per_layer_projection", "blk.#.proj"),
    name("layers.#.post_per_layer_input_norm", "blk.#.post_norm"),
];

/// The four streams of Gemma 3n, and its small matrices beside the attention.
const STREAMS: Rules = rules![
    name("embed_tokens", "token_embd").with(Change::Custom(padded)),
    name("embed_tokens_per_layer", "per_layer_token_embd").with(Change::Custom(padded)),
    name("altup_projections.@", "altup_proj"),
    name("altup_unembed_projections.@", "altup_unembd_proj"),
    whole("layers.#.altup.correct_output_scale", "blk.#.altup_correct_scale.weight"),
    name("layers.#.altup.correction_coefs", "blk.#.altup_correct_coef"),
    name("layers.#.altup.modality_router", "blk.#.altup_router"),
    name("layers.#.altup.prediction_coefs", "blk.#.altup_predict_coef"),
    name("layers.#.altup.router_norm", "blk.#.altup_router_norm"),
    name("layers.#.laurel.linear_left", "blk.#.laurel_l"),
    name("layers.#.laurel.linear_right", "blk.#.laurel_r"),
    name("layers.#.laurel.post_laurel_norm", "blk.#.laurel_post_norm"),
];

/// Gemma 4, with and without experts.
const FOURTH: Rules = rules![
    name("embed_tokens", "token_embd").with(Change::Custom(super::gemma::known_tokens)),
    name("embed_tokens_per_layer", "per_layer_token_embd"),
    whole("layers.#.layer_scalar", "blk.#.layer_output_scale.weight"),
    name("layers.#.pre_feedforward_layernorm_2", "blk.#.pre_ffw_norm_2"),
    name("layers.#.post_feedforward_layernorm_1", "blk.#.post_ffw_norm_1"),
    name("layers.#.post_feedforward_layernorm_2", "blk.#.post_ffw_norm_2"),
    name("layers.#.router.proj", "blk.#.ffn_gate_inp"),
    whole("layers.#.router.scale", "blk.#.ffn_gate_inp.scale"),
    whole("layers.#.router.per_expert_scale", "blk.#.ffn_down_exps.scale"),
    whole("layers.#.experts.gate_up_proj", "blk.#.ffn_gate_up_exps.weight"),
    whole("layers.#.experts.down_proj", "blk.#.ffn_down_exps.weight"),
    name("layers.#.experts.gate_up_proj", "blk.#.ffn_gate_up_exps"),
    name("layers.#.experts.down_proj", "blk.#.ffn_down_exps"),
];

const GEMMA3N: Family = Family {
    architecture: "gemma3n",
    adjust: adjust_streams,
    rename: without_model,
    rules: &[RULES, STREAMS, ATTENTION, QUERY_KEY_NORMS, GATED],
    expert_count: &[PROJECTIONS],
    keys: &[
        Key::List(GEMMA3.keys),
        Key::RequiredUnsigned("altup.active_idx", &["altup_active_idx"]),
        Key::RequiredUnsigned("altup.num_inputs", &["altup_num_inputs"]),
        Key::RequiredUnsigned("embedding_length_per_layer_input", &["hidden_size_per_layer_input"]),
        Key::RequiredUnsigned("attention.shared_kv_layers", &["num_kv_shared_layers"]),
        Key::Call(sparsity),
        Key::Call(pattern),
    ],
    ..GEMMA3
};

const GEMMA4: Family = Family {
    architecture: "gemma4",
    config: ConfigRules::AsItIs(&["gemma4", "gemma4_text", "gemma4_unified", "gemma4_unified_text"]),
    adjust: refuse_attention_cap,
    vocabulary: Vocabulary::Gemma4,
    generated: proportional_rope,
    rules: &[RULES, FOURTH, ATTENTION, QUERY_KEY_NORMS, GATED],
    keys: &[
        Key::List(GEMMA3.keys),
        Key::RequiredUnsigned("attention.shared_kv_layers", &["num_kv_shared_layers"]),
        Key::Call(per_layer_length),
        Key::Call(pattern),
        Key::Call(head_sizes),
        Key::Unsigned("expert_feed_forward_length", &["expert_intermediate_size", "moe_intermediate_size"]),
        Key::Call(feed_forward),
        Key::Call(key_value_heads),
        Key::Call(rotated),
    ],
    ..GEMMA3
};

pub(super) const FAMILIES: &[Family] = &[
    Family { classes: &["Gemma3nForCausalLM"], config: ConfigRules::Types(&["gemma3n_text"]), ..GEMMA3N },
    Family { classes: &["Gemma3nForConditionalGeneration"], config: ConfigRules::Text(&["gemma3n_text"]), ..GEMMA3N },
    Family { classes: &["Gemma4ForConditionalGeneration", "Gemma4ForCausalLM"], ..GEMMA4 },
    Family {
        classes: &["Gemma4UnifiedForConditionalGeneration"],
        keys: &[Key::List(GEMMA4.keys), Key::Call(suppressed_tokens)],
        ..GEMMA4
    },
];

/// The member with the number of projections between the streams, which the family adds.
const PROJECTIONS: &str = "altup_projection_count";

/// Completes members as the class does, which has other defaults for other numbers of blocks.
fn adjust_streams(config: &mut Config) -> Result<()> {
    const SPARSITY: &str = "activation_sparsity_pattern";
    refuse_attention_cap(config)?;
    if config.required(&["altup_num_inputs"])? != 4 {
        return Err(error!(UnsupportedModel: "\"altup_num_inputs\" in {CONFIG} is not 4, which the conversion needs"));
    }
    config.set(PROJECTIONS, 3.into());
    // The vocabulary has the tokens of images and sound, which the embeddings of the blocks do not have.
    config.remove("vocab_size_per_layer_input");
    let blocks = config.block_count()? as usize;
    if let Some(length) = config.get("intermediate_size").and_then(Value::as_u64) {
        config.set("intermediate_size", vec![length; blocks].into());
    }
    if config.get(SPARSITY).is_none_or(Value::is_null) {
        let sparse = if blocks > 10 { 10 } else { 0 };
        let pattern: Vec<f64> = (0..blocks).map(|block| if block < sparse { 0.95 } else { 0.0 }).collect();
        config.set(SPARSITY, pattern.into());
    }
    for name in ["intermediate_size", SPARSITY] {
        let list = config.get(name).unwrap_or(&Value::Null);
        if elements(list).len() != blocks {
            return Err(wrong_type(name, list, "a list with a number for each block"));
        }
    }
    Ok(())
}

/// The embedding, with zeros for tokens that have no row.
fn padded(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(2)?;
    let size = u64::from(found.config.unsigned(&["vocab_size"])?.unwrap_or(262_400));
    let mut shape = view.shape();
    shape[0] = shape[0].max(size);
    Ok(vec![Piece { name: found.named(found.target), shape, views: vec![view], operation: Operation::Keep }])
}

/// `activation_sparsity_scale`: the inverse of the normal distribution, as torch rounds it. Published models have two values only.
fn sparsity(keys: &mut Keys<'_>) -> Result<()> {
    const NAME: &str = "activation_sparsity_pattern";
    let list = keys.config.get(NAME).unwrap_or(&Value::Null);
    let scale = |part: &Value| match part.as_f64() {
        Some(0.95) => Ok(1.644_853_6),
        Some(0.0) => Ok(f32::NEG_INFINITY),
        _ => Err(wrong_type(NAME, part, "0.95 or 0 for each block")),
    };
    let scales: Vec<f32> = elements(list).iter().map(scale).collect::<Result<_>>()?;
    keys.put("activation_sparsity_scale", EntryValue::F32s(scales));
    Ok(())
}

fn windows(config: &Config) -> Result<Vec<bool>> {
    let types = config.texts("layer_types")?.ok_or_else(|| missing(&["layer_types"]))?;
    Ok(types.into_iter().map(|name| name == "sliding_attention").collect())
}

fn pattern(keys: &mut Keys<'_>) -> Result<()> {
    let windows = windows(keys.config)?;
    keys.put("attention.sliding_window_pattern", EntryValue::Bools(windows));
    Ok(())
}

fn per_layer_length(keys: &mut Keys<'_>) -> Result<()> {
    let length = keys.config.unsigned(&["hidden_size_per_layer_input"])?.unwrap_or(0);
    keys.put("embedding_length_per_layer_input", EntryValue::U32(length));
    Ok(())
}

/// A number of the blocks that see everything: a member, or what the first of these blocks says.
fn of_full_blocks(config: &Config, member: &str, inner: &str) -> Result<Option<u32>> {
    if let Some(number) = config.unsigned(&[member])? {
        return Ok(Some(number));
    }
    let types = config.texts("layer_types")?.unwrap_or_default();
    let blocks = config.get("per_layer_config").and_then(Value::as_object);
    let number = blocks.into_iter().flatten().find_map(|(block, of_block)| {
        let kind = block.parse::<usize>().ok().and_then(|block| types.get(block))?;
        of_block.get(inner).filter(|_| *kind == "full_attention")
    });
    number.map(|number| unsigned(inner, number)).transpose()
}

fn full_head_size(config: &Config) -> Result<u32> {
    of_full_blocks(config, "global_head_dim", "head_dim")?.ok_or_else(|| missing(&["global_head_dim"]))
}

fn head_sizes(keys: &mut Keys<'_>) -> Result<()> {
    let (full, window) = (full_head_size(keys.config)?, keys.config.required(&["head_dim"])?);
    for (key, size) in [
        ("attention.key_length", full),
        ("attention.value_length", full),
        ("attention.key_length_swa", window),
        ("attention.value_length_swa", window),
    ] {
        keys.put(key, EntryValue::U32(size));
    }
    Ok(())
}

/// `feed_forward_length`, twice as large in blocks that share keys and values.
fn feed_forward(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    if config.boolean("use_double_wide_mlp")? != Some(true) {
        return Ok(());
    }
    let length = config.required(&["intermediate_size"])? as i32;
    let first = config.block_count()?.saturating_sub(config.required(&["num_kv_shared_layers"])?);
    let of_block = |block| if block < first { length } else { length.saturating_mul(2) };
    let lengths: Vec<i32> = (0..config.block_count()?).map(of_block).collect();
    keys.put("feed_forward_length", EntryValue::I32s(lengths));
    Ok(())
}

fn key_value_heads(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let full = of_full_blocks(config, "num_global_key_value_heads", "num_key_value_heads")?;
    let Some((full, window)) = full.zip(config.unsigned(&["num_key_value_heads"])?) else { return Ok(()) };
    let heads =
        windows(config)?.into_iter().map(|sees_window| if sees_window { window } else { full } as i32).collect();
    keys.put("attention.head_count_kv", EntryValue::I32s(heads));
    Ok(())
}

fn rotated(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let part = match config.rope().get("partial_rotary_factor") {
        Some(part) => float("partial_rotary_factor", part)?,
        None => 1.0,
    };
    let window = (f64::from(config.required(&["head_dim"])?) * part) as u32;
    let full = full_head_size(config)?;
    keys.put("rope.dimension_count", EntryValue::U32(full));
    keys.put("rope.dimension_count_swa", EntryValue::U32(window));
    Ok(())
}

/// The factors of blocks that see everything: those of elements that are not rotated are so large that their angle is 0.
fn proportional_rope(config: &Config) -> Result<Generated> {
    const TYPE: &str = "proportional";
    let rope = config.get("rope_parameters").and_then(|rope| rope.get("full_attention"));
    let rope = rope.ok_or_else(|| missing(&["rope_parameters.full_attention"]))?;
    if rope.get("rope_type").and_then(Value::as_str) != Some(TYPE) {
        return Err(error!(UnsupportedModel:
            "the rotary position embedding of Gemma 4 in {CONFIG} is not of the type {TYPE}, which the conversion needs"));
    }
    let part = rope.get("partial_rotary_factor").ok_or_else(|| missing(&["partial_rotary_factor"]))?;
    let half = full_head_size(config)? / 2;
    let rotated = (f64::from(full_head_size(config)?) * float("partial_rotary_factor", part)? / 2.0) as u32;
    if rotated > half || half > 1 << 20 {
        return Err(wrong_type("partial_rotary_factor", part, "a number from 0 to 1"));
    }
    let factors: Vec<f32> = (0..half).map(|element| if element < rotated { 1.0 } else { 1e30 }).collect();
    Ok(Generated { tensors: vec![("rope_freqs.weight", factors)], floats: Vec::new() })
}

/// `tokenizer.ggml.suppress_tokens`
fn suppressed_tokens(keys: &mut Keys<'_>) -> Result<()> {
    const NAME: &str = "suppress_tokens";
    let config = keys.files.json("generation_config.json")?.unwrap_or_default();
    let Some(list) = config.get(NAME).filter(|list| !list.is_null()) else { return Ok(()) };
    let id = |value: &Value| value.as_i64().and_then(|id| i32::try_from(id).ok());
    let ids: Option<Vec<i32>> = list.as_array().and_then(|list| list.iter().map(id).collect());
    let ids = ids.ok_or_else(|| wrong_type(NAME, list, "a list of ids"))?;
    keys.entries.set(String::from("tokenizer.ggml.suppress_tokens"), EntryValue::I32s(ids));
    Ok(())
}
