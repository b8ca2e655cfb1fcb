//! BERT and its relatives: encoders for embeddings and rerankers.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::decoder::{ATTENTION, ENDS as DECODER_ENDS, GATED, NORMS};
use super::row::{DECODER, Family, Folder, without_model};
use super::rule::{Change, Found, Piece, dropped, name};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, float, missing, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use crate::model::pooling::pooling_type;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};
use gguf_format::order::sorted;

const ENDS: Rules = rules![
    name("embeddings.word_embeddings", "token_embd"),
    name("embeddings.token_type_embeddings", "token_types"),
    name("embeddings.LayerNorm", "token_embd_norm"),
    dropped("embeddings.position_ids"),
    dropped("pooler.dense.weight"),
    dropped("pooler.dense.bias"),
];

const POSITIONS: Rules = rules![name("embeddings.position_embeddings", "position_embd")];

/// RoBERTa counts positions from the id of the padding token on.
const LATER_POSITIONS: Rules =
    rules![name("embeddings.position_embeddings", "position_embd").with(Change::Custom(without_first_positions))];

const BLOCKS: Rules = rules![
    name("encoder.layer.#.attention.self.query", "blk.#.attn_q"),
    name("encoder.layer.#.attention.self.key", "blk.#.attn_k"),
    name("encoder.layer.#.attention.self.value", "blk.#.attn_v"),
    name("encoder.layer.#.attention.output.dense", "blk.#.attn_output"),
    name("encoder.layer.#.attention.output.LayerNorm", "blk.#.attn_output_norm"),
    name("encoder.layer.#.intermediate.dense", "blk.#.ffn_up"),
    name("encoder.layer.#.output.dense", "blk.#.ffn_down"),
    name("encoder.layer.#.output.LayerNorm", "blk.#.layer_output_norm"),
];

const DISTILLED: Rules = rules![
    name("transformer.layer.#.attention.q_lin", "blk.#.attn_q"),
    name("transformer.layer.#.attention.k_lin", "blk.#.attn_k"),
    name("transformer.layer.#.attention.v_lin", "blk.#.attn_v"),
    name("transformer.layer.#.attention.out_lin", "blk.#.attn_output"),
    name("transformer.layer.#.sa_layer_norm", "blk.#.attn_output_norm"),
    name("transformer.layer.#.ffn.lin1", "blk.#.ffn_up"),
    name("transformer.layer.#.ffn.lin2", "blk.#.ffn_down"),
    name("transformer.layer.#.output_layer_norm", "blk.#.layer_output_norm"),
    name("pre_classifier", "cls"),
    // The head that predicts words.
    dropped("vocab_*"),
];

/// Jina BERT: a gate in the feed-forward network, and no embedding of positions.
const JINA: Rules = rules![
    name("encoder.layer.#.attention.self.layer_norm_q", "blk.#.attn_q_norm"),
    name("encoder.layer.#.attention.self.layer_norm_k", "blk.#.attn_k_norm"),
    name("encoder.layer.#.layer_norm_1", "blk.#.attn_norm_2"),
    name("encoder.layer.#.layer_norm_2", "blk.#.layer_output_norm"),
    name("encoder.layer.#.mlp.gated_layers", "blk.#.ffn_up"),
    name("encoder.layer.#.mlp.gated_layers_v", "blk.#.ffn_up"),
    name("encoder.layer.#.mlp.gated_layers_w", "blk.#.ffn_gate"),
    name("encoder.layer.#.mlp.up_gated_layer", "blk.#.ffn_up"),
    name("encoder.layer.#.mlp.down_layer", "blk.#.ffn_down"),
    name("encoder.layer.#.mlp.wo", "blk.#.ffn_down"),
    name("encoder.layer.#.mlp.layernorm", "blk.#.layer_output_norm"),
];

const HEADS: Rules = rules![
    name("classifier", "cls"),
    name("classifier.dense", "cls"),
    name("classifier.out_proj", "cls.output"),
    dropped("cls.predictions*"),
    dropped("cls.seq_relationship*"),
];

