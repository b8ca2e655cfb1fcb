//! Qwen 2 and Qwen 3.

use alloc::string::String;
use alloc::vec::Vec;

use super::decoder::{ATTENTION, ENDS, EXPERTS, GATED, NORMS, QUERY_KEY_NORMS};
use super::row::{DECODER, Family, Folder};
use super::rule::{Change, Found, Piece, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules};
use crate::model::keys::{BASE, Key};
use crate::model::pooling::pooling_type;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

pub(super) const ROUTER: Rules = rules![name("layers.#.mlp.gate", "blk.#.ffn_gate_inp")];

/// All experts in one tensor.
pub(super) const FUSED_EXPERTS: Rules = rules![
    whole("layers.#.mlp.experts.down_proj", "blk.#.ffn_down_exps.weight"),
    name("layers.#.mlp.experts.down_proj", "blk.#.ffn_down_exps"),
    whole("layers.#.mlp.experts.gate_up_proj", "").with(Change::Custom(gate_and_up)),
];

pub(super) const SHARED_EXPERT: Rules = rules![
    name("layers.#.mlp.shared_expert.gate_proj", "blk.#.ffn_gate_shexp"),
    name("layers.#.mlp.shared_expert.up_proj", "blk.#.ffn_up_shexp"),
    name("layers.#.mlp.shared_expert.down_proj", "blk.#.ffn_down_shexp"),
    name("layers.#.mlp.shared_expert_gate", "blk.#.ffn_gate_inp_shexp"),
];

pub(super) const EXPERT_KEYS: &[Key] = &[
    Key::List(BASE),
    Key::Unsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
    Key::Unsigned("expert_shared_feed_forward_length", &["shared_expert_intermediate_size"]),
];

pub(super) const QWEN_KEYS: &[Key] = &[Key::List(BASE), Key::Call(pooling_type)];

const QWEN: Family = Family { keys: QWEN_KEYS, ..DECODER };

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &[
            "Qwen2ForCausalLM",
            "Qwen2Model",
            "Qwen2AudioForConditionalGeneration",
            "AudioFlamingo3ForConditionalGeneration",
        ],
        architecture: "qwen2",
        vocabulary: Vocabulary::SentencePieceOrGpt2,
        config: ConfigRules::Types(&["qwen2"]),
        rules: &[ENDS, ATTENTION, NORMS, GATED],
        ..QWEN
    },
    Family {
        classes: &["Qwen3ForCausalLM", "Qwen3Model"],
        architecture: "qwen3",
        vocabulary: Vocabulary::SentencePieceOrGpt2,
        config: ConfigRules::Types(&["qwen3"]),
        rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, GATED],
        check: refuse_reranker,
        ..QWEN
    },
    Family {
        classes: &["Qwen2MoeForCausalLM"],
        architecture: "qwen2moe",
        config: ConfigRules::Types(&["qwen2_moe"]),
        rules: &[ENDS, ATTENTION, NORMS, GATED, ROUTER, EXPERTS, FUSED_EXPERTS, SHARED_EXPERT],
        keys: EXPERT_KEYS,
        ..DECODER
    },
    Family {
        classes: &["Qwen3MoeForCausalLM"],
        architecture: "qwen3moe",
        config: ConfigRules::Types(&["qwen3_moe"]),
        rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, GATED, ROUTER, EXPERTS, FUSED_EXPERTS],
        keys: EXPERT_KEYS,
        ..DECODER
    },
];

/// The halves of a tensor with all experts: gate, then up.
fn gate_and_up(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(3)?;
    let rows = view.axes[1].length;
    if !rows.is_multiple_of(2) {
        return Err(error!(BadSafetensors:
            "its shape is {:?}: expected an even number of rows, of which one half is the gate", view.shape()));
    }
    let half = |target, start| view.clone().sliced(1, start, 1, rows / 2).map(|view| found.piece_named(target, view));
    Ok(vec![half("blk.#.ffn_gate_exps.weight", 0)?, half("blk.#.ffn_up_exps.weight", rows / 2)?])
}

/// Rerankers need two rows of the output, which the tokenizer names. The reference recognises them by names.
pub(super) fn refuse_reranker(config: &Config, folder: &Folder<'_>) -> Result<()> {
    const NAMES: [&str; 2] = ["qwen3-reranker", "qwen3-vl-reranker"];
    let path = config.text(&["_name_or_path"])?.unwrap_or_default();
    let is_named = |text: &str| NAMES.iter().any(|name| text.to_lowercase().contains(name));
    let card = folder.files.get("README.md").map(String::from_utf8_lossy).unwrap_or_default().to_lowercase();
    let is_in_card = NAMES.iter().any(|name| card.contains(&format!("# {name}")));
    match is_named(folder.name) || is_named(path) || is_in_card {
        true => Err(error!(UnsupportedModel:
            "the model is a reranker, as its name, \"_name_or_path\" in {CONFIG} or its README.md says: rerankers of Qwen 3 \
             cannot be converted")),
        false => Ok(()),
    }
}
