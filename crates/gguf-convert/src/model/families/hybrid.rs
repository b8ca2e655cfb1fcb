//! Models of blocks with Mamba 2 and blocks with attention: Granite 4, Bamba and Nemotron-H.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{ENDS, GATED, NORMS};
use super::granite::{EXPERTS, MOE, SHARED, without_head_size};
use super::llama::INTERLEAVED;
use super::mamba::{self, without_backbone};
use super::mamba2::{Inner, MAMBA, MIXER, check_activation, size};
use super::row::{Family, Folder};
use super::rule::{Change, Heads, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, missing};
use crate::model::entries::EntryValue;
use crate::model::json_members::elements;
use crate::model::keys::{Key, Keys};
use crate::model::next_token_layers::NextTokenLayers;
use crate::model::next_tokens::stored_count;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

/// Bamba has other names.
const BAMBA: Rules = rules![
    name("final_layernorm", "output_norm"),
    name("layers.#.pre_ff_layernorm", "blk.#.ffn_norm"),
    name("layers.#.feed_forward.gate_proj", "blk.#.ffn_gate"),
    name("layers.#.feed_forward.up_proj", "blk.#.ffn_up"),
    name("layers.#.feed_forward.down_proj", "blk.#.ffn_down"),
];

/// A block of Nemotron-H has one part: Mamba 2, attention, a feed-forward network or experts.
const NEMOTRON: Rules = rules![
    name("layers.#.mixer.q_proj", "blk.#.attn_q").with(Change::Interleave(Heads::Query)),
    name("layers.#.mixer.k_proj", "blk.#.attn_k").with(Change::Interleave(Heads::KeyValue)),
    name("layers.#.mixer.v_proj", "blk.#.attn_v"),
    name("layers.#.mixer.o_proj", "blk.#.attn_output"),
    name("layers.#.mixer.up_proj", "blk.#.ffn_up"),
    name("layers.#.mixer.down_proj", "blk.#.ffn_down"),
];

const NEMOTRON_EXPERTS: Rules = rules![
    name("layers.#.mixer.gate", "blk.#.ffn_gate_inp"),
    whole("layers.#.mixer.gate.e_score_correction_bias", "blk.#.exp_probs_b.bias"),
    whole("layers.#.mixer.gate.e_score_correction.bias", "blk.#.exp_probs_b.bias"),
    name("layers.#.mixer.experts.@.down_proj", "blk.#.ffn_down_exps"),
    name("layers.#.mixer.experts.@.up_proj", "blk.#.ffn_up_exps"),
    name("layers.#.mixer.shared_experts.up_proj", "blk.#.ffn_up_shexp"),
    name("layers.#.mixer.shared_experts.down_proj", "blk.#.ffn_down_shexp"),
    name("layers.#.mixer.fc1_latent_proj", "blk.#.ffn_latent_down"),
    name("layers.#.mixer.fc2_latent_proj", "blk.#.ffn_latent_up"),
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    name("layers.#.eh_proj", "blk.#.nextn.eh_proj"),
    name("layers.#.enorm", "blk.#.nextn.enorm"),
    name("layers.#.hnorm", "blk.#.nextn.hnorm"),
    name("layers.#.shared_head.norm", "blk.#.nextn.shared_head_norm"),
];

const KEYS: &[Key] = &[
    Key::List(MOE.keys),
    Key::RequiredUnsigned("ssm.conv_kernel", &["conv_kernel", "d_conv", "mamba_conv_kernel", "mamba_d_conv"]),
    Key::RequiredUnsigned(
        "ssm.state_size",
        &[
            "state_size",
            "d_state",
            "state_dim",
            "ssm_state_size",
            "mamba_state_size",
            "mamba_d_state",
            "mamba_state_dim",
        ],
    ),
    Key::Call(inner_sizes),
    Key::RequiredUnsigned("ssm.time_step_rank", &["n_heads", "num_heads", "mamba_n_heads", "mamba_num_heads"]),
    Key::Call(attention_keys),
];

