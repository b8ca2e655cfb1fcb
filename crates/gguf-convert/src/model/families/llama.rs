//! Llama, Mistral and Mixtral, and families that share their attention.

use alloc::string::String;

use super::decoder::{ENDS, GATED, NORMS};
use super::rope_factors::{head_dimension, llama3, no_llama3};
use super::row::{DECODER, Family, without_model};
use super::rule::{Change, Heads, name};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use crate::model::pooling::pooling_type;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

/// The attention whose heads are rotated as neighbours.
pub(super) const INTERLEAVED: Rules = rules![
    name("layers.#.self_attn.q_proj", "blk.#.attn_q").with(Change::Interleave(Heads::Query)),
    name("layers.#.self_attn.k_proj", "blk.#.attn_k").with(Change::Interleave(Heads::KeyValue)),
    name("layers.#.self_attn.v_proj", "blk.#.attn_v"),
    name("layers.#.self_attn.o_proj", "blk.#.attn_output"),
];

/// The experts of Mixtral, in the order in which the stacked tensors are written.
pub(super) const MIXTRAL: Rules = rules![
    name("layers.#.block_sparse_moe.gate", "blk.#.ffn_gate_inp"),
    name("layers.#.block_sparse_moe.experts.@.w1", "blk.#.ffn_gate_exps"),
    name("layers.#.block_sparse_moe.experts.@.w2", "blk.#.ffn_down_exps"),
    name("layers.#.block_sparse_moe.experts.@.w3", "blk.#.ffn_up_exps"),
];

/// The feed-forward network without a gate.
pub(super) const UNGATED: Rules =
    rules![name("layers.#.mlp.up_proj", "blk.#.ffn_up"), name("layers.#.mlp.down_proj", "blk.#.ffn_down")];

/// The keys of Llama.
pub(super) const KEYS: &[Key] =
    &[Key::List(BASE), Key::RequiredUnsigned("vocab_size", &["vocab_size"]), Key::Call(rope_dimension)];

pub(super) const LLAMA: Family = Family {
    architecture: "llama",
    rules: &[ENDS, INTERLEAVED, NORMS, GATED],
    adjust: refuse_draft,
    rename: without_text_model,
    generated: |config| llama3(config, 8.0),
    keys: KEYS,
    vocabulary: Vocabulary::Llama,
    ..DECODER
};

pub(super) const FAMILIES: &[Family] = &[
    // The model of the text of SmolVLM has the class VLlama3ForCausalLM.
    Family {
        classes: &["LlamaForCausalLM", "LLaMAForCausalLM", "VLlama3ForCausalLM", "VoxtralForConditionalGeneration"],
        config: ConfigRules::Types(&["llama"]),
        ..LLAMA
    },
    Family { classes: &["LlamaModel"], config: ConfigRules::Types(&["llama"]), generated: no_llama3, ..LLAMA },
    Family { classes: &["LlavaForConditionalGeneration"], config: ConfigRules::Text(&["llama", "mistral"]), ..LLAMA },
    Family { classes: &["MistralForCausalLM"], config: ConfigRules::Types(&["mistral"]), ..LLAMA },
    Family {
        classes: &["MixtralForCausalLM"],
        config: ConfigRules::Types(&["mixtral"]),
        rules: &[ENDS, INTERLEAVED, NORMS, MIXTRAL],
        ..LLAMA
    },
    Family {
        classes: &["SmolLM3ForCausalLM"],
        architecture: "smollm3",
        config: ConfigRules::Types(&["smollm3"]),
        ..LLAMA
    },
    Family {
        classes: &["ArceeForCausalLM"],
        architecture: "arcee",
        config: ConfigRules::Types(&["arcee"]),
        rules: &[ENDS, INTERLEAVED, NORMS, UNGATED],
        keys: &[Key::List(KEYS), Key::Call(pooling_type)],
        ..LLAMA
    },
];

/// `rope.dimension_count`: the size of a head.
pub(super) fn rope_dimension(keys: &mut Keys<'_>) -> Result<()> {
    let dimension = head_dimension(keys.config)?;
    keys.put("rope.dimension_count", EntryValue::U32(dimension));
    Ok(())
}

/// The name without `model.`. In SmolVLM, it may be `model.text_model.`.
fn without_text_model(config: &Config, name: &str) -> Option<String> {
    without_model(config, &name.replace("text_model.", ""))
}

/// Drafts of speculative decoding name the class of Llama, but are other models.
fn refuse_draft(config: &mut Config) -> Result<()> {
    match config.get("draft_vocab_size").is_some() || config.get("transformer_layer_config").is_some() {
        true => Err(error!(UnsupportedModel:
            "the model is a draft for speculative decoding (EAGLE-3), which cannot be converted: {CONFIG} has the member \
             \"draft_vocab_size\" or \"transformer_layer_config\"")),
        false => Ok(()),
    }
}
