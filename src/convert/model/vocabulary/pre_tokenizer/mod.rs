//! The name of the pre-tokenizer: how text is split before byte-pair encoding.
//!
//! `tokenizer.json` describes the splitting, but llama.cpp has rules with names. The converter of llama.cpp knows a vocabulary by
//! the hash of the ids that it gives to one text. Here, the ids are those of the crate's own tokenizer with rules that split this
//! text exactly as `tokenizer.json` does.

mod expression;
mod known;
mod split;

use alloc::{string::String, string::ToString, vec::Vec};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::VocabularyInput;
use super::special_tokens::SpecialTokens;
use super::tokenizer::Tokenizer;
use super::tokens::Tokens;
use crate::convert::model::json_members::{elements, is_true, member, text_member};
use crate::decode::decoder::parse;
use crate::error::shown::Shown;
use crate::error::{Error, Result, error};
use crate::format::value::ValueType;
use crate::format::version::Format;
use crate::know::tokenizer as tokenizers;
use crate::know::tokenizer::{EncodeOptions, PreTokenizer, pre_tokenizer, pre_tokenizers, word_ends};
use crate::write::encode::Encoder;
use known::{CHECK_TEXT, known_name};
use split::{SplitText, split};

/// The names of WordPiece vocabularies. llama.cpp splits their text in one way, and ignores the name.
const WORD_PIECE_NAMES: &[&str] = &["jina-v2-en", "bert-bge", "bert-bge-large"];

/// Names that many models have, which come before others that are as probable.
const COMMON_NAMES: &[&str] = &["llama-bpe", "qwen2", "gpt-2", "gpt-4o", "starcoder", "deepseek-v3", "tekken"];

/// What the user is asked if the pre-tokenizer of a vocabulary is not known.
///
/// # Examples
///
/// ```
/// let question = gguf_wasm::model::vocabulary::PreTokenizerQuestion { hash: None, probable: vec!["llama-bpe"] };
/// assert_eq!(question.probable.first(), Some(&"llama-bpe"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreTokenizerQuestion {
    /// The hash of the ids of the text that llama.cpp uses: SHA-256 in hexadecimal. `None` if no known rules split this text as
    /// `tokenizer.json` does, so that the ids are not known.
    pub hash: Option<String>,
    /// The names of pre-tokenizers whose rules split this text as `tokenizer.json` does. The most probable ones come first.
    pub probable: Vec<&'static str>,
}

/// The name of the pre-tokenizer: the one that the user has chosen, else the one that is known by its hash.
///
/// # Errors
///
/// `unknown-pre-tokenizer` if there is neither. `invalid-argument` if llama.cpp does not have the chosen one.
pub(super) fn name(
    input: &VocabularyInput<'_>,
    tokenizer: &Tokenizer,
    tokens: &Tokens,
    special: &SpecialTokens,
) -> Result<String> {
    if let Some(name) = input.pre {
        let is_known = pre_tokenizer(name.as_bytes()).is_some() || WORD_PIECE_NAMES.contains(&name);
        return match is_known {
            true => Ok(name.into()),
            false => Err(error!(
                InvalidArgument: "llama.cpp has no pre-tokenizer \"{}\": expected a value of tokenizer.ggml.pre such as llama-bpe or \
                                  qwen2. Choose a name that llama.cpp knows.",
                Shown(name.as_bytes())
            )),
        };
    }
    found(tokenizer, tokens, special)?.map(String::from).map_err(|question| unknown(&question))
}