const HYBRID: Family = Family {
    architecture: "granitehybrid",
    // The reference does not ask the class.
    config: ConfigRules::AsItIs(&[]),
    adjust: adjust_granite,
    variant: without_mamba,
    vocabulary: Vocabulary::Mamba2,
    rules: &[ENDS, INTERLEAVED, NORMS, EXPERTS, SHARED, MAMBA, GATED, BAMBA],
    keys: KEYS,
    ..MOE
};

const NEMOTRON_H: Family = Family {
    architecture: "nemotron_h",
    config: ConfigRules::AsItIs(&["nemotron_h"]),
    adjust: adjust_nemotron,
    variant: with_experts,
    check: has_tokenizer,
    splits_next_tokens: true,
    rename: nemotron_name,
    vocabulary: Vocabulary::Mamba,
    rules: &[mamba::ENDS, MIXER, NEMOTRON],
    keys: &[Key::List(KEYS), Key::Call(attention_sizes), Key::Call(feed_forward)],
    ..HYBRID
};

const NEMOTRON_H_MOE: Family = Family {
    architecture: "nemotron_h_moe",
    rules: &[mamba::ENDS, MIXER, NEMOTRON, NEMOTRON_EXPERTS],
    expert_count: &["n_routed_experts"],
    keys: &[
        Key::List(NEMOTRON_H.keys),
        Key::RequiredUnsigned("expert_used_count", &["num_experts_per_tok"]),
        Key::RequiredUnsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
        Key::RequiredUnsigned("expert_shared_feed_forward_length", &["moe_shared_expert_intermediate_size"]),
        Key::RequiredUnsigned("expert_count", &["n_routed_experts"]),
        Key::RequiredUnsigned("expert_shared_count", &["n_shared_experts"]),
        Key::RequiredBool("expert_weights_norm", "norm_topk_prob"),
        Key::RequiredFloat("expert_weights_scale", &["routed_scaling_factor"]),
        Key::RequiredUnsigned("expert_group_count", &["n_group"]),
        Key::Unsigned("moe_latent_size", &["moe_latent_size"]),
        Key::Call(stored_count),
    ],
    ..NEMOTRON_H
};

pub(super) const FAMILIES: &[Family] = &[
    Family { classes: &["GraniteMoeHybridForCausalLM", "BambaForCausalLM"], ..HYBRID },
    Family { classes: &["NemotronHForCausalLM"], ..NEMOTRON_H },
];

/// Members that the families add: for each block, whether it has attention, and whether it has a feed-forward network.
const ATTENTION: &str = "computed_attention_blocks";
const FEED_FORWARD: &str = "computed_feed_forward_blocks";

/// A member that the families add: the size of a head.
const HEAD: &str = "computed_head_dim";

fn flags(config: &Config, name: &str) -> Vec<bool> {
    elements(config.get(name).unwrap_or(&Value::Null)).iter().map(|flag| flag.as_bool() == Some(true)).collect()
}

/// The inner size of Mamba 2: `heads` names the number of its heads.
fn set_inner_size(config: &mut Config, heads: &[&str]) -> Result<()> {
    let model = config.required(&["mamba_head_dim", "hidden_size", "d_model"])?;
    let groups = config.required(&["n_groups", "num_groups", "mamba_n_groups", "mamba_num_groups"])?;
    let inner = config.required(heads)?.saturating_mul(model);
    let head = size(config, &["d_head", "mamba_d_head"])?.unwrap_or(64);
    check_activation(config)?;
    if !inner.is_multiple_of(head) {
        return Err(error!(BadJson: "{CONFIG} has an inner size of {inner} and heads of {head}: expected whole heads"));
    }
    Inner { size: inner, groups }.set(config);
    Ok(())
}

