//! The entries of each kind of vocabulary, in the order of the converter of llama.cpp.

use serde_json::{Value, json};

use super::base;
use super::kind::{Vocabulary, VocabularyInput};
use super::llama_hf;
use super::pre_tokenizer::{self, PreTokenizerQuestion};
use super::rwkv_world;
use super::sentence_piece::{self, Variant};
use super::special_tokens::SpecialTokens;
use super::tiktoken;
use super::tokenizer::Tokenizer;
use super::tokens::Tokens;
use super::unigram;
use crate::model::entries::{Entries, EntryValue};
use crate::model::json_members::member;
use gguf_format::error::{Error, Result, error};
use gguf_models::tokenizer::TokenType;

const ADD_SPACE_PREFIX: &str = "tokenizer.ggml.add_space_prefix";
const ADD_BOS: &str = "tokenizer.ggml.add_bos_token";
const ADD_EOS: &str = "tokenizer.ggml.add_eos_token";
const ADD_SEPARATOR: &str = "tokenizer.ggml.add_sep_token";
const TOKEN_TYPE_COUNT: &str = "tokenizer.ggml.token_type_count";

/// The tokens of Gemma 4 that are shown as text, so that the parser of chats can read them.
const VISIBLE: &[&[u8]] = &[
    b"<|channel>",
    b"<channel|>",
    b"<|tool_call>",
    b"<tool_call|>",
    b"<|tool_response>",
    b"<tool_response|>",
    b"<|\"|>",
];

/// How the entries of a vocabulary are made: by the kind of tokenizer in llama.cpp, and by the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The value `gpt2`, from byte-level tokens.
    Gpt2,
    /// The value `gpt2`, from `hy.tiktoken`.
    Tiktoken,
    /// The value `llama`, from `tokenizer.model`.
    SentencePiece,
    /// The value `llama`, from `tokenizer.json`.
    LlamaHf,
    /// The value `gemma4`, from `tokenizer.json`.
    Gemma4,
    /// The value `bert`.
    Bert,
    /// The value `t5`, of XLM-RoBERTa.
    Unigram,
    /// The value `t5`.
    T5,
    /// The value `rwkv`.
    RwkvWorld,
    Nothing,
}

