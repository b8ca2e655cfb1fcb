//! Qwen3-Next, Qwen 3.5 and 3.6: linear attention in most blocks.

use alloc::vec::Vec;

use super::decoder::{ATTENTION, EXPERTS, GATED};
use super::qwen::{EXPERT_KEYS, FUSED_EXPERTS, ROUTER, SHARED_EXPERT};
use super::rope_factors::head_dimension;
use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, Rule, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, float};
use crate::model::entries::EntryValue;
use crate::model::keys::{Key, Keys};
use crate::model::next_token_layers::NextTokenLayers;
use crate::model::next_tokens::{mtp_name, stored_count};
use crate::model::pooling::pooling_type;
use crate::model::tensors::content::Operation;
use crate::model::tensors::view::View;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

const fn norm(source: &'static str, target: &'static str) -> Rule {
    name(source, target).with(Change::AddOne)
}

/// 1 is added to all norms but that of the linear attention.
const RULES: Rules = rules![
    name("embed_tokens", "token_embd"),
    norm("norm", "output_norm"),
    name("lm_head", "output"),
    norm("layers.#.input_layernorm", "blk.#.attn_norm"),
    norm("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    norm("layers.#.self_attn.q_norm", "blk.#.attn_q_norm"),
    norm("layers.#.self_attn.k_norm", "blk.#.attn_k_norm"),
    name("layers.#.eh_proj", "blk.#.nextn.eh_proj"),
    norm("layers.#.enorm", "blk.#.nextn.enorm"),
    norm("layers.#.hnorm", "blk.#.nextn.hnorm"),
    norm("layers.#.shared_head.norm", "blk.#.nextn.shared_head_norm"),
    name("layers.#.linear_attn.norm", "blk.#.ssm_norm"),
];

/// The linear attention of Qwen3-Next.
const FIRST: Rules = rules![
    whole("layers.#.linear_attn.A_log", "blk.#.ssm_a").with(Change::NegativeExponential),
    whole("layers.#.linear_attn.dt_bias", "blk.#.ssm_dt.bias"),
    name("layers.#.linear_attn.conv1d", "blk.#.ssm_conv1d").with(Change::Squeeze),
    name("layers.#.linear_attn.in_proj_ba", "blk.#.ssm_ba"),
    whole("layers.#.linear_attn.in_proj_qkvz.weight", "").with(Change::Custom(regrouped)),
    name("layers.#.linear_attn.out_proj", "blk.#.ssm_out"),
];

/// The linear attention of Qwen 3.5, whose heads of values are put in another order.
const LATER: Rules = rules![
    whole("layers.#.linear_attn.A_log", "blk.#.ssm_a").with(Change::Custom(decay)),
    whole("layers.#.linear_attn.dt_bias", "blk.#.ssm_dt.bias").with(Change::Custom(single_rows)),
    whole("layers.#.linear_attn.conv1d.weight", "blk.#.ssm_conv1d.weight").with(Change::Custom(convolution)),
    name("layers.#.linear_attn.in_proj_qkv", "blk.#.attn_qkv").with(Change::Custom(query_key_value)),
    name("layers.#.linear_attn.in_proj_z", "blk.#.attn_gate").with(Change::Custom(value_rows)),
    name("layers.#.linear_attn.in_proj_b", "blk.#.ssm_beta").with(Change::Custom(single_rows)),
    name("layers.#.linear_attn.in_proj_a", "blk.#.ssm_alpha").with(Change::Custom(single_rows)),
    name("layers.#.linear_attn.out_proj", "blk.#.ssm_out").with(Change::Custom(value_columns)),
];

const KEYS: &[Key] = &[
    Key::List(EXPERT_KEYS),
    Key::Call(stored_count),
    Key::RequiredUnsigned("ssm.conv_kernel", &["linear_conv_kernel_dim"]),
    Key::RequiredUnsigned("ssm.state_size", &["linear_key_head_dim"]),
    Key::RequiredUnsigned("ssm.group_count", &["linear_num_key_heads"]),
    Key::RequiredUnsigned("ssm.time_step_rank", &["linear_num_value_heads"]),
    Key::Call(inner_size),
    Key::Call(recurrent_layers),
    Key::Call(full_attention_interval),
    Key::Call(rope_dimension),
];

const NEXT: Family = Family {
    architecture: "qwen3next",
    config: ConfigRules::Types(&["qwen3_next"]),
    adjust: add_blocks,
    splits_next_tokens: true,
    rename: mtp_name,
    rules: &[RULES, ATTENTION, GATED, ROUTER, EXPERTS, FUSED_EXPERTS, SHARED_EXPERT, FIRST],
    keys: KEYS,
    ..DECODER
};

const DENSE: Family = Family {
    architecture: "qwen35",
    config: ConfigRules::AsItIs(&["qwen3_5", "qwen3_5_text"]),
    vocabulary: Vocabulary::Gpt2,
    rules: &[RULES, ATTENTION, GATED, ROUTER, EXPERTS, FUSED_EXPERTS, SHARED_EXPERT, LATER],
    keys: &[Key::List(KEYS), Key::Call(default_sections), Key::Call(pooling_type)],
    ..NEXT
};

pub(super) const FAMILIES: &[Family] = &[
    Family { classes: &["Qwen3NextForCausalLM"], ..NEXT },
    Family { classes: &["Qwen3_5ForConditionalGeneration", "Qwen3_5ForCausalLM"], ..DENSE },
    // The class does not have the layers that predict later tokens.
    Family { classes: &["Qwen3_5TextModel"], adjust: without_blocks, splits_next_tokens: false, ..DENSE },
    Family {
        classes: &["Qwen3_5MoeForConditionalGeneration", "Qwen3_5MoeForCausalLM"],
        architecture: "qwen35moe",
        config: ConfigRules::AsItIs(&["qwen3_5_moe", "qwen3_5_moe_text"]),
        keys: &[Key::List(KEYS), Key::Call(default_sections)],
        ..DENSE
    },
];

/// The configuration counts the layers that predict later tokens. Else they are counted by the names of their tensors.
fn add_blocks(config: &mut Config) -> Result<()> {
    if config.next_token_layers() == NextTokenLayers::LeftOut {
        return without_blocks(config);
    }
    let given = config.unsigned(&["mtp_num_hidden_layers"])?.unwrap_or(0);
    match if given == 0 { config.next_token_count() } else { given } {
        0 => Err(error!(IncompleteModel:
            "the model has no layers that predict later tokens: neither \"mtp_num_hidden_layers\" in {CONFIG} nor a tensor \"mtp.layers.0\" \
             is there; download all files of the model, or convert without these layers")),
        count => config.add_next_token_blocks(count),
    }
}

fn without_blocks(config: &mut Config) -> Result<()> {
    config.add_next_token_blocks(0)
}

fn inner_size(keys: &mut Keys<'_>) -> Result<()> {
    let size = |name: &str| keys.config.required(&[name]);
    let inner = size("linear_value_head_dim")?.saturating_mul(size("linear_num_value_heads")?);
    keys.put("ssm.inner_size", EntryValue::U32(inner));
    Ok(())
}

/// `attention.recurrent_layers`: the blocks with linear attention.
fn recurrent_layers(keys: &mut Keys<'_>) -> Result<()> {
    let Some(types) = keys.config.texts("layer_types")? else { return Ok(()) };
    let main = keys.config.first_next_token_block()? as usize;
    if types.len() != main {
        return Err(error!(BadJson:
            "\"layer_types\" in {CONFIG} has {} elements: expected one for each of {main} layers", types.len()));
    }
    let mut recurrent: Vec<bool> = types.into_iter().map(|name| name == "linear_attention").collect();
    recurrent.resize(keys.config.block_count()? as usize, false);
    keys.put("attention.recurrent_layers", EntryValue::Bools(recurrent));
    Ok(())
}

fn full_attention_interval(keys: &mut Keys<'_>) -> Result<()> {
    let interval = keys.config.unsigned(&["full_attention_interval"])?.unwrap_or(4);
    keys.put("full_attention_interval", EntryValue::U32(interval));
    Ok(())
}

fn rope_dimension(keys: &mut Keys<'_>) -> Result<()> {
    let part = match keys.config.rope().get("partial_rotary_factor") {
        Some(part) => float("partial_rotary_factor", part)?,
        None => 0.25,
    };
    let rotated = (f64::from(head_dimension(keys.config)?) * part) as u32;
    keys.put("rope.dimension_count", EntryValue::U32(rotated));
    Ok(())
}

/// `rope.dimension_sections`, which llama.cpp needs.
fn default_sections(keys: &mut Keys<'_>) -> Result<()> {
    if !keys.config.rope().contains_key("mrope_section") {
        keys.put("rope.dimension_sections", EntryValue::I32s(vec![11, 11, 10, 0]));
    }
    Ok(())
}

/// The sizes of the heads of the linear attention.
struct Heads {
    keys: u64,
    /// The heads of values for each head of keys.
    values_per_key: u64,
    key_size: u64,
    value_size: u64,
}

impl Heads {
    fn of(config: &Config) -> Result<Self> {
        let number = |name: &str| config.required(&[name]).map(u64::from);
        let (keys, values) = (number("linear_num_key_heads")?, number("linear_num_value_heads")?);
        if keys == 0 || !values.is_multiple_of(keys) {
            return Err(error!(BadJson:
                "{CONFIG} has {values} heads of values for {keys} heads of keys in the linear attention: expected a multiple"));
        }
        let (key_size, value_size) = (number("linear_key_head_dim")?, number("linear_value_head_dim")?);
        Ok(Self { keys, values_per_key: values / keys, key_size, value_size })
    }

    /// The heads of values are stored by their head of keys. In llama.cpp, the first of each head of keys come first.
    fn reordered(&self, view: View, axis: usize, size: u64) -> Result<View> {
        if self.values_per_key == 1 {
            return Ok(view);
        }
        let lengths = [Some(self.keys), Some(self.values_per_key), Some(size)];
        view.divided(axis, &lengths)?.swapped(axis, axis + 1)
    }

    /// Rows of queries and keys, and rows of values after them.
    fn reordered_after_keys(&self, view: View) -> Result<Vec<View>> {
        if self.values_per_key == 1 {
            return Ok(vec![view]);
        }
        let rows = view.axes.first().map_or(0, |axis| axis.length);
        let start = 2 * self.keys * self.key_size;
        let values = view.clone().sliced(0, start, 1, rows.saturating_sub(start))?;
        Ok(vec![view.sliced(0, 0, 1, start)?, self.reordered(values, 0, self.value_size)?])
    }
}

fn value_rows(found: &Found<'_>) -> Result<Vec<Piece>> {
    let heads = Heads::of(found.config)?;
    Ok(vec![found.joined(vec![heads.reordered(found.view.clone(), 0, heads.value_size)?])])
}

fn single_rows(found: &Found<'_>) -> Result<Vec<Piece>> {
    Ok(vec![found.joined(vec![Heads::of(found.config)?.reordered(found.view.clone(), 0, 1)?])])
}

fn decay(found: &Found<'_>) -> Result<Vec<Piece>> {
    let pieces = single_rows(found)?.into_iter();
    Ok(pieces.map(|piece| Piece { operation: Operation::NegativeExponential, ..piece }).collect())
}

fn value_columns(found: &Found<'_>) -> Result<Vec<Piece>> {
    let heads = Heads::of(found.config)?;
    Ok(vec![found.joined(vec![heads.reordered(found.view.clone().with_rank(2)?, 1, heads.value_size)?])])
}

fn query_key_value(found: &Found<'_>) -> Result<Vec<Piece>> {
    Ok(vec![found.joined(Heads::of(found.config)?.reordered_after_keys(found.view.clone())?)])
}

fn convolution(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().squeezed();
    let shape = view.shape();
    let views = Heads::of(found.config)?.reordered_after_keys(view)?;
    Ok(vec![Piece { shape, ..found.joined(views) }])
}

/// Each head of keys has rows of queries, keys, values and gates. In llama.cpp, these are the rows of all heads.
fn regrouped(found: &Found<'_>) -> Result<Vec<Piece>> {
    let heads = Heads::of(found.config)?;
    let values = heads.values_per_key * heads.value_size;
    let view = found.view.clone().with_rank(2)?;
    let columns = view.axes[1].length;
    let view = view.divided(0, &[Some(heads.keys), Some(2 * (heads.key_size + values))])?;
    let part = |start, length| view.clone().sliced(1, start, 1, length);
    let size = heads.key_size;
    let rows = [part(0, size)?, part(size, size)?, part(2 * size, values)?];
    let gate = part(2 * size + values, values)?;
    let named = |target: &str, rows: u64, views| Piece {
        name: found.named(target),
        shape: vec![heads.keys * rows, columns],
        views,
        operation: Operation::Keep,
    };
    Ok(vec![
        named("blk.#.attn_qkv.weight", 2 * size + values, rows.to_vec()),
        named("blk.#.attn_gate.weight", values, vec![gate]),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_values_are_tiled() {
        let heads = Heads { keys: 2, values_per_key: 3, key_size: 1, value_size: 1 };
        let view = heads.reordered(View::whole(0, &[6]), 0, 1).unwrap();
        let order: Vec<u64> = (0..6).map(|element| view.position(element)).collect();
        assert_eq!(order, [0, 3, 1, 4, 2, 5]);
    }
}
