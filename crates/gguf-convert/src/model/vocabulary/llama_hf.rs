//! The vocabulary of a `tokenizer.json` that was made from a SentencePiece model.

use serde_json::Value;

use super::kind::VocabularyInput;
use super::tokenizer::Tokenizer;
use super::tokens::{SCORE_OF_ADDED, Tokens, checked_count};
use crate::model::json_members::{is_true, member, text_member};
use gguf_format::error::{Result, error};
use gguf_models::tokenizer::TokenType;

/// Whether `tokenizer.json` has byte-pair encoding with byte fallback, as SentencePiece models have it.
pub(super) fn is_sentence_piece(json: &Value) -> bool {
    let model = member(json, "model");
    text_member(model, "type") == Some("BPE")
        && is_true(member(model, "byte_fallback"))
        && text_member(member(json, "decoder"), "type") == Some("Sequence")
}

/// The tokens of the vocabulary. No scores are known: all are equal.
///
/// # Errors
///
/// `bad-vocabulary` if the ids do not follow each other.
pub(super) fn tokens(input: &VocabularyInput<'_>) -> Result<Tokens> {
    let tokenizer = Tokenizer::load(input)?;
    let texts = tokenizer.texts()?;
    let size = tokenizer.ids.model.len() as u64;
    checked_count(texts.len() as u64)?;
    let mut tokens = Tokens::new(tokenizer.budget.clone());
    for (id, (found, text)) in (0..).zip(texts) {
        if id != found {
            return Err(error!(
                BadVocabulary: "the vocabulary has no token {id}, but a token {found}: expected ids without holes. Download \
                                tokenizer.json again."
            ));
        }
        let token_type = match tokenizer.all_special.contains(text) {
            _ if id < size && is_byte(text) => TokenType::Byte,
            true => TokenType::Control,
            false if id < size => TokenType::Normal,
            false => TokenType::UserDefined,
        };
        tokens.push(text, SCORE_OF_ADDED, token_type)?;
    }
    Ok(tokens)
}

/// Whether a text stands for a byte: `<0x0A>`.
fn is_byte(text: &str) -> bool {
    let digits = text.strip_prefix("<0x").and_then(|rest| rest.strip_suffix('>'));
    digits.is_some_and(|digits| digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}