/// How the vocabulary of a kind is made from the files of a folder.
fn source(kind: Vocabulary, input: &VocabularyInput<'_>) -> Result<Source> {
    let has_pieces = input.files.has("tokenizer.model");
    let has_json = input.files.has("tokenizer.json");
    let one_of = |first, otherwise| if has_pieces { first } else { otherwise };
    Ok(match kind {
        Vocabulary::Gpt2
        | Vocabulary::EuroBert
        | Vocabulary::Refact
        | Vocabulary::SolarOpen
        | Vocabulary::ModernBert
        | Vocabulary::Glm4
        | Vocabulary::Glm4Moe
        | Vocabulary::ChatGlm => Source::Gpt2,
        Vocabulary::Gemma4 => match input.files.json("tokenizer.json")? {
            Some(json) if llama_hf::is_sentence_piece(&json) => Source::Gemma4,
            _ => return Err(missing("tokenizer.json with the tokens of SentencePiece")),
        },
        Vocabulary::Gpt2Json | Vocabulary::Hunyuan if has_json => Source::Gpt2,
        Vocabulary::Gpt2Json | Vocabulary::Hunyuan => return Err(missing("tokenizer.json")),
        Vocabulary::HunyuanMoe if input.files.has(tiktoken::FILE) => Source::Tiktoken,
        Vocabulary::HunyuanMoe => return Err(missing(tiktoken::FILE)),
        Vocabulary::Llama if !has_json && input.files.has("tekken.json") => {
            return Err(error!(
                UnsupportedModel: "the vocabulary is in tekken.json alone: expected tokenizer.json. Add it to the folder."
            ));
        }
        Vocabulary::Llama if !has_pieces => {
            match input.files.json("tokenizer.json")?.is_some_and(|json| llama_hf::is_sentence_piece(&json)) {
                true => Source::LlamaHf,
                false => Source::Gpt2,
            }
        }
        Vocabulary::Phi3 if tokenizer_config(input)?["tokenizer_class"] == "GPT2Tokenizer" => Source::Gpt2,
        Vocabulary::SentencePiece
        | Vocabulary::Gemma
        | Vocabulary::Gemma2
        | Vocabulary::Phi3
        | Vocabulary::InternLm2
        | Vocabulary::InternLm3
        | Vocabulary::Ernie
        | Vocabulary::Nemotron
        | Vocabulary::Llama => Source::SentencePiece,
        Vocabulary::SentencePieceOrGpt2 | Vocabulary::Gemma3 | Vocabulary::Mamba2 => {
            one_of(Source::SentencePiece, Source::Gpt2)
        }
        Vocabulary::Mamba if !has_json && has_pieces => Source::SentencePiece,
        Vocabulary::Mamba => Source::Gpt2,
        Vocabulary::Bert => Source::Bert,
        Vocabulary::Roberta => {
            if has_json {
                Source::Gpt2
            } else {
                Source::Bert
            }
        }
        Vocabulary::XlmRoberta => Source::Unigram,
        Vocabulary::T5 if unigram::is_byte_pair_encoding(input)? => Source::SentencePiece,
        Vocabulary::T5 => Source::T5,
        Vocabulary::RwkvWorld => Source::RwkvWorld,
        Vocabulary::Jamba => one_of(Source::SentencePiece, Source::LlamaHf),
        Vocabulary::JinaBert => match tokenizer_config(input)?["tokenizer_class"].as_str() {
            Some("BertTokenizer") => Source::Bert,
            Some("RobertaTokenizer") if !has_whitespace(input)? => Source::Gpt2,
            _ => {
                return Err(error!(UnsupportedModel:
                    "tokenizer_config.json has another tokenizer_class than BertTokenizer or RobertaTokenizer, or the tokenizer splits text \
                     at white space: no vocabulary of Jina BERT has these."));
            }
        },
        Vocabulary::None => Source::Nothing,
    })
}

/// Adds the entries. If the pre-tokenizer is unknown, writes the most probable one, and returns a question for the user.
pub(super) fn add_entries(
    kind: Vocabulary,
    input: &VocabularyInput<'_>,
    entries: &mut Entries,
) -> Result<Option<PreTokenizerQuestion>> {
    let padded = padded_config(kind, input);
    let input = &VocabularyInput { config: padded.as_ref().unwrap_or(input.config), ..*input };
    let source = source(kind, input)?;
    add_before(kind, input, entries)?;
    let mut question = None;
    let special = match source {
        Source::Gpt2 => add_gpt2(input, entries, &mut question)?,
        Source::Tiktoken => {
            let (tokens, merges) = tiktoken::tokens(input)?;
            tokens.add_entries("gpt2", input.pre.unwrap_or("hunyuan"), false, entries);
            let mut special = SpecialTokens::read(input.files, false, None)?;
            special.merges = merges;
            special
        }
        Source::SentencePiece => add_sentence_piece(kind, input, entries)?,
        Source::LlamaHf => {
            if !input.files.json("tokenizer.json")?.is_some_and(|json| llama_hf::is_sentence_piece(&json)) {
                return Err(missing("tokenizer.json with the tokens of SentencePiece"));
            }
            let tokens = llama_hf::tokens(input)?;
            let special = SpecialTokens::read(input.files, false, Some(tokens.len() as u64))?;
            tokens.add_entries("llama", "default", true, entries);
            special
        }
        Source::Gemma4 => {
            let mut tokens = llama_hf::tokens(input)?;
            for (text, token_type) in tokens.texts.iter().zip(&mut tokens.types) {
                if VISIBLE.contains(&text.as_slice()) {
                    *token_type = TokenType::UserDefined;
                }
            }
            let special = SpecialTokens::read(input.files, true, None)?;
            tokens.add_entries("gemma4", "", true, entries);
            special
        }
        Source::Bert => add_bert(input, entries, &mut question)?,
        Source::Unigram => {
            let count = unigram::add_entries(input, entries)?;
            SpecialTokens::read(input.files, false, Some(count))?
        }
        Source::T5 => {
            let count = unigram::add_t5_entries(input, entries)?;
            SpecialTokens::read(input.files, false, Some(count))?
        }
        Source::RwkvWorld => {
            let tokens = rwkv_world::tokens(input)?;
            tokens.add_entries("rwkv", "", false, entries);
            let mut special = SpecialTokens::read(input.files, false, None)?;
            if special.template.is_null() {
                special.template = rwkv_world::TEMPLATE.into();
            }
            // An empty line ends a turn. The files name other tokens for the ends of a text.
            special.set("eot", &json!(261))?;
            special.replace("bos", 0);
            special.replace("eos", 0);
            special
        }
        Source::Nothing => {
            entries.set("tokenizer.ggml.model", EntryValue::String("none".into()));
            return Ok(None);
        }
    };
    fixed_tokens(kind, input, special)?.add_entries(entries)?;
    add_after(kind, source, input, entries)?;
    Ok(question)
}

