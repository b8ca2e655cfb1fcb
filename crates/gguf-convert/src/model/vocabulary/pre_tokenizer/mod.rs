//! The name of the pre-tokenizer: how text is split before byte-pair encoding.
//!
//! `tokenizer.json` describes the splitting, but llama.cpp has rules with names. The converter of llama.cpp knows a vocabulary by
//! the hash of the ids that it gives to one text. Here, this text is split as `tokenizer.json` says, and the crate's own tokenizer
//! makes tokens of the words.

mod around;
mod expression;
mod known;
mod parts;
mod split;
#[cfg(test)]
mod tests;

use alloc::{collections::BTreeMap, string::String, string::ToString, vec::Vec};
use core::cell::Cell;

use sha2::{Digest, Sha256};

use super::kind::VocabularyInput;
use super::special_tokens::SpecialTokens;
use super::tokenizer::Tokenizer;
use super::tokens::Tokens;
use crate::model::json_members::{is_true, member, text_member};
use around::added_ids;
use gguf_format::decode::decoder::parse;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::value::ValueType;
use gguf_format::format::version::Format;
use gguf_format::write::encode::Encoder;
use gguf_models::tokenizer as tokenizers;
use gguf_models::tokenizer::{EncodeOptions, Splitter, pre_tokenizer, pre_tokenizers};
use known::{CHECK_TEXT, known_name};
use parts::{Part, cut_text};
use split::Words;

/// The names of WordPiece vocabularies. llama.cpp splits their text in one way, and ignores the name.
const WORD_PIECE_NAMES: &[&str] = &["jina-v2-en", "bert-bge", "bert-bge-large"];

/// A name that llama.cpp knows, for vocabularies of which nothing else is known.
const ANY_NAME: &str = "gpt-2";

/// Bytes for the keys of the entries, and for the short entries.
const ENTRIES: usize = 1 << 12;

/// Names that many models have, which come before others that are as probable.
const COMMON_NAMES: &[&str] = &["llama-bpe", "qwen2", "gpt-2", "gpt-4o", "starcoder", "deepseek-v3", "tekken"];

/// What the user is asked if the pre-tokenizer of a vocabulary is not known.
///
/// # Examples
///
/// ```
/// let question = gguf_convert::model::vocabulary::PreTokenizerQuestion { hash: None, probable: vec!["llama-bpe"] };
/// assert_eq!(question.probable.first(), Some(&"llama-bpe"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreTokenizerQuestion {
    /// The hash of the ids of the text that llama.cpp uses: SHA-256 in hexadecimal. `None` if `tokenizer.json` has a step that is
    /// unknown here, and for WordPiece.
    pub hash: Option<String>,
    /// The names of pre-tokenizers whose rules give this text the same ids. The most probable ones come first.
    pub probable: Vec<&'static str>,
}

impl PreTokenizerQuestion {
    /// The error of a pre-tokenizer that is not known.
    #[cold]
    #[doc(hidden)]
    pub fn error(&self) -> Error {
        const MOST_SHOWN: usize = 8;
        let names = self.probable.iter().take(MOST_SHOWN).copied().collect::<Vec<_>>().join(", ");
        let probable = match self.probable.is_empty() {
            true => "No rules of llama.cpp are known to split text as tokenizer.json does.".to_string(),
            false => format!("Probable names: {names}."),
        };
        let hash = self.hash.as_deref().unwrap_or("not known");
        error!(
            UnknownPreTokenizer: "the pre-tokenizer of the vocabulary is unknown: the hash of its check is {hash}. {probable} Choose the \
                                  name of the model that this vocabulary comes from."
        )
    }
}

/// The name of the pre-tokenizer: the name that the user has chosen, else the name that is known for the hash. If there is neither, returns
/// the most probable name, and sets `question`.
///
/// # Errors
///
/// `invalid-argument` if llama.cpp does not have the chosen one.
pub(super) fn name(
    input: &VocabularyInput<'_>,
    tokenizer: &Tokenizer,
    tokens: &Tokens,
    special: &SpecialTokens,
    question: &mut Option<PreTokenizerQuestion>,
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
    let name = found(tokenizer, tokens, special).unwrap_or_else(|asked| {
        let probable = asked.probable.first().copied().unwrap_or(ANY_NAME);
        *question = Some(asked);
        probable
    });
    Ok(name.into())
}

