//! The vocabulary of XLM-RoBERTa: unigram, in `sentencepiece.bpe.model` or in `tokenizer.json`.

use alloc::vec::Vec;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::base::vocab_size;
use super::kind::VocabularyInput;
use super::piece_model::PieceModel;
use super::sentence_piece::{Variant, add_file_of_added};
use super::tokenizer::Tokenizer;
use super::tokenizer_parts::bad_tokenizer;
use super::tokens::Tokens;
use crate::model::entries::{Entries, EntryValue};
use crate::model::json_members::{elements, is_true, member, text_member};
use gguf_format::error::{Result, error};
use gguf_models::tokenizer::TokenType;

/// What the entries of the vocabulary are made from.
struct Unigram {
    tokens: Tokens,
    adds_space: bool,
    removes_spaces: bool,
    charsmap: Vec<u8>,
}

/// Adds the entries of the tokens, and of the normalisation. Returns the number of tokens.
pub(super) fn add_entries(input: &VocabularyInput<'_>, entries: &mut Entries) -> Result<u64> {
    let unigram = match input.files.get("sentencepiece.bpe.model") {
        Some(file) => of_pieces(file, input)?,
        None => of_json(input)?,
    };
    let count = unigram.tokens.len() as u64;
    let types = member(input.config, "type_vocab_size").as_u64().and_then(|count| u32::try_from(count).ok());
    unigram.tokens.add_entries("t5", "default", true, entries);
    entries.set("tokenizer.ggml.add_space_prefix", EntryValue::Bool(unigram.adds_space));
    entries.set("tokenizer.ggml.token_type_count", EntryValue::U32(types.unwrap_or(1)));
    entries.set("tokenizer.ggml.remove_extra_whitespaces", EntryValue::Bool(unigram.removes_spaces));
    entries.set("tokenizer.ggml.precompiled_charsmap", EntryValue::U8s(unigram.charsmap));
    Ok(count)
}

/// The file of T5, with its name.
fn t5_file<'a>(input: &VocabularyInput<'a>) -> Result<(&'static str, &'a [u8])> {
    let found = ["tokenizer.model", "spiece.model"].into_iter().find_map(|name| Some((name, input.files.get(name)?)));
    found.ok_or_else(|| {
        error!(IncompleteModel:
            "the folder has neither tokenizer.model nor spiece.model, one of which the vocabulary needs. Download all files of the \
             tokenizer into the folder.")
    })
}

/// Whether the model of T5 has byte-pair encoding: that of a `tokenizer.model`, as the converter of llama.cpp has it.
pub(super) fn is_byte_pair_encoding(input: &VocabularyInput<'_>) -> Result<bool> {
    let (name, file) = t5_file(input)?;
    match PieceModel::read(file, &input.files.budget())?.algorithm {
        1 => Ok(false),
        2 if name == "tokenizer.model" => Ok(true),
        algorithm => Err(error!(BadVocabulary:
            "the algorithm of {name} is {algorithm}: expected 1, unigram, or 2 in tokenizer.model. Download the file again.")),
    }
}

/// Adds the entries of the tokens of T5, and of the normalisation. Returns the number of tokens.
pub(super) fn add_t5_entries(input: &VocabularyInput<'_>, entries: &mut Entries) -> Result<u64> {
    let (name, file) = t5_file(input)?;
    let model = PieceModel::read(file, &input.files.budget())?;
    let (size, pieces) = (vocab_size(input), model.pieces.len() as u64);
    if size.is_some_and(|size| size < pieces) {
        return Err(error!(BadVocabulary:
            "{name} has {pieces} tokens, but vocab_size in config.json is smaller. Use the files of one model."));
    }
    let mut tokens = Tokens::of_holes(size.unwrap_or(pieces), input.files.budget())?;
    for (id, piece) in (0..).zip(&model.pieces) {
        tokens.replace(id, piece.text, piece.score, piece.token_type);
    }
    add_file_of_added(input, Variant::Common, &mut tokens)?;
    let count = tokens.len() as u64;
    tokens.add_entries("t5", "default", true, entries);
    entries.set("tokenizer.ggml.add_space_prefix", EntryValue::Bool(model.adds_space));
    entries.set("tokenizer.ggml.remove_extra_whitespaces", EntryValue::Bool(model.removes_spaces));
    entries.set("tokenizer.ggml.precompiled_charsmap", EntryValue::U8s(model.charsmap.to_vec()));
    Ok(count)
}