/// The configuration with the size of the vocabulary rounded up. `None` if the size stays.
fn padded_config(kind: Vocabulary, input: &VocabularyInput<'_>) -> Option<Value> {
    let size = kind.padded_size(input.config).filter(|size| input.config["vocab_size"] != *size)?;
    let mut config = input.config.clone();
    config["vocab_size"] = size.into();
    Some(config)
}

/// Adds the entries that come before the tokens.
fn add_before(kind: Vocabulary, input: &VocabularyInput<'_>, entries: &mut Entries) -> Result<()> {
    match kind {
        Vocabulary::Llama => {
            if let Value::Bool(adds_space) = tokenizer_config(input)?["add_prefix_space"] {
                entries.set(ADD_SPACE_PREFIX, EntryValue::Bool(adds_space));
            }
        }
        Vocabulary::EuroBert => entries.set(ADD_BOS, EntryValue::Bool(false)),
        Vocabulary::ModernBert => {
            for key in [ADD_BOS, ADD_EOS, ADD_SEPARATOR] {
                entries.set(key, EntryValue::Bool(true));
            }
        }
        _ => {}
    }
    Ok(())
}

/// Adds the entries that come after all others of the vocabulary.
fn add_after(kind: Vocabulary, source: Source, input: &VocabularyInput<'_>, entries: &mut Entries) -> Result<()> {
    let size = base::vocab_size(input);
    match kind {
        Vocabulary::Gemma => {
            // The other tokens of CodeGemma have no keys.
            let mut special =
                SpecialTokens::with_roles(input.files, false, None, &["prefix", "suffix", "middle", "fsep", "eot"])?;
            special.set("eot", &json!(107))?;
            special.template = Value::Null;
            special.add_entries(entries)?;
            entries.set(ADD_SPACE_PREFIX, EntryValue::Bool(false));
        }
        Vocabulary::Refact => {
            let mut special =
                SpecialTokens::with_roles(input.files, false, None, &["prefix", "suffix", "middle", "eot"])?;
            special.template = Value::Null;
            special.add_entries(entries)?;
        }
        Vocabulary::Gemma4 => {
            entries.set(ADD_SPACE_PREFIX, EntryValue::Bool(false));
            entries.set(ADD_BOS, EntryValue::Bool(true));
        }
        Vocabulary::Gemma2 => entries.set(ADD_SPACE_PREFIX, EntryValue::Bool(false)),
        Vocabulary::Gemma3 if source == Source::SentencePiece => entries.set(ADD_SPACE_PREFIX, EntryValue::Bool(false)),
        // Code Llama.
        Vocabulary::Llama if size == Some(32_016) => {
            let mut special =
                SpecialTokens::with_roles(input.files, false, None, &["prefix", "suffix", "middle", "eot"])?;
            special.set("eot", &json!(32_010))?;
            special.add_entries(entries)?;
        }
        // The small models of Granite.
        Vocabulary::Llama if size == Some(49_152) => entries.set(ADD_BOS, EntryValue::Bool(false)),
        Vocabulary::Ernie => {
            if let Value::Bool(adds_space) = tokenizer_config(input)?["add_prefix_space"] {
                entries.set(ADD_SPACE_PREFIX, EntryValue::Bool(adds_space));
            }
        }
        Vocabulary::Nemotron => {
            entries.set("tokenizer.ggml.padding_token_id", EntryValue::U32(0));
            entries.set("tokenizer.ggml.unknown_token_id", EntryValue::U32(1));
        }
        Vocabulary::Hunyuan => add_end_tokens(input, entries)?,
        // The token `<|bos|>`: config.json names another one.
        Vocabulary::HunyuanMoe => entries.set("tokenizer.ggml.bos_token_id", EntryValue::U32(127_959)),
        Vocabulary::Jamba if source == Source::LlamaHf => entries.set(ADD_SPACE_PREFIX, EntryValue::Bool(false)),
        Vocabulary::JinaBert if source == Source::Gpt2 => entries.set(TOKEN_TYPE_COUNT, EntryValue::U32(2)),
        Vocabulary::Roberta if source == Source::Gpt2 => add_token_type_count(input, entries),
        _ => {}
    }
    Ok(())
}

