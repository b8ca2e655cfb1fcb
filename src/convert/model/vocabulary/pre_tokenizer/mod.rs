//! The name of the pre-tokenizer: how text is split before byte-pair encoding.
//!
//! `tokenizer.json` describes the splitting, but llama.cpp has rules with names. The converter of llama.cpp knows a vocabulary by
//! the hash of the ids that it gives to one text. Here, this text is split as `tokenizer.json` says, and the crate's own tokenizer
//! makes tokens of the words.

mod expression;
mod known;
mod split;

use alloc::{collections::BTreeMap, string::String, string::ToString, vec::Vec};
use core::cell::Cell;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::VocabularyInput;
use super::added_tokens::AddedToken;
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
use crate::know::tokenizer::{EncodeOptions, pre_tokenizer, pre_tokenizers, word_ends};
use crate::write::encode::Encoder;
use known::{CHECK_TEXT, known_name};
use split::{Words, normalized, split};

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
    /// The hash of the ids of the text that llama.cpp uses: SHA-256 in hexadecimal. `None` if `tokenizer.json` has a step that is
    /// unknown here, and for WordPiece.
    pub hash: Option<String>,
    /// The names of pre-tokenizers whose rules give this text the same ids. The most probable ones come first.
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
    Ok(match hash.as_deref().and_then(known_name) {
        Some(name) => Ok(name),
        // For words that WordPiece does not know, llama.cpp's ids are not always those of transformers.
        None => Err(PreTokenizerQuestion { hash: hash.filter(|_| !is_word_piece), probable }),
    })
}

/// A part of the text: an added token, or text between them, split as `tokenizer.json` says.
enum Part {
    Token(u64),
    /// The text before it was split, and its words.
    Text(String, Words),
}

/// Cuts the text at added tokens, and splits the rest. `None` if `tokenizer.json` has a step that is unknown here.
fn cut_text(tokenizer: &Tokenizer) -> Option<Vec<Part>> {
    let normalizer = member(&tokenizer.json, "normalizer");
    let mut parts = Vec::new();
    for piece in cut(tokenizer, CHECK_TEXT, false)? {
        match piece {
            Piece::Token(id) => parts.push(Part::Token(id)),
            Piece::Text(text) => {
                let text = normalized(normalizer, text)?;
                for piece in cut(tokenizer, &text, true)? {
                    parts.push(match piece {
                        Piece::Token(id) => Part::Token(id),
                        Piece::Text(text) => Part::Text(text.into(), split(&tokenizer.json, text)?.into_words()),
                    });
                }
            }
        }
    }
    Some(parts)
}

/// A part of a text that is cut at added tokens.
enum Piece<'a> {
    Token(u64),
    Text(&'a str),
}

/// Cuts a text at the added tokens that are searched before or after normalisation: at the leftmost one, and at the longest one of
/// several. `None` if a token that is found takes white space around it, or must be a word.
fn cut<'a>(tokenizer: &Tokenizer, text: &'a str, is_normalized: bool) -> Option<Vec<Piece<'a>>> {
    let added = tokenizer.ids.added.iter().filter(|(_, token)| token.is_normalized == is_normalized);
    let added: Vec<(u64, &AddedToken)> = added.map(|(id, token)| (*id, token)).collect();
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(next) = text[at..].chars().next() {
        let found = added.iter().filter(|(_, token)| text[at..].starts_with(&token.text));
        match found.max_by_key(|(_, token)| token.text.len()) {
            Some((id, token)) => {
                if token.matching != [false; 3] {
                    return None;
                }
                if start < at {
                    pieces.push(Piece::Text(&text[start..at]));
                }
                pieces.push(Piece::Token(*id));
                at += token.text.len();
                start = at;
            }
            None => at += next.len_utf8(),
        }
    }
    if start < at {
        pieces.push(Piece::Text(&text[start..at]));
    }
    Some(pieces)
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
            let has_same_words = Cell::new(true);
            let own_ids = ids_of(&|text, words| {
                let text = if words.text.len() > text.len() { words.text.as_str() } else { text };
                let own_words = Words { text: text.into(), ends: word_ends(&pre, text)? };
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
    let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
    Sha256::digest(format!("[{}]", ids.join(", "))).iter().map(|byte| format!("{byte:02x}")).collect()
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
        true => "No rules of llama.cpp are known to split text as tokenizer.json does.".to_string(),
        false => format!("Probable names: {names}."),
    };
    let hash = question.hash.as_deref().unwrap_or("not known");
    error!(
        UnknownPreTokenizer: "the pre-tokenizer of the vocabulary is unknown: the hash of its check is {hash}. {probable} Choose the \
                              name of the model that this vocabulary comes from."
    )
}

#[cfg(test)]
mod tests {
    use super::known::CHECK_TEXT;
    use super::split::split;
    use crate::know::tokenizer::{pre_tokenizer, word_ends};
    use alloc::{string::String, vec::Vec};
    use serde_json::{Value, json};

    const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
    const GPT_4O: &str = concat!(
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    );

    /// The expressions are those that comments in llama.cpp's `src/llama-vocab.cpp` quote from `tokenizer.json` files.
    #[test]
    fn expressions_of_models_split_the_text_as_the_rules_with_their_name() {
        for (name, expressions) in [
            ("llama-bpe", &[LLAMA3][..]),
            (
                "qwen35",
                &[
                    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
                ],
            ),
            (
                "bailingmoe",
                &[
                    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
                ],
            ),
            (
                "seed-coder",
                &[
                    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+",
                ],
            ),
            (
                "deepseek-v3",
                &[
                    r"\p{N}{1,3}",
                    "[一-龥぀-ゟ゠-ヿ]+",
                    concat!(
                        r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"##,
                        r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
                    ),
                ],
            ),
        ] {
            let steps = expressions.iter().map(|expression| {
                json!({ "type": "Split", "pattern": { "Regex": expression }, "behavior": "Isolated", "invert": false })
            });
            let steps: Vec<Value> = steps.collect();
            let split = split(&json!({ "pre_tokenizer": { "type": "Sequence", "pretokenizers": steps } }), CHECK_TEXT);
            let words = split.unwrap().into_words();
            let own = word_ends(&pre_tokenizer(name.as_bytes()).unwrap(), CHECK_TEXT).unwrap();
            assert_eq!(words.text, CHECK_TEXT);
            assert_eq!(words.ends, own, "{name}");
        }
    }

    /// The words are those that the Python package regex finds.
    #[test]
    fn the_expression_of_gpt_4o_tells_upper_case_from_lower_case() {
        let text = "I've HELLOworld We'Ve a'lL 'RE កាន់តែ 12345 .../\n\n  x";
        let expected =
            ["I've", " HELLOworld", " We'Ve", " a'lL", " '", "RE", " កាន់តែ", " ", "123", "45", " .../\n\n", " ", " x"];
        let step = json!({ "type": "Split", "pattern": { "Regex": GPT_4O }, "behavior": "Isolated", "invert": false });
        let found = split(&json!({ "pre_tokenizer": step }), text).unwrap();
        let words: Vec<String> = found.words.iter().map(|word| found.text[word.clone()].iter().collect()).collect();
        assert_eq!(words, expected);
    }
}