/// The name that is known for the hash, or the question to the user.
fn found(
    tokenizer: &Tokenizer,
    tokens: &Tokens,
    special: &SpecialTokens,
) -> core::result::Result<&'static str, PreTokenizerQuestion> {
    let is_word_piece = text_member(member(&tokenizer.json, "model"), "type") == Some("WordPiece");
    let own = own_tokenizer(tokenizer, tokens, special, is_word_piece);
    let (ids, probable) = match &own {
        Some(own) if is_word_piece => {
            let options = EncodeOptions { add_special: false, parse_special: true };
            let ids = own.encode(CHECK_TEXT, options).ok();
            (ids.map(|ids| ids.into_iter().map(u64::from).collect()), WORD_PIECE_NAMES.to_vec())
        }
        Some(own) => match cut_text(tokenizer) {
            Some(parts) => {
                let (ids, names) = probable_names(tokenizer, own, &parts);
                (Some(ids), names)
            }
            None => (None, Vec::new()),
        },
        None => (None, Vec::new()),
    };
    let whole = ids.zip(added_ids(tokenizer)).map(|(ids, (before, after))| [before, ids, after].concat());
    let hash = whole.map(|ids: Vec<u64>| hash(&ids));
    match hash.as_deref().and_then(known_name) {
        Some(name) => Ok(name),
        // For words that WordPiece does not know, llama.cpp's ids are not always those of transformers.
        None => Err(PreTokenizerQuestion { hash: hash.filter(|_| !is_word_piece), probable }),
    }
}

/// The ids of the text, and the names of pre-tokenizers whose rules give the same ids. Those whose rules split the text into the same
/// words, and that treat merges and BOS as the tokenizer does, come first.
fn probable_names(tokenizer: &Tokenizer, own: &tokenizers::Tokenizer, parts: &[Part]) -> (Vec<u64>, Vec<&'static str>) {
    let ignores_merges = ignores_merges(tokenizer);
    let adds_bos = added_ids(tokenizer).is_some_and(|(before, _)| !before.is_empty());
    let ids_of = |words: &dyn Fn(&str, &Words) -> Option<Vec<u32>>| {
        let mut ids = Vec::new();
        for part in parts {
            match part {
                Part::Token(id) => ids.push(*id),
                Part::Text(text, split) => ids.extend(words(text, split)?.into_iter().map(u64::from)),
            }
        }
        Some(ids)
    };
    let encode = |words: &Words| own.encode_words(&words.text, words.ends.iter().copied());
    let ids = ids_of(&|_, words| Some(encode(words))).unwrap_or_default();
    // Many names have the same rules.
    let mut known: BTreeMap<&str, Option<bool>> = BTreeMap::new();
    let mut names: Vec<(u8, &'static str)> = Vec::new();
    for pre in pre_tokenizers() {
        let has_same_words = *known.entry(pre.rules).or_insert_with(|| {
            let (has_same_words, splitter) = (Cell::new(true), Splitter::new(pre.rules)?);
            let own_ids = ids_of(&|text, words| {
                let text = if words.text.len() > text.len() { words.text.as_str() } else { text };
                let own_words = Words { text: text.into(), ends: splitter.ends_in_bytes(text) };
                has_same_words.set(has_same_words.get() && own_words == *words);
                Some(encode(&own_words))
            });
            own_ids.filter(|own_ids| *own_ids == ids).map(|_| has_same_words.get())
        });
        let Some(has_same_words) = has_same_words else { continue };
        let differences = [
            !has_same_words,
            pre.ignores_merges != ignores_merges,
            pre.adds_bos != adds_bos,
            !COMMON_NAMES.contains(&pre.name),
        ];
        names.push((differences.into_iter().fold(0, |sum, differs| sum * 2 + u8::from(differs)), pre.name));
    }
    let in_order = (0..16).flat_map(|place| names.iter().filter(move |(own, _)| *own == place));
    (ids, in_order.map(|(_, name)| *name).collect())
}

fn ignores_merges(tokenizer: &Tokenizer) -> bool {
    is_true(member(member(&tokenizer.json, "model"), "ignore_merges"))
}

/// The crate's own tokenizer for a vocabulary. `None` if it refuses the vocabulary.
fn own_tokenizer(
    tokenizer: &Tokenizer,
    tokens: &Tokens,
    special: &SpecialTokens,
    is_word_piece: bool,
) -> Option<tokenizers::Tokenizer> {
    let (model, pre) = match (is_word_piece, ignores_merges(tokenizer)) {
        (true, _) => ("bert", "default"),
        // The words are given, so only the use of the merges counts.
        (false, true) => ("gpt2", "llama-bpe"),
        (false, false) => ("gpt2", "gpt-2"),
    };
    let mut file = Encoder::new(Format::default());
    let size: usize = tokens.texts.iter().chain(&special.merges).map(|text| text.len() + 8).sum();
    file.reserve((size + 4 * tokens.len() + ENTRIES) as u64).ok()?;
    let flags: Vec<_> = special.normalizer_flags().collect();
    file.header(0, 4 + u64::from(!is_word_piece) + flags.len() as u64);
    file.kv(b"tokenizer.ggml.model", &model.into());
    file.kv(b"tokenizer.ggml.pre", &pre.into());
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
    tokenizers::Tokenizer::new(&parse(file.as_bytes()).ok()?).ok()
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
    let mut hash = Sha256::new();
    for (index, id) in ids.iter().enumerate() {
        hash.update(if index == 0 { "[" } else { ", " });
        hash.update(id.to_string());
    }
    hash.update(if ids.is_empty() { "[]" } else { "]" });
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