/// Reads `sentencepiece.bpe.model`. Its tokens move by one place: the model has other tokens at its beginning.
fn of_pieces(file: &[u8], input: &VocabularyInput<'_>) -> Result<Unigram> {
    let model = PieceModel::read(file, &input.files.budget())?;
    if model.algorithm != 1 {
        return Err(error!(
            BadVocabulary: "the algorithm of sentencepiece.bpe.model is {}: expected 1, unigram. Download the file again.",
            model.algorithm
        ));
    }
    let size = vocab_size(input).unwrap_or(0).max(model.pieces.len() as u64);
    let mut old = Tokens::of_holes(size, input.files.budget())?;
    for (id, piece) in (0..).zip(&model.pieces) {
        old.replace(id, piece.text, piece.score, piece.token_type);
    }
    let mut tokens = Tokens::new(input.files.budget());
    for (text, token_type) in [
        ("<s>", TokenType::Control),
        ("<pad>", TokenType::Control),
        ("</s>", TokenType::Control),
        ("<unk>", TokenType::Unknown),
    ] {
        tokens.push(text, 0.0, token_type)?;
    }
    let last = old.len().saturating_sub(1);
    for id in 3..last {
        tokens.push(core::mem::take(&mut old.texts[id]), old.scores[id], old.types[id])?;
    }
    Ok(Unigram {
        tokens,
        adds_space: model.adds_space,
        removes_spaces: model.removes_spaces,
        charsmap: model.charsmap.to_vec(),
    })
}

/// Reads `tokenizer.json`.
fn of_json(input: &VocabularyInput<'_>) -> Result<Unigram> {
    let tokenizer = Tokenizer::load(input)?;
    let model = member(&tokenizer.json, "model");
    let pieces = elements(member(model, "vocab"));
    if text_member(model, "type") != Some("Unigram") {
        return Err(bad_tokenizer("model.type", "Unigram"));
    }
    let charsmap = text_member(member(&tokenizer.json, "normalizer"), "precompiled_charsmap");
    input.files.budget().take(charsmap.map_or(0, str::len) as u64)?;
    let charsmap = charsmap.and_then(|text| BASE64_STANDARD.decode(text).ok());
    let charsmap = charsmap.ok_or_else(|| bad_tokenizer("normalizer.precompiled_charsmap", "bytes in Base64"))?;
    let size = vocab_size(input).unwrap_or(0).max(pieces.len() as u64);
    let mut tokens = Tokens::of_holes(size, input.files.budget())?;
    let unknown_text = tokenizer.config.get("unk_token").and_then(Value::as_str);
    let unknown = unknown_text.filter(|text| tokenizer.ids.has_added(text)).and_then(|text| tokenizer.ids.id(text));
    let unknown = unknown.or_else(|| member(model, "unk_id").as_u64()).unwrap_or(3);
    let texts = tokenizer.texts()?;
    for (id, piece) in (0..).zip(pieces) {
        let Some(text) = texts.get(&id) else { continue };
        let score =
            piece.get(1).and_then(Value::as_f64).ok_or_else(|| bad_tokenizer("model.vocab", "texts with scores"))?;
        let token_type = if id == unknown {
            TokenType::Unknown
        } else if tokenizer.all_special.contains(*text) {
            TokenType::Control
        } else if tokenizer.ids.added.contains_key(&id) {
            TokenType::UserDefined
        } else {
            TokenType::Normal
        };
        tokens.replace(id, *text, score as f32, token_type);
    }
    let flag = |name: &str, default: bool| tokenizer.config.get(name).map_or(default, is_true);
    Ok(Unigram {
        tokens,
        adds_space: flag("add_prefix_space", false),
        removes_spaces: flag("clean_up_tokenization_spaces", false),
        charsmap,
    })
}