fn adjust_granite(config: &mut Config) -> Result<()> {
    without_head_size(config)?;
    let blocks = config.block_count()?;
    let types = config.texts("layer_types")?.filter(|types| !types.is_empty());
    let attention: Vec<bool> = if let Some(types) = types {
        (0..blocks as usize).map(|block| types.get(block) == Some(&"attention")).collect()
    } else if let Some(list) =
        config.get("attn_layer_indices").and_then(Value::as_array).filter(|list| !list.is_empty())
    {
        (0..blocks).map(|block| list.contains(&block.into())).collect()
    } else {
        let period =
            size(config, &["attn_layer_period"])?.ok_or_else(|| missing(&["layer_types", "attn_layer_indices"]))?;
        let offset = config.required(&["attn_layer_offset"])?;
        (0..blocks).map(|block| block % period == offset).collect()
    };
    let has_mamba = attention.contains(&false);
    config.set(ATTENTION, attention.into());
    config.set("pad_vocab_size_multiple", if has_mamba { 8 } else { 1 }.into());
    set_inner_size(config, &["expand", "num_heads", "mamba_expand", "mamba_num_heads"])
}

/// A model without Mamba 2 is one of the architectures of Granite 3.
fn without_mamba(config: &Config) -> Result<Option<&'static Family>> {
    const DENSE: Family = Family { architecture: "granite", ..HYBRID };
    const EXPERTS: Family = Family { architecture: "granitemoe", ..HYBRID };
    if flags(config, ATTENTION).contains(&false) {
        return Ok(None);
    }
    let has_experts = size(config, &["num_experts_per_tok", "num_experts_per_token"])?.is_some();
    Ok(Some(if has_experts { &EXPERTS } else { &DENSE }))
}

fn inner_sizes(keys: &mut Keys<'_>) -> Result<()> {
    let inner = Inner::of(keys.config)?;
    keys.put("ssm.group_count", EntryValue::U32(inner.groups));
    keys.put("ssm.inner_size", EntryValue::U32(inner.size));
    Ok(())
}

fn attention_keys(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    if let Some(rotated) = size(config, &["attn_rotary_emb"])? {
        keys.put("rope.dimension_count", EntryValue::U32(rotated));
    }
    let heads = config.required(&["num_key_value_heads", "n_head_kv"])? as i32;
    let blocks = flags(config, ATTENTION);
    let rotates = !blocks.contains(&false) || config.class() == "BambaForCausalLM";
    let heads = blocks.into_iter().map(|has_attention| if has_attention { heads } else { 0 }).collect();
    keys.put("attention.head_count_kv", EntryValue::I32s(heads));
    keys.put("rope.scaling.finetuned", EntryValue::Bool(rotates));
    if !rotates {
        keys.put("context_length", EntryValue::U32(1 << 20));
    }
    Ok(())
}

/// The kinds of the blocks of Nemotron-H.
fn adjust_nemotron(config: &mut Config) -> Result<()> {
    const PATTERN: &str = "hybrid_override_pattern";
    const TYPES: &str = "layers_block_type";
    let has_experts = has_experts(config);
    if let Some(types) = config.get(TYPES).and_then(Value::as_array) {
        let count = types.len();
        config.set("num_hidden_layers", count.into());
    }
    let letter = if has_experts { 'E' } else { '-' };
    let pattern = config.text(&[PATTERN])?.filter(|pattern| !pattern.is_empty());
    let (mut attention, mut feed_forward): (Vec<bool>, Vec<bool>) = match (pattern, config.texts(TYPES)?) {
        (Some(pattern), _) => pattern.chars().map(|kind| (kind == '*', kind == letter)).unzip(),
        (None, Some(types)) => {
            types.into_iter().map(|kind| (matches!(kind, "attention" | "full_attention"), kind == "moe")).unzip()
        }
        (None, None) => return Err(missing(&[PATTERN, TYPES])),
    };
    if attention.len() != config.block_count()? as usize || !attention.contains(&false) {
        return Err(error!(BadJson:
            "\"{PATTERN}\" or \"{TYPES}\" in {CONFIG} has {} blocks: expected {}, of which not all have attention",
            attention.len(), config.block_count()?));
    }
    let next = match config.next_token_layers() {
        NextTokenLayers::LeftOut => 0,
        _ if !has_experts => 0,
        _ => config.unsigned(&["num_nextn_predict_layers"])?.unwrap_or(0),
    };
    if next > 1 || next == 0 && config.next_token_layers() == NextTokenLayers::Alone {
        return Err(error!(UnsupportedModel:
            "{CONFIG} has {next} layers that predict later tokens: expected at most one, and one if it is converted alone"));
    }
    config.add_next_token_blocks(next)?;
    // Such a block has attention and experts.
    attention.resize(attention.len() + next as usize, true);
    feed_forward.resize(feed_forward.len() + next as usize, true);
    config.set(ATTENTION, attention.into());
    config.set(FEED_FORWARD, feed_forward.into());
    config.set("pad_vocab_size_multiple", 8.into());
    let head = config.required(&["head_dim", "attention_head_dim"])?;
    config.set(HEAD, head.into());
    without_head_size(config)?;
    set_inner_size(config, &["num_heads", "mamba_num_heads"])
}

