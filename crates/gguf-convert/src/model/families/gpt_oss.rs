//! gpt-oss.

use alloc::vec::Vec;

use super::decoder::{ATTENTION, ENDS};
use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::ConfigRules;
use crate::model::keys::{BASE, Key};
use gguf_format::error::Result;

/// Even rows of a tensor are the gate, odd rows are the other half.
const HALVES: &[&str; 2] = &["blk.#.ffn_gate_exps.weight", "blk.#.ffn_up_exps.weight"];

const RULES: Rules = rules![
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    whole("layers.#.self_attn.sinks", "blk.#.attn_sinks.weight"),
    name("layers.#.mlp.router", "blk.#.ffn_gate_inp"),
    whole("layers.#.mlp.experts.down_proj_blocks", "blk.#.ffn_down_exps.weight")
        .with(Change::Mxfp4 { scales: "_scales", halves: None }),
    whole("layers.#.mlp.experts.down_proj_scales", "").with(Change::Partner),
    whole("layers.#.mlp.experts.gate_up_proj_blocks", "")
        .with(Change::Mxfp4 { scales: "_scales", halves: Some(HALVES) }),
    whole("layers.#.mlp.experts.gate_up_proj_scales", "").with(Change::Partner),
    whole("layers.#.mlp.experts.down_proj", "blk.#.ffn_down_exps.weight").with(Change::Custom(turned)),
    whole("layers.#.mlp.experts.gate_up_proj", "").with(Change::Custom(turned_halves)),
    whole("layers.#.mlp.experts.down_proj_bias", "blk.#.ffn_down_exps.bias"),
    whole("layers.#.mlp.experts.gate_up_proj_bias", "").with(Change::Custom(bias_halves)),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["GptOssForCausalLM"],
    architecture: "gpt-oss",
    config: ConfigRules::Types(&["gpt_oss"]),
    rules: &[ENDS, ATTENTION, RULES],
    keys: &[
        Key::List(BASE),
        Key::RequiredUnsigned("attention.sliding_window", &["sliding_window"]),
        Key::RequiredUnsigned("expert_feed_forward_length", &["intermediate_size"]),
    ],
    ..DECODER
}];

/// The matrices of the experts have a row for each input.
fn turned(found: &Found<'_>) -> Result<Vec<Piece>> {
    Ok(vec![found.piece(found.view.clone().with_rank(3)?.swapped(1, 2)?)])
}

fn turned_halves(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(3)?.swapped(1, 2)?;
    let half = view.axes[1].length / 2;
    let piece = |i: usize| view.clone().sliced(1, i as u64, 2, half).map(|view| found.piece_named(HALVES[i], view));
    Ok(vec![piece(0)?, piece(1)?])
}

fn bias_halves(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(2)?;
    let half = view.axes[1].length / 2;
    let piece = |i, target| view.clone().sliced(1, i, 2, half).map(|view| found.piece_named(target, view));
    Ok(vec![piece(0, "blk.#.ffn_gate_exps.bias")?, piece(1, "blk.#.ffn_up_exps.bias")?])
}
