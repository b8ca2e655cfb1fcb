//! ModernBERT.

use alloc::string::String;

use super::bert::{BERT_KEYS, label_names, old_names};
use super::row::{DECODER, Family};
use super::rule::{dropped, name};
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::Result;

const RULES: Rules = rules![
    name("embeddings.tok_embeddings", "token_embd"),
    name("embeddings.norm", "token_embd_norm"),
    name("layers.#.attn_norm", "blk.#.attn_norm"),
    name("layers.#.attn.Wqkv", "blk.#.attn_qkv"),
    name("layers.#.attn.Wo", "blk.#.attn_output"),
    name("layers.#.mlp_norm", "blk.#.ffn_norm"),
    name("layers.#.mlp.Wi", "blk.#.ffn_up"),
    name("layers.#.mlp.Wo", "blk.#.ffn_down"),
    name("final_norm", "output_norm"),
    name("head.dense", "cls"),
    name("head.norm", "cls.norm"),
    name("classifier", "cls"),
    name("classifier.out_proj", "cls.output"),
    dropped("cls.predictions*"),
    dropped("cls.seq_relationship*"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["ModernBertModel", "ModernBertForMaskedLM", "ModernBertForSequenceClassification"],
    architecture: "modern-bert",
    vocabulary: Vocabulary::ModernBert,
    config: ConfigRules::Types(&["modernbert"]),
    adjust: label_names,
    rename: without_prefixes,
    rules: &[RULES],
    keys: &[
        Key::List(BERT_KEYS),
        Key::RequiredUnsigned("attention.sliding_window", &["local_attention"]),
        Key::Unsigned("attention.sliding_window_pattern", &["global_attn_every_n_layers"]),
        Key::FixedText("rope.scaling.type", "none"),
        Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
        Key::Call(activation),
    ],
    ..DECODER
}];

fn without_prefixes(config: &Config, name: &str) -> Option<String> {
    old_names(config, name.strip_prefix("model.").unwrap_or(name))
}

fn activation(keys: &mut Keys<'_>) -> Result<()> {
    if let Some(name) = keys.config.text(&["hidden_activation"])?.filter(|name| !name.is_empty()) {
        keys.put("hidden_activation", EntryValue::String(name.into()));
    }
    Ok(())
}