const NEO: Rules = rules![
    name("encoder", "token_embd"),
    name("transformer_encoder.#.attention_norm", "blk.#.attn_norm"),
    name("transformer_encoder.#.qkv", "blk.#.attn_qkv"),
    name("transformer_encoder.#.wo", "blk.#.attn_output"),
    name("transformer_encoder.#.ffn_norm", "blk.#.ffn_norm"),
    name("transformer_encoder.#.ffn.w12", "blk.#.ffn_up"),
    name("transformer_encoder.#.ffn.w3", "blk.#.ffn_down"),
    name("layer_norm", "enc.output_norm"),
    name("dense", "cls"),
    dropped("decoder.*"),
];

const NOMIC: Rules = rules![
    name("embeddings.word_embeddings", "token_embd"),
    name("embeddings.token_type_embeddings", "token_types"),
    name("emb_ln", "token_embd_norm"),
    name("encoder.layers.#.attn.Wqkv", "blk.#.attn_qkv"),
    name("encoder.layers.#.attn.out_proj", "blk.#.attn_output"),
    name("encoder.layers.#.mlp.fc11", "blk.#.ffn_up"),
    name("encoder.layers.#.mlp.fc12", "blk.#.ffn_gate"),
    name("encoder.layers.#.mlp.fc2", "blk.#.ffn_down"),
    name("encoder.layers.#.norm1", "blk.#.attn_output_norm"),
    name("encoder.layers.#.norm2", "blk.#.layer_output_norm"),
    dropped("embeddings.position_ids"),
    dropped("pooler.dense.weight"),
    dropped("pooler.dense.bias"),
    dropped("cls.predictions*"),
    dropped("cls.seq_relationship*"),
];

/// The keys of encoders.
pub(super) const BERT_KEYS: &[Key] =
    &[Key::List(BASE), Key::FixedBool("attention.causal", false), Key::Call(pooling_type), Key::Call(output_labels)];

const BERT: Family =
    Family { architecture: "bert", adjust: label_names, rename: old_names, keys: BERT_KEYS, ..DECODER };

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["BertModel", "BertForMaskedLM", "BertForSequenceClassification"],
        config: ConfigRules::Types(&["bert"]),
        vocabulary: Vocabulary::Bert,
        rules: &[ENDS, POSITIONS, BLOCKS, HEADS],
        ..BERT
    },
    Family {
        classes: &["JinaBertModel", "JinaBertForMaskedLM"],
        architecture: "jina-bert-v2",
        config: ConfigRules::Types(&["bert"]),
        vocabulary: Vocabulary::JinaBert,
        rules: &[ENDS, BLOCKS, JINA, HEADS],
        ..BERT
    },
    Family {
        classes: &["RobertaModel", "RobertaForSequenceClassification"],
        config: ConfigRules::Types(&["roberta"]),
        vocabulary: Vocabulary::Roberta,
        adjust: later_positions,
        rules: &[ENDS, LATER_POSITIONS, BLOCKS, HEADS],
        ..BERT
    },
    Family {
        classes: &["XLMRobertaModel", "XLMRobertaForSequenceClassification"],
        config: ConfigRules::Types(&["xlm-roberta"]),
        vocabulary: Vocabulary::XlmRoberta,
        adjust: later_positions,
        rules: &[ENDS, LATER_POSITIONS, BLOCKS, HEADS],
        ..BERT
    },
    Family {
        classes: &["DistilBertModel", "DistilBertForMaskedLM", "DistilBertForSequenceClassification"],
        config: ConfigRules::Types(&["distilbert"]),
        vocabulary: Vocabulary::Bert,
        rename: distilled_names,
        rules: &[ENDS, POSITIONS, DISTILLED, HEADS],
        keys: &[Key::FixedFloat("attention.layer_norm_epsilon", 1e-12), Key::List(BERT_KEYS)],
        ..BERT
    },
    Family {
        classes: &["EuroBertModel"],
        architecture: "eurobert",
        config: ConfigRules::AsItIs(&["eurobert"]),
        vocabulary: Vocabulary::EuroBert,
        rename: without_model,
        rules: &[DECODER_ENDS, ATTENTION, NORMS, GATED],
        keys: &[
            Key::List(BASE),
            Key::FixedBool("attention.causal", false),
            Key::FixedText("rope.scaling.type", "none"),
            Key::Call(pooling_type),
        ],
        ..DECODER
    },
    Family {
        classes: &["NeoBERT", "NeoBERTLMHead", "NeoBERTForSequenceClassification"],
        architecture: "neo-bert",
        config: ConfigRules::AsItIs(&["neobert"]),
        vocabulary: Vocabulary::Bert,
        adjust: refuse_labels,
        rename: |config, name| old_names(config, name.strip_prefix("model.").unwrap_or(name)),
        rules: &[NEO, HEADS],
        keys: &[Key::List(BERT_KEYS), Key::Call(neo_keys)],
        ..BERT
    },
    Family {
        classes: &["NomicBertModel"],
        architecture: "nomic-bert",
        vocabulary: Vocabulary::Bert,
        config: ConfigRules::AsItIs(&["nomic_bert"]),
        adjust: check_nomic,
        check: refuse_unigram,
        rules: &[NOMIC],
        ..BERT
    },
];