fn has_experts(config: &Config) -> bool {
    config.get("num_experts_per_tok").is_some()
}

fn with_experts(config: &Config) -> Result<Option<&'static Family>> {
    Ok(has_experts(config).then_some(&NEMOTRON_H_MOE))
}

/// The reference reads the vocabulary of Nemotron-H through the class of its tokenizer.
fn has_tokenizer(_: &Config, folder: &Folder<'_>) -> Result<()> {
    match folder.files.has("tokenizer.json") {
        true => Ok(()),
        false => Err(error!(IncompleteModel: "the folder has no tokenizer.json: download all files of the tokenizer")),
    }
}

/// The names of the block that predicts later tokens are in two parts: attention, then experts.
fn nemotron_name(config: &Config, name: &str) -> Option<String> {
    const SHARED: &[&str] = &["backbone.embeddings.weight", "backbone.norm_f.weight", "lm_head.weight"];
    const RENAMED: &[(&str, &str)] = &[
        ("mtp.layers.1.norm.weight", "post_attention_layernorm.weight"),
        ("mtp.layers.1.final_layernorm.weight", "shared_head.norm.weight"),
    ];
    if name.starts_with("mtp.") {
        if config.next_token_layers() == NextTokenLayers::LeftOut {
            return None;
        }
        let inner = ["mtp.layers.0.", "mtp.layers.1."].into_iter().find_map(|start| name.strip_prefix(start));
        let Some(inner) = inner.filter(|_| config.next_token_count() > 0) else { return Some(name.into()) };
        let renamed = RENAMED.iter().find(|(other, _)| *other == name).map_or(inner, |(_, inner)| *inner);
        return Some(format!("layers.{}.{renamed}", config.first_next_token_block().ok()?));
    }
    if config.next_token_layers() == NextTokenLayers::Alone && !SHARED.contains(&name) {
        return None;
    }
    match name.strip_prefix("model.").filter(|inner| inner.starts_with("layers.") && inner.contains(".mixer.")) {
        Some(inner) => Some(inner.into()),
        None => without_backbone(config, name),
    }
}

fn attention_sizes(keys: &mut Keys<'_>) -> Result<()> {
    keys.write(&[
        Key::RequiredUnsigned("attention.key_length", &[HEAD]),
        Key::RequiredUnsigned("attention.value_length", &[HEAD]),
    ])
}

/// `feed_forward_length`: a number for each block.
fn feed_forward(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let length = match has_experts(config) {
        true => config.required(&["moe_intermediate_size"])?,
        false => config.required(&["intermediate_size", "n_inner", "hidden_dim"])?,
    } as i32;
    let lengths = flags(config, FEED_FORWARD).into_iter().map(|has| if has { length } else { 0 }).collect();
    keys.put("feed_forward_length", EntryValue::I32s(lengths));
    Ok(())
}