/// The name that is known by its hash, or what the user is asked.
pub(super) fn found(
    tokenizer: &Tokenizer,
    tokens: &Tokens,
    special: &SpecialTokens,
) -> Result<core::result::Result<&'static str, PreTokenizerQuestion>> {
    let model = member(&tokenizer.json, "model");
    let (text, probable, names) = if text_member(model, "type") == Some("WordPiece") {
        (CHECK_TEXT.to_string(), WORD_PIECE_NAMES.to_vec(), Vec::from([("", true)]))
    } else {
        let Some(split) = split(&tokenizer.json, CHECK_TEXT) else {
            return Ok(Err(PreTokenizerQuestion { hash: None, probable: Vec::new() }));
        };
        let ignores_merges = is_true(member(model, "ignore_merges"));
        let probable = probable_names(&split, ignores_merges, adds_bos(tokenizer));
        let names = different_ways(&probable, ignores_merges);
        (split.text.into_iter().collect(), probable, names)
    };
    let mut known_hash = None;
    for (name, obeys_merges) in names {
        let Some(ids) = ids(tokenizer, tokens, special, name, &text)? else { continue };
        let hash = hash(&ids);
        if let Some(name) = known_name(&hash) {
            return Ok(Ok(name));
        }
        if obeys_merges {
            known_hash = known_hash.or(Some(hash));
        }
    }
    Ok(Err(PreTokenizerQuestion { hash: known_hash, probable }))
}

