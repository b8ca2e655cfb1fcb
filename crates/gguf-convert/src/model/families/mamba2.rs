//! Mamba 2, and Falcon-H1, whose blocks have Mamba 2 beside the attention.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::mamba::{ENDS, without_backbone};
use super::row::{DECODER, Family, without_model};
use super::rule::{Change, Found, Piece, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, float, missing, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::json_members::elements;
use crate::model::keys::{BLOCK_COUNT, Key, Keys};
use crate::model::tensors::content::Operation;
use crate::model::tensors::view::View;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

/// The mixer of a block. `name` has the names without its end.
macro_rules! mixer {
    ($mixer:literal) => {
        rules![
            whole(concat!("layers.#.", $mixer, ".A_log"), "blk.#.ssm_a").with(Change::Custom(decay)),
            whole(concat!("layers.#.", $mixer, ".D"), "blk.#.ssm_d").with(Change::Custom(column)),
            name(concat!("layers.#.", $mixer, ".conv1d"), "blk.#.ssm_conv1d").with(Change::Squeeze),
            whole(concat!("layers.#.", $mixer, ".dt_bias"), "blk.#.ssm_dt.bias"),
            whole(concat!("layers.#.", $mixer, ".dt_proj.bias"), "blk.#.ssm_dt.bias"),
            name(concat!("layers.#.", $mixer, ".in_proj"), "blk.#.ssm_in"),
            whole(concat!("layers.#.", $mixer, ".norm.weight"), "blk.#.ssm_norm.weight").with(Change::Custom(grouped)),
            name(concat!("layers.#.", $mixer, ".out_proj"), "blk.#.ssm_out"),
        ]
    };
}

/// The blocks of Mamba 2 and of Nemotron-H.
pub(super) const MIXER: Rules = mixer!("mixer");

/// The blocks of Granite 4.
pub(super) const MAMBA: Rules = mixer!("mamba");

/// Falcon-H1 multiplies its matrices with numbers of the configuration.
const FALCON: Rules = rules![
    name("embed_tokens", "token_embd").with(Change::Custom(|found| scaled(found, &[("embedding_multiplier", None)]))),
    name("lm_head", "output").with(Change::Custom(|found| scaled(found, &[("lm_head_multiplier", None)]))),
    name("final_layernorm", "output_norm"),
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    // Without an end, as llama.cpp has it.
    whole("layers.#.pre_ff_layernorm.weight", "blk.#.ffn_norm"),
    name("layers.#.self_attn.q_proj", "blk.#.attn_q")
        .with(Change::Custom(|found| scaled(found, &[("attention_in_multiplier", None)]))),
    name("layers.#.self_attn.k_proj", "blk.#.attn_k")
        .with(Change::Custom(|found| scaled(found, &[("key_multiplier", None), ("attention_in_multiplier", None)]))),
    name("layers.#.self_attn.v_proj", "blk.#.attn_v")
        .with(Change::Custom(|found| scaled(found, &[("attention_in_multiplier", None)]))),
    name("layers.#.self_attn.o_proj", "blk.#.attn_output")
        .with(Change::Custom(|found| scaled(found, &[("attention_out_multiplier", None)]))),
    name("layers.#.feed_forward.gate_proj", "blk.#.ffn_gate")
        .with(Change::Custom(|found| scaled(found, &[("mlp_multipliers", Some(0))]))),
    name("layers.#.feed_forward.up_proj", "blk.#.ffn_up"),
    name("layers.#.feed_forward.down_proj", "blk.#.ffn_down")
        .with(Change::Custom(|found| scaled(found, &[("mlp_multipliers", Some(1))]))),
    whole("layers.#.mamba.A_log", "blk.#.ssm_a").with(Change::Custom(decay)),
    whole("layers.#.mamba.D", "blk.#.ssm_d").with(Change::Custom(column)),
    name("layers.#.mamba.conv1d", "blk.#.ssm_conv1d").with(Change::Squeeze),
    whole("layers.#.mamba.dt_bias", "blk.#.ssm_dt.bias"),
    whole("layers.#.mamba.in_proj.weight", "blk.#.ssm_in.weight").with(Change::Custom(scaled_parts)),
    whole("layers.#.mamba.norm.weight", "blk.#.ssm_norm.weight").with(Change::Custom(grouped)),
    name("layers.#.mamba.out_proj", "blk.#.ssm_out")
        .with(Change::Custom(|found| scaled(found, &[("ssm_out_multiplier", None)]))),
];

const KEYS: &[Key] = &[
    // llama.cpp needs these numbers, but does not use them.
    Key::FixedUnsigned("context_length", 1 << 20),
    Key::RequiredUnsigned("embedding_length", &["hidden_size", "d_model", "dim"]),
    Key::FixedUnsigned("feed_forward_length", 0),
    Key::FixedUnsigned("attention.head_count", 0),
    BLOCK_COUNT,
    Key::Call(state_sizes),
    Key::Call(norm_epsilon),
    Key::FileType,
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["Mamba2ForCausalLM"],
        architecture: "mamba2",
        vocabulary: Vocabulary::Mamba2,
        // The reference does not ask the class, which would change values.
        config: ConfigRules::AsItIs(&[]),
        adjust: check_inner_size,
        rename: without_prefixes,
        rules: &[ENDS, MIXER],
        keys: KEYS,
        ..DECODER
    },
    Family {
        classes: &["FalconH1ForCausalLM"],
        architecture: "falcon-h1",
        config: ConfigRules::AsItIs(&[]),
        adjust: check_falcon,
        rename: without_model,
        rules: &[FALCON],
        keys: &[
            Key::List(KEYS),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::RequiredUnsigned("context_length", &["max_position_embeddings"]),
            Key::RequiredUnsigned("feed_forward_length", &["intermediate_size"]),
            Key::RequiredUnsigned("attention.head_count", &["num_attention_heads"]),
            Key::RequiredUnsigned("attention.head_count_kv", &["num_key_value_heads"]),
            Key::RequiredUnsigned("attention.key_length", &["head_dim"]),
            Key::RequiredUnsigned("attention.value_length", &["head_dim"]),
            Key::Call(rope_base),
        ],
        ..DECODER
    },
];