/// The tokens that end a text and a turn of Hunyuan, which the other files do not name.
fn add_end_tokens(input: &VocabularyInput<'_>, entries: &mut Entries) -> Result<()> {
    let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
    if let Some(id) = id(&input.config["eod_token_id"]) {
        entries.set("tokenizer.ggml.eos_token_id", EntryValue::U32(id));
    }
    let generation = input.files.json("generation_config.json")?.unwrap_or_default();
    let ends = generation["eos_token_id"].as_array().filter(|ends| ends.len() > 1);
    if let Some(id) = ends.and_then(|ends| id(ends.first()?)) {
        entries.set("tokenizer.ggml.eot_token_id", EntryValue::U32(id));
    }
    Ok(())
}

fn add_gpt2(
    input: &VocabularyInput<'_>,
    entries: &mut Entries,
    question: &mut Option<PreTokenizerQuestion>,
) -> Result<SpecialTokens> {
    let tokenizer = Tokenizer::load(input)?;
    let tokens = base::tokens(&tokenizer, base::checked_vocab_size(input)?)?;
    let special = SpecialTokens::read(input.files, true, None)?;
    let pre = pre_tokenizer::name(input, &tokenizer, &tokens, &special, question)?;
    tokens.add_entries("gpt2", &pre, false, entries);
    Ok(special)
}

fn add_sentence_piece(kind: Vocabulary, input: &VocabularyInput<'_>, entries: &mut Entries) -> Result<SpecialTokens> {
    let variant = match kind {
        Vocabulary::Phi3 => Variant::Phi3,
        Vocabulary::InternLm2 => Variant::InternLm2,
        _ => Variant::Common,
    };
    let tokens = sentence_piece::tokens(input, variant)?.ok_or_else(|| missing("tokenizer.model"))?;
    let special = SpecialTokens::read(input.files, false, Some(tokens.len() as u64))?;
    tokens.add_entries("llama", "default", true, entries);
    if kind == Vocabulary::InternLm3
        && let Value::Bool(adds_space) = tokenizer_config(input)?["add_prefix_space"]
    {
        entries.set(ADD_SPACE_PREFIX, EntryValue::Bool(adds_space));
    }
    if kind == Vocabulary::InternLm2 {
        entries.set(ADD_SPACE_PREFIX, EntryValue::Bool(sentence_piece::adds_space(input)?));
    }
    Ok(special)
}