/// Names of other programs: a prefix with the name of the family, and old names of the parts of a norm.
pub(super) fn old_names(config: &Config, name: &str) -> Option<String> {
    let name = name.strip_prefix("bert.").or_else(|| name.strip_prefix("roberta.")).unwrap_or(name);
    let name = match (name.strip_suffix(".gamma"), name.strip_suffix(".beta")) {
        (Some(norm), _) => format!("{norm}.weight"),
        (_, Some(norm)) => format!("{norm}.bias"),
        _ => name.into(),
    };
    // A classifier of one layer. The labels, which can be many, are looked at for its tensors only.
    Some(match name.as_str() {
        "classifier.weight" if labels(config).is_some() => "classifier.out_proj.weight".into(),
        "classifier.bias" if labels(config).is_some() => "classifier.out_proj.bias".into(),
        _ => name,
    })
}

/// The reference looks for the numbers of the labels, which are texts if transformers does not know the model.
fn refuse_labels(config: &mut Config) -> Result<()> {
    match config.get("id2label").and_then(Value::as_object) {
        Some(labels) if labels.len() == 2 => Err(
            error!(UnsupportedModel: "{CONFIG} has two labels in \"id2label\", which are not supported for NeoBERT"),
        ),
        _ => Ok(()),
    }
}

/// The feed-forward network of NeoBERT has two thirds of the length that the configuration says.
fn neo_keys(keys: &mut Keys<'_>) -> Result<()> {
    let length = u64::from(keys.config.required(&["intermediate_size"])?);
    let epsilon = match keys.config.get("norm_eps") {
        Some(_) => keys.config.required_float(&["norm_eps"])?,
        None => 1e-6,
    };
    keys.put("feed_forward_length", EntryValue::U32((2 * length / 3) as u32));
    keys.put("rope.freq_base", EntryValue::F32(10_000.0));
    keys.put("rope.scaling.type", EntryValue::String("none".into()));
    keys.put("attention.layer_norm_rms_epsilon", EntryValue::F32(epsilon as f32));
    keys.put("pooling_type", EntryValue::U32(2));
    Ok(())
}

fn distilled_names(config: &Config, name: &str) -> Option<String> {
    old_names(config, name.strip_prefix("distilbert.").unwrap_or(name))
}

/// The names of the labels, as the class completes them.
pub(super) fn label_names(config: &mut Config) -> Result<()> {
    if config.get("id2label").is_none_or(Value::is_null) {
        let count = config.unsigned(&["num_labels"])?.unwrap_or(2);
        if count > 1 << 16 {
            return Err(error!(BadJson: "{CONFIG} has {count} labels, which is too many"));
        }
        let labels = (0..count).map(|i| (format!("{i}"), Value::String(format!("LABEL_{i}"))));
        config.set("id2label", Value::Object(labels.collect()));
    }
    Ok(())
}

/// The labels with their numbers. `None` if they have the names that say nothing.
fn labels(config: &Config) -> Option<Vec<(u64, &str)>> {
    let labels = config.get("id2label")?.as_object()?;
    let named = labels.iter().map(|(number, name)| Some((number.parse().ok()?, name.as_str()?)));
    let named: Vec<(u64, &str)> = sorted(&named.collect::<Option<Vec<_>>>()?);
    match &named[..] {
        [] => None,
        [(0, "LABEL_0"), _] => None,
        _ => Some(named),
    }
}

