//! Tokenizers without `tokenizer.json`: the one that transformers makes from the older files.
//!
//! Source: `src/transformers/convert_slow_tokenizer.py` of transformers 4.57.

use alloc::{borrow::ToOwned, string::String};

use serde_json::{Map, Value, json};

use super::merges;
use super::tokenizer_class::TokenizerClass;
use super::tokens::checked_count;
use crate::json::{ELEMENT, MEMBER, TEXT, parse_within};
use crate::model::files::SmallFiles;
use crate::model::json_members::is_true;
use gguf_format::error::{Result, error};

/// How Qwen2 splits text. `tokenizer.json` names no expression then.
const QWEN2_EXPRESSION: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// The value of `tokenizer.json` for a folder without it.
///
/// # Errors
///
/// `incomplete-model` if the folder lacks the older files, too, or if no rule is known for the class.
pub(super) fn tokenizer_json(class: &TokenizerClass, files: &SmallFiles, config: &Map<String, Value>) -> Result<Value> {
    match class.name {
        "GPT2" | "Qwen2" if files.has("vocab.json") && files.has("merges.txt") => byte_pairs(class, files, config),
        "Bert" if files.has("vocab.txt") => word_piece(files, config),
        _ => Err(error!(
            IncompleteModel: "the folder has no tokenizer.json, and no files from which it could be made. Download all files of the \
                              tokenizer into the folder."
        )),
    }
}

fn byte_pairs(class: &TokenizerClass, files: &SmallFiles, config: &Map<String, Value>) -> Result<Value> {
    let adds_space = config.get("add_prefix_space").is_some_and(is_true);
    let byte_level = |uses_expression: bool, trims: bool| json!({ "type": "ByteLevel", "add_prefix_space": adds_space, "use_regex": uses_expression, "trim_offsets": trims });
    let split =
        json!({ "type": "Split", "pattern": { "Regex": QWEN2_EXPRESSION }, "behavior": "Isolated", "invert": false });
    let (normalizer, pre_tokenizer) = match class.name {
        "Qwen2" => {
            (json!({ "type": "NFC" }), json!({ "type": "Sequence", "pretokenizers": [split, byte_level(false, true)] }))
        }
        _ => (Value::Null, byte_level(true, true)),
    };
    let mut tokenizer = json!({
        "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": byte_level(true, false),
        "decoder": byte_level(true, true),
        "model": { "type": "BPE" },
    });
    // The macro would copy the long values.
    let budget = files.budget();
    let vocabulary = files.get("vocab.json").map(|text| parse_within("vocab.json", text, &budget));
    tokenizer["model"]["vocab"] = vocabulary.transpose()?.unwrap_or_default();
    let merges = merges::of_text_file(files)?;
    budget.take(ELEMENT * merges.len() as u64)?;
    let merges = merges.into_iter().map(|merge| String::from_utf8(merge).unwrap_or_default());
    tokenizer["model"]["merges"] = merges.collect();
    Ok(tokenizer)
}

fn word_piece(files: &SmallFiles, config: &Map<String, Value>) -> Result<Value> {
    let text = files.text("vocab.txt")?.unwrap_or_default();
    let count = checked_count(text.lines().count() as u64)?;
    files.budget().take((MEMBER + TEXT) * count as u64 + text.len() as u64)?;
    let mut vocabulary = Map::with_capacity(count);
    for (id, line) in text.lines().enumerate() {
        vocabulary.insert(line.into(), id.into());
    }
    let flag = |name: &str, default: bool| config.get(name).and_then(Value::as_bool).unwrap_or(default);
    let token = |name: &str, default: &str| config.get(name).and_then(Value::as_str).unwrap_or(default).to_owned();
    let (class, separator) = (token("cls_token", "[CLS]"), token("sep_token", "[SEP]"));
    let id = |text: &str| vocabulary.get(text).cloned().unwrap_or_default();
    let special = |text: &str| json!({ "id": text, "ids": [id(text)], "tokens": [text] });
    let part = |text: &str, place: u32| json!({ "SpecialToken": { "id": text, "type_id": place } });
    let sequence = |name: &str, place: u32| json!({ "Sequence": { "id": name, "type_id": place } });
    let single = [part(&class, 0), sequence("A", 0), part(&separator, 0)];
    let pair = [single.as_slice(), &[sequence("B", 1), part(&separator, 1)]].concat();
    let post_processor = json!({
        "type": "TemplateProcessing",
        "single": single,
        "pair": pair,
        "special_tokens": { class.as_str(): special(&class), separator.as_str(): special(&separator) },
    });
    let strips = config.get("strip_accents").cloned().unwrap_or_default();
    let mut tokenizer = json!({
        "normalizer": {
            "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": flag("tokenize_chinese_chars", true),
            "strip_accents": strips, "lowercase": flag("do_lower_case", true),
        },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "post_processor": post_processor,
        "decoder": { "type": "WordPiece", "prefix": "##", "cleanup": true },
        "model": { "type": "WordPiece" },
    });
    // The macro would copy it.
    tokenizer["model"]["vocab"] = vocabulary.into();
    Ok(tokenizer)
}