fn add_bert(
    input: &VocabularyInput<'_>,
    entries: &mut Entries,
    question: &mut Option<PreTokenizerQuestion>,
) -> Result<SpecialTokens> {
    let tokenizer = Tokenizer::load(input)?;
    let tokens = bert_tokens(base::tokens(&tokenizer, base::checked_vocab_size(input)?)?);
    let special = SpecialTokens::read(input.files, false, Some(tokens.len() as u64))?;
    let pre = pre_tokenizer::name(input, &tokenizer, &tokens, &special, question)?;
    add_token_type_count(input, entries);
    tokens.add_entries("bert", &pre, false, entries);
    Ok(special)
}

/// The tokens of WordPiece as llama.cpp has them: those that begin a word have a visible space, the others no `##`.
fn bert_tokens(mut tokens: Tokens) -> Tokens {
    for (text, token_type) in tokens.texts.iter_mut().zip(&tokens.types) {
        if *token_type == TokenType::Control {
            continue;
        }
        *text = match text.strip_prefix(b"##") {
            Some(rest) => rest.to_vec(),
            None => ["\u{2581}".as_bytes(), text].concat(),
        };
    }
    tokens
}

/// The special tokens that have fixed texts, with their roles.
fn named_tokens(kind: Vocabulary) -> &'static [(&'static str, &'static str)] {
    match kind {
        Vocabulary::Glm4 => {
            &[("eos", "<|endoftext|>"), ("eot", "<|user|>"), ("unk", "<|endoftext|>"), ("bos", "<|endoftext|>")]
        }
        Vocabulary::Glm4Moe => {
            &[("bos", "[gMASK]"), ("eot", "<|user|>"), ("unk", "<|endoftext|>"), ("eom", "<|observation|>")]
        }
        Vocabulary::SolarOpen => {
            &[("eos", "<|endoftext|>"), ("eot", "<|endoftext|>"), ("unk", "<unk>"), ("bos", "<|startoftext|>")]
        }
        Vocabulary::ChatGlm => &[("eos", "<|endoftext|>"), ("eot", "<|user|>"), ("unk", "<|endoftext|>")],
        _ => &[],
    }
}

/// Sets the special tokens that models of a family have whatever the files say.
fn fixed_tokens(kind: Vocabulary, input: &VocabularyInput<'_>, mut special: SpecialTokens) -> Result<SpecialTokens> {
    let named = named_tokens(kind);
    if !named.is_empty() {
        let tokenizer = Tokenizer::load(input)?;
        for (role, text) in named {
            special.set(role, &tokenizer.required_id(text)?.into())?;
        }
    }
    if kind == Vocabulary::InternLm3
        && special.ids.iter().any(|(role, _)| *role == "eos")
        && let Some(id) = sentence_piece::special_id(input, "<|im_end|>")?
    {
        special.replace("eos", id);
    }
    if kind == Vocabulary::InternLm2
        && let Some(id) = sentence_piece::added_id(input, "<|im_end|>")?
    {
        special.replace("eos", id);
    }
    Ok(special)
}

/// Whether `tokenizer.json` splits text at white space.
fn has_whitespace(input: &VocabularyInput<'_>) -> Result<bool> {
    let tokenizer = input.files.json("tokenizer.json")?.unwrap_or_default();
    Ok(tokenizer["pre_tokenizer"]["type"] == "Whitespace")
}

fn add_token_type_count(input: &VocabularyInput<'_>, entries: &mut Entries) {
    let count = member(input.config, "type_vocab_size").as_u64().and_then(|count| u32::try_from(count).ok());
    entries.set(TOKEN_TYPE_COUNT, EntryValue::U32(count.unwrap_or(1)));
}

fn tokenizer_config(input: &VocabularyInput<'_>) -> Result<Value> {
    Ok(Value::Object(input.files.object("tokenizer_config.json")?.unwrap_or_default()))
}

#[cold]
fn missing(file: &str) -> Error {
    error!(IncompleteModel: "the folder has no {file}, which the vocabulary needs. Download all files of the tokenizer into the folder.")
}
