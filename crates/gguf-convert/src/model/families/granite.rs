//! Granite, with and without experts.

use alloc::vec::Vec;

use super::decoder::{ENDS, GATED, NORMS};
use super::llama::{INTERLEAVED, KEYS, LLAMA};
use super::rope_factors::no_llama3;
use super::row::Family;
use super::rule::{Change, Found, Piece, name};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{Key, Keys};
use gguf_format::error::{Result, error};

/// One tensor for the gates of all experts and the other halves.
pub(super) const EXPERTS: Rules = rules![
    name("layers.#.block_sparse_moe.router.layer", "blk.#.ffn_gate_inp"),
    name("layers.#.block_sparse_moe.input_linear", "").with(Change::Custom(gates_and_ups)),
    name("layers.#.block_sparse_moe.output_linear", "blk.#.ffn_down_exps"),
];

/// The expert that every token uses. In a model without other experts, it is the feed-forward network.
pub(super) const SHARED: Rules = rules![
    name("layers.#.shared_mlp.input_linear", "").with(Change::Custom(shared_gate_and_up)),
    name("layers.#.shared_mlp.output_linear", "").with(Change::Custom(shared_down)),
];

const GRANITE_KEYS: &[Key] = &[
    Key::List(KEYS),
    Key::NonZeroFloat("attention.scale", &["attention_multiplier"]),
    Key::NonZeroFloat("embedding_scale", &["embedding_multiplier"]),
    Key::NonZeroFloat("residual_scale", &["residual_multiplier"]),
    Key::NonZeroFloat("logit_scale", &["logits_scaling"]),
];

const GRANITE: Family = Family { adjust: without_head_size, generated: no_llama3, keys: GRANITE_KEYS, ..LLAMA };

pub(super) const MOE: Family = Family {
    architecture: "granitemoe",
    rules: &[ENDS, INTERLEAVED, NORMS, EXPERTS],
    keys: &[Key::List(GRANITE_KEYS), Key::Call(shared_length)],
    ..GRANITE
};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["GraniteForCausalLM"],
        architecture: "granite",
        config: ConfigRules::Types(&["granite"]),
        rules: &[ENDS, INTERLEAVED, NORMS, GATED],
        ..GRANITE
    },
    Family { classes: &["GraniteMoeForCausalLM"], config: ConfigRules::Types(&["granitemoe"]), ..MOE },
    Family {
        classes: &["GraniteMoeSharedForCausalLM"],
        config: ConfigRules::Types(&["granitemoeshared"]),
        rules: &[ENDS, INTERLEAVED, NORMS, EXPERTS, SHARED],
        ..MOE
    },
];

/// The halves of a tensor: gate, then up. `member` has the number of rows of each.
fn halves(found: &Found<'_>, rank: usize, member: &str, targets: [&str; 2]) -> Result<Vec<Piece>> {
    let size = u64::from(found.config.required(&[member])?);
    let view = found.view.clone().with_rank(rank)?;
    let axis = rank - 2;
    if view.axes[axis].length != 2 * size {
        return Err(error!(BadSafetensors:
            "its shape is {:?}: expected {} rows of each expert, two for each of \"{member}\"", view.shape(), 2 * size));
    }
    let half = |target, start| view.clone().sliced(axis, start, 1, size).map(|view| found.piece_named(target, view));
    Ok(vec![half(targets[0], 0)?, half(targets[1], size)?])
}

fn gates_and_ups(found: &Found<'_>) -> Result<Vec<Piece>> {
    halves(found, 3, "intermediate_size", ["blk.#.ffn_gate_exps", "blk.#.ffn_up_exps"])
}

fn has_experts(config: &Config) -> Result<bool> {
    Ok(config.unsigned(&["num_local_experts"])?.is_some_and(|count| count > 0))
}

fn shared_gate_and_up(found: &Found<'_>) -> Result<Vec<Piece>> {
    let targets = match has_experts(found.config)? {
        true => ["blk.#.ffn_gate_shexp", "blk.#.ffn_up_shexp"],
        false => ["blk.#.ffn_gate", "blk.#.ffn_up"],
    };
    halves(found, 2, "shared_intermediate_size", targets)
}

fn shared_down(found: &Found<'_>) -> Result<Vec<Piece>> {
    let target = if has_experts(found.config)? { "blk.#.ffn_down_shexp" } else { "blk.#.ffn_down" };
    Ok(vec![found.piece_named(target, found.view.clone())])
}

/// `expert_shared_feed_forward_length`, if there is a shared expert.
pub(super) fn shared_length(keys: &mut Keys<'_>) -> Result<()> {
    if let Some(length) = keys.config.unsigned(&["shared_intermediate_size"])?.filter(|length| *length > 0) {
        keys.put("expert_shared_feed_forward_length", EntryValue::U32(length));
    }
    Ok(())
}

/// llama.cpp ignores the size of a head in Granite.
pub(super) fn without_head_size(config: &mut Config) -> Result<()> {
    for member in ["spatial_target_layers", "deepstack_layer_map"] {
        if config.get(member).is_some_and(|value| !value.is_null()) {
            return Err(error!(UnsupportedModel: "{CONFIG} has the member \"{member}\", which is not supported"));
        }
    }
    config.remove("head_dim");
    Ok(())
}