/// Codestral has `model.` before the names.
fn without_prefixes(config: &Config, name: &str) -> Option<String> {
    let inner =
        name.strip_prefix("model.").filter(|inner| inner.starts_with("backbone") || inner.starts_with("lm_head"));
    without_backbone(config, inner.unwrap_or(name))
}

/// A number of the configuration. 0 and `null` count as missing, as the reference treats them.
pub(super) fn size(config: &Config, names: &[&str]) -> Result<Option<u32>> {
    Ok(config.unsigned(names)?.filter(|size| *size != 0))
}

/// The inner size of a block, and the number of its groups.
pub(super) struct Inner {
    pub size: u32,
    pub groups: u32,
}

/// The members with the number of groups.
const GROUPS: &[&str] = &["n_groups", "mamba_n_groups"];

impl Inner {
    /// From the members of Mamba 2 and Falcon-H1.
    pub fn of(config: &Config) -> Result<Self> {
        if let Some(inner) = config.unsigned(&[INNER])? {
            let groups = config.required(&[INNER_GROUPS])?;
            return Ok(Self { size: inner, groups });
        }
        let model = config.required(&["hidden_size", "d_model", "dim"])?;
        let expand = size(config, &["mamba_expand", "expand"])?.unwrap_or(2);
        let given = size(config, &["mamba_d_ssm", "intermediate_size", "d_inner"])?;
        let groups = size(config, GROUPS)?.unwrap_or(1);
        Ok(Self { size: given.unwrap_or_else(|| expand.saturating_mul(model)), groups })
    }

    /// Sets the inner size for families that compute it in another way.
    pub fn set(self, config: &mut Config) {
        config.set(INNER, self.size.into());
        config.set(INNER_GROUPS, self.groups.into());
    }
}

/// Members that a family adds.
const INNER: &str = "computed_inner_size";
const INNER_GROUPS: &str = "computed_inner_groups";

fn check_inner_size(config: &mut Config) -> Result<()> {
    let inner = Inner::of(config)?.size;
    let model = config.required(&["hidden_size", "d_model", "dim"])?;
    let expand = size(config, &["mamba_expand", "expand"])?.unwrap_or(2);
    let head = head_size(config)?;
    if inner != expand.saturating_mul(model) || !inner.is_multiple_of(head) {
        return Err(error!(UnsupportedModel:
            "{CONFIG} has an inner size of {inner}, a hidden size of {model}, times {expand}, and heads of {head}: expected the product of \
             the second and the third, and whole heads"));
    }
    Ok(())
}

fn head_size(config: &Config) -> Result<u32> {
    Ok(size(config, &["mamba_d_head", "head_dim"])?.unwrap_or(64))
}

/// llama.cpp computes one function only.
pub(super) fn check_activation(config: &Config) -> Result<()> {
    match config.text(&["hidden_act"])? {
        None | Some("silu") => Ok(()),
        Some(_) => Err(error!(UnsupportedModel: "\"hidden_act\" in {CONFIG} is not silu, which the conversion needs")),
    }
}