fn output_labels(keys: &mut Keys<'_>) -> Result<()> {
    if let Some(labels) = labels(keys.config) {
        let names = labels.into_iter().map(|(_, name)| name.into()).collect();
        keys.put("classifier.output_labels", EntryValue::Strings(names));
    }
    Ok(())
}

/// The number of positions that are not used.
fn unused_positions(config: &Config) -> Result<Option<u32>> {
    Ok(config.unsigned(&["pad_token_id"])?.map(|padding| padding.saturating_add(1)))
}

fn later_positions(config: &mut Config) -> Result<()> {
    if config.get("lora_adaptations").is_some_and(|value| !value.is_null()) {
        return Err(error!(UnsupportedModel: "{CONFIG} has the member \"lora_adaptations\", which is not supported"));
    }
    label_names(config)?;
    const POSITIONS: &str = "max_position_embeddings";
    if let Some(value) = config.get(POSITIONS).filter(|value| value.is_null()) {
        return Err(wrong_type(POSITIONS, value, "a whole number"));
    }
    if let (Some(unused), Some(positions)) = (unused_positions(config)?, config.unsigned(&[POSITIONS])?) {
        let left = positions.checked_sub(unused).ok_or_else(
            || error!(BadJson: "{CONFIG} has {positions} positions, of which {unused} are not used: expected fewer"),
        )?;
        config.set(POSITIONS, left.into());
    }
    Ok(())
}

fn without_first_positions(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(2)?;
    let unused = u64::from(unused_positions(found.config)?.unwrap_or(0));
    let rows = view.axes[0].length.saturating_sub(unused);
    Ok(vec![found.piece(view.sliced(0, unused, 1, rows)?)])
}

/// With a unigram vocabulary, the reference changes the positions, too.
fn refuse_unigram(_: &Config, folder: &Folder<'_>) -> Result<()> {
    let tokenizer = folder.files.json("tokenizer.json")?;
    let kind = tokenizer.as_ref().and_then(|tokenizer| tokenizer.get("model")?.get("type")?.as_str());
    match kind {
        None | Some("WordPiece") => Ok(()),
        Some(_) => Err(error!(UnsupportedModel:
            "the vocabulary of tokenizer.json is not WordPiece, which is not supported for Nomic BERT")),
    }
}

/// llama.cpp knows Nomic BERT with these settings only. The models were trained with fewer positions than they name.
fn check_nomic(config: &mut Config) -> Result<()> {
    label_names(config)?;
    if config.get("moe_every_n_layers").is_some_and(|value| value.as_u64() != Some(0) && !value.is_null()) {
        return Err(error!(UnsupportedModel: "the model has experts, which are not supported for Nomic BERT"));
    }
    for (member, expected) in [
        ("activation_function", json!("swiglu")),
        ("causal", json!(false)),
        ("qkv_proj_bias", json!(false)),
        ("mlp_fc1_bias", json!(false)),
        ("mlp_fc2_bias", json!(false)),
        ("prenorm", json!(false)),
        ("rotary_emb_interleaved", json!(false)),
        ("rotary_emb_scale_base", Value::Null),
    ] {
        let found = config.get(member).ok_or_else(|| missing(&[member]))?;
        if *found != expected {
            return Err(wrong_type(member, found, &format!("{expected}")));
        }
    }
    let part = config.get("rotary_emb_fraction").ok_or_else(|| missing(&["rotary_emb_fraction"]))?;
    if float("rotary_emb_fraction", part)? != 1.0 {
        return Err(wrong_type("rotary_emb_fraction", part, "1.0"));
    }
    let positions = config.required(&["n_positions"])?;
    let trained = config.unsigned(&["max_trained_positions"])?.unwrap_or(2048);
    let used: u32 = match (positions, trained) {
        (8192, 2048) => 2048,
        (2048, 2048) => 512,
        _ => {
            return Err(error!(UnsupportedModel:
                "{CONFIG} has {positions} positions, of which {trained} were trained: expected 8192 or 2048, and 2048"));
        }
    };
    config.set("n_positions", used.into());
    Ok(())
}