/// One name for each way to make tokens of the words, and whether it treats merges as the tokenizer does.
fn different_ways(names: &[&'static str], ignores_merges: bool) -> Vec<(&'static str, bool)> {
    let mut ways: Vec<PreTokenizer> = Vec::new();
    for pre in names.iter().filter_map(|name| pre_tokenizer(name.as_bytes())) {
        if !ways.iter().any(|other| (other.rules, other.ignores_merges) == (pre.rules, pre.ignores_merges)) {
            ways.push(pre);
        }
    }
    ways.into_iter().map(|pre| (pre.name, pre.ignores_merges == ignores_merges)).collect()
}

/// The names of rules that split a text into the same words. Those that treat merges and BOS as the tokenizer does come first.
fn probable_names(split: &SplitText, ignores_merges: bool, adds_bos: bool) -> Vec<&'static str> {
    let text: String = split.text.iter().collect();
    let mut start = 0;
    for word in &split.words {
        if word.start != start {
            // The tokenizer drops characters, which no rules of llama.cpp do.
            return Vec::new();
        }
        start = word.end;
    }
    let ends: Vec<usize> = split.words.iter().map(|word| word.end).collect();
    let mut names: Vec<(u8, &'static str)> = Vec::new();
    for pre in pre_tokenizers().filter(|pre| word_ends(pre, &text).is_some_and(|found| found == ends)) {
        let differences = u8::from(pre.ignores_merges != ignores_merges) * 2 + u8::from(pre.adds_bos != adds_bos);
        names.push((differences * 2 + u8::from(!COMMON_NAMES.contains(&pre.name)), pre.name));
    }
    let in_order = (0..8).flat_map(|place| names.iter().filter(move |(own, _)| *own == place));
    in_order.map(|(_, name)| *name).collect()
}

/// The ids of a text with the rules of a pre-tokenizer. `None` if the crate's tokenizer refuses the vocabulary.
fn ids(
    tokenizer: &Tokenizer,
    tokens: &Tokens,
    special: &SpecialTokens,
    pre: &str,
    text: &str,
) -> Result<Option<Vec<u64>>> {
    let is_word_piece = pre.is_empty();
    let mut file = Encoder::new(Format::default());
    let flags: Vec<_> = special.normalizer_flags().collect();
    file.header(0, 4 + u64::from(!is_word_piece) + flags.len() as u64);
    file.kv(b"tokenizer.ggml.model", &if is_word_piece { "bert".into() } else { "gpt2".into() });
    file.kv(b"tokenizer.ggml.pre", &if is_word_piece { "default".into() } else { pre.into() });
    for (key, value) in flags {
        file.kv(key.as_bytes(), &value.into());
    }
    strings(&mut file, b"tokenizer.ggml.tokens", &tokens.texts);
    file.key(b"tokenizer.ggml.token_type", ValueType::Array.id());
    let types: Vec<i32> = tokens.types.iter().map(|token_type| *token_type as i32).collect();
    file.array(ValueType::Int32.id(), types.len() as u64).i32s(&types);
    if !is_word_piece {
        strings(&mut file, b"tokenizer.ggml.merges", &special.merges);
    }
    let Ok(header) = parse(file.as_bytes()) else { return Ok(None) };
    let Ok(own) = tokenizers::Tokenizer::new(&header) else { return Ok(None) };
    let options = EncodeOptions { add_special: false, parse_special: true };
    let Ok(inner) = own.encode(text, options) else { return Ok(None) };
    let Some((before, after)) = added_ids(tokenizer) else { return Ok(None) };
    Ok(Some(before.into_iter().chain(inner.into_iter().map(u64::from)).chain(after).collect()))
}

fn strings(file: &mut Encoder, key: &[u8], texts: &[Vec<u8>]) {
    file.key(key, ValueType::Array.id());
    file.array(ValueType::String.id(), texts.len() as u64);
    for text in texts {
        file.string(text);
    }
}

/// SHA-256 of ids, in hexadecimal. They are written as Python writes a list: `[1, 2]`.
fn hash(ids: &[u64]) -> String {
    let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
    Sha256::digest(format!("[{}]", ids.join(", "))).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the tokenizer adds a token before a text.
fn adds_bos(tokenizer: &Tokenizer) -> bool {
    added_ids(tokenizer).is_some_and(|(before, _)| !before.is_empty())
}

/// The ids that are added before and after a text. `None` if that is not known.
fn added_ids(tokenizer: &Tokenizer) -> Option<(Vec<u64>, Vec<u64>)> {
    if let Some((adds_bos, adds_eos)) = tokenizer.class.adds {
        let flag = |name: &str, default: bool| tokenizer.config.get(name).map_or(default, is_true);
        let id = |role: usize| tokenizer.ids.id(tokenizer.special[role].as_deref()?);
        let before = if flag("add_bos_token", adds_bos) { Vec::from([id(0)?]) } else { Vec::new() };
        let after = if flag("add_eos_token", adds_eos) { Vec::from([id(1)?]) } else { Vec::new() };
        return Some((before, after));
    }
    let mut around = (Vec::new(), Vec::new());
    let post_processor = member(&tokenizer.json, "post_processor");
    let processors = match post_processor.get("processors") {
        Some(processors) => elements(processors),
        None => core::slice::from_ref(post_processor),
    };
    for processor in processors {
        match text_member(processor, "type") {
            None | Some("ByteLevel") => {}
            Some("BertProcessing" | "RobertaProcessing") => {
                let id = |name: &str| member(processor, name).get(1).and_then(Value::as_u64);
                around.0.insert(0, id("cls")?);
                around.1.push(id("sep")?);
            }
            Some("TemplateProcessing") => add_template(processor, &mut around)?,
            Some(_) => return None,
        }
    }
    Some(around)
}

/// Adds the ids of a template around those that are there.
fn add_template(processor: &Value, around: &mut (Vec<u64>, Vec<u64>)) -> Option<()> {
    let (mut before, mut after, mut has_text) = (Vec::new(), Vec::new(), false);
    for part in elements(member(processor, "single")) {
        let Some(token) = part.get("SpecialToken") else {
            has_text = true;
            continue;
        };
        let ids = member(member(member(processor, "special_tokens"), text_member(token, "id")?), "ids");
        let place = if has_text { &mut after } else { &mut before };
        for id in elements(ids) {
            place.push(id.as_u64()?);
        }
    }
    before.append(&mut around.0);
    around.0 = before;
    around.1.append(&mut after);
    Some(())
}

/// The error of a pre-tokenizer that is not known.
#[cold]
fn unknown(question: &PreTokenizerQuestion) -> Error {
    const MOST_SHOWN: usize = 8;
    let names = question.probable.iter().take(MOST_SHOWN).copied().collect::<Vec<_>>().join(", ");
    let probable = match question.probable.is_empty() {
        true => "No rules of llama.cpp split text as tokenizer.json does.".to_string(),
        false => format!("Probable names: {names}."),
    };
    let hash = question.hash.as_deref().unwrap_or("not known");
    error!(
        UnknownPreTokenizer: "the pre-tokenizer of the vocabulary is unknown: the hash of its check is {hash}. {probable} Choose the \
                              name of the model that this vocabulary comes from."
    )
}