fn check_falcon(config: &mut Config) -> Result<()> {
    check_activation(config)?;
    let inner = config.required(&["mamba_d_ssm"])?;
    config.required(GROUPS)?;
    let head = config.required(&["d_head", "mamba_d_head"])?;
    match head > 0 && inner.is_multiple_of(head) {
        true => Ok(()),
        false => {
            Err(error!(BadJson: "{CONFIG} has an inner size of {inner} and heads of {head}: expected whole heads"))
        }
    }
}

fn state_sizes(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let Inner { size: inner, groups } = Inner::of(config)?;
    for (key, value) in [
        ("ssm.conv_kernel", size(config, &["conv_kernel", "d_conv", "mamba_d_conv"])?.unwrap_or(4)),
        ("ssm.inner_size", inner),
        ("ssm.state_size", size(config, &["state_size", "d_state", "mamba_d_state"])?.unwrap_or(128)),
        ("ssm.time_step_rank", inner / head_size(config)?),
        ("ssm.group_count", groups),
    ] {
        keys.put(key, EntryValue::U32(value));
    }
    Ok(())
}

fn norm_epsilon(keys: &mut Keys<'_>) -> Result<()> {
    let epsilon = keys.config.float(&["layer_norm_epsilon", "rms_norm_eps"])?.filter(|epsilon| *epsilon != 0.0);
    keys.put("attention.layer_norm_rms_epsilon", EntryValue::F32(epsilon.unwrap_or(1e-5) as f32));
    Ok(())
}

fn rope_base(keys: &mut Keys<'_>) -> Result<()> {
    let base = keys.config.rope().get("rope_theta").ok_or_else(|| missing(&["rope_theta"]))?;
    keys.put("rope.freq_base", EntryValue::F32(float("rope_theta", base)? as f32));
    Ok(())
}

/// A vector as a matrix with one column.
pub(super) fn column(found: &Found<'_>) -> Result<Vec<Piece>> {
    let piece = found.piece(found.view.clone());
    let shape = [piece.shape.as_slice(), &[1]].concat();
    Ok(vec![Piece { shape, ..piece }])
}

pub(super) fn decay(found: &Found<'_>) -> Result<Vec<Piece>> {
    let pieces = column(found)?.into_iter();
    Ok(pieces.map(|piece| Piece { operation: Operation::NegativeExponential, ..piece }).collect())
}

/// The norm of each group is a row.
pub(super) fn grouped(found: &Found<'_>) -> Result<Vec<Piece>> {
    let inner = Inner::of(found.config)?;
    let (groups, size) = (u64::from(inner.groups), u64::from(inner.size));
    let rows = size.checked_div(groups).unwrap_or(0);
    let piece = found.piece(found.view.clone());
    if groups * rows != found.view.element_count() {
        return Err(error!(BadSafetensors:
            "its shape is {:?}: expected {size} elements in {groups} groups, as {CONFIG} says", piece.shape));
    }
    Ok(vec![Piece { shape: vec![groups, rows], ..piece }])
}

/// A number of the configuration, or an element of a list of it.
fn factor(config: &Config, (name, element): (&str, Option<usize>)) -> Result<f32> {
    let value = config.get(name).unwrap_or(&Value::Null);
    let value = element.map_or(Some(value), |element| elements(value).get(element));
    value.and_then(Value::as_f64).map(|number| number as f32).ok_or_else(|| wrong_type(name, &Value::Null, "a number"))
}

/// The tensor, multiplied with one or two numbers.
fn scaled(found: &Found<'_>, members: &[(&str, Option<usize>)]) -> Result<Vec<Piece>> {
    let mut factors = [1.0; 2];
    for (to, member) in factors.iter_mut().zip(members) {
        *to = factor(found.config, *member)?;
    }
    Ok(vec![found.piece(found.view.clone().scaled(factors))])
}

/// The rows of the gate, the input, the two projections of the state and the time step are multiplied with numbers of their own.
fn scaled_parts(found: &Found<'_>) -> Result<Vec<Piece>> {
    const PARTS: &str = "ssm_multipliers";
    let config = found.config;
    let view = found.view.clone().with_rank(2)?;
    let inner = u64::from(config.required(&["mamba_d_ssm"])?);
    let group = u64::from(config.required(&["mamba_n_groups"])?) * u64::from(config.required(&["mamba_d_state"])?);
    let rows = view.axes[0].length;
    let first = factor(config, ("ssm_in_multiplier", None))?;
    let mut start = 0;
    let mut views: Vec<View> = Vec::new();
    for (part, length) in [inner, inner, group, group, rows].into_iter().enumerate() {
        let length = length.min(rows - start);
        if length > 0 {
            let second = factor(config, (PARTS, Some(part)))?;
            views.push(view.clone().sliced(0, start, 1, length)?.scaled([first, second]));
        }
        start += length;
    }
    Ok(vec![found.joined(views)])
}
