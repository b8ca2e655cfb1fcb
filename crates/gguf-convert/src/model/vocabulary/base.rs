//! The tokens of byte-level and WordPiece vocabularies.

use serde_json::Value;

use super::decoder::decoded;
use super::kind::VocabularyInput;
use super::tokenizer::Tokenizer;
use super::tokens::{Tokens, checked_count, hole, looks_special, with_spaces};
use gguf_format::error::{Result, error};
use gguf_models::tokenizer::TokenType;

/// The tokens of the vocabulary, with holes for ids that no token has.
///
/// # Errors
///
/// `bad-vocabulary` if a token has an id beyond `size`.
pub(super) fn tokens(tokenizer: &Tokenizer, size: Option<u64>) -> Result<Tokens> {
    let texts = tokenizer.texts()?;
    // Each text is counted once: a token of the model can be an added token, too.
    let size = size.unwrap_or(texts.len() as u64);
    if let Some((last, _)) = texts.last_key_value().filter(|(last, _)| **last >= size) {
        return Err(error!(
            BadVocabulary: "the vocabulary has a token {last}, but vocab_size in config.json is {size}. Use the files of one model."
        ));
    }
    let mut tokens = Tokens::new(tokenizer.budget.clone());
    for id in 0..checked_count(size)? {
        let Some(text) = texts.get(&(id as u64)) else {
            tokens.push(hole(id), 0.0, TokenType::Unused)?;
            continue;
        };
        let Some(added) = tokenizer.ids.added.get(&(id as u64)) else {
            tokens.push(*text, 0.0, TokenType::Normal)?;
            continue;
        };
        // llama.cpp searches the texts of added tokens in texts that are not normalised.
        let text = if added.is_normalized { (*text).into() } else { decoded(tokenizer, text)? };
        match added.is_special || looks_special(&text) {
            true => tokens.push(text, 0.0, TokenType::Control)?,
            false => tokens.push(with_spaces(&text), 0.0, TokenType::UserDefined)?,
        }
    }
    Ok(tokens)
}

/// The size of the vocabulary in `config.json`.
pub(super) fn vocab_size(input: &VocabularyInput<'_>) -> Option<u64> {
    input.config.get("vocab_size").and_then(Value::as_u64)
}

/// The size of the vocabulary in `config.json`. `None` if it has none.
///
/// # Errors
///
/// `bad-vocabulary` if it is no whole number.
pub(super) fn checked_vocab_size(input: &VocabularyInput<'_>) -> Result<Option<u64>> {
    match input.config.get("vocab_size") {
        None => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or_else(
            || error!(BadVocabulary: "vocab_size in config.json is no whole number. Download the file again."),
        ),
    }
}
