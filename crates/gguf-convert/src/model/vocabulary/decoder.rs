//! The text that the decoder of `tokenizer.json` makes of one token.
//!
//! Source: `tokenizers/src/decoders/` of tokenizers 0.22, and `clean_up_tokenization` of transformers 4.57.

use alloc::{string::String, string::ToString, vec::Vec};

use serde_json::Value;

use super::tokenizer::Tokenizer;
use crate::budget::Budget;
use crate::model::json_members::{elements, is_true, member, text_member};
use gguf_format::error::{Result, error};
use gguf_models::tokenizer::byte_of_character;

/// What a cleaned text has in place of a space before punctuation and short forms.
const CLEANED: &[(&str, &str)] = &[
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
];

/// The steps that finding a decoder by its name costs, even if the decoder does nothing.
const STEP: u64 = 16;

/// The text of a token that stands alone.
///
/// # Errors
///
/// `unsupported-model` if `tokenizer.json` has a decoder that is unknown here. `too-large` if the budget is used up.
pub(super) fn decoded(tokenizer: &Tokenizer, token: &str) -> Result<String> {
    let mut text = step(member(&tokenizer.json, "decoder"), token.to_string(), &tokenizer.budget)?;
    if tokenizer.config.get("clean_up_tokenization_spaces").is_some_and(is_true) {
        text = cleaned(text, false, &tokenizer.budget)?;
    }
    Ok(text)
}

fn step(decoder: &Value, token: String, budget: &Budget) -> Result<String> {
    let replacement = || text_member(decoder, "replacement").unwrap_or("\u{2581}");
    // Only `Replace` and `Metaspace` can make a text more than 3 times as long, and they count their result. Any other step makes it at
    // most 3 times as long, and a second such step does not make it longer again.
    budget.step(STEP + token.len() as u64)?;
    Ok(match text_member(decoder, "type") {
        None => token,
        Some("ByteLevel") => byte_level(token),
        Some("Sequence") => {
            let mut text = token;
            for decoder in elements(member(decoder, "decoders")) {
                text = step(decoder, text, budget)?;
            }
            text
        }
        Some("Replace") => match text_member(member(decoder, "pattern"), "String") {
            Some(pattern) if !pattern.is_empty() => {
                replaced(&token, pattern, text_member(decoder, "content").unwrap_or_default(), budget)?
            }
            _ => return Err(unsupported("Replace with an expression")),
        },
        Some("Metaspace") => {
            // A space that was put before a text is taken away again.
            let has_prefix = text_member(decoder, "prepend_scheme") != Some("never");
            replaced(&token, replacement(), if has_prefix { "" } else { " " }, budget)?
        }
        Some("WordPiece") => match member(decoder, "cleanup").as_bool() {
            Some(false) => token,
            _ => cleaned(token, true, budget)?,
        },
        Some("ByteFallback") => byte_fallback(token),
        Some("Strip") => stripped(decoder, token),
        Some("Fuse" | "CTC") => token,
        Some(other) => return Err(unsupported(other)),
    })
}

/// A text in which one part takes the place of another one, wherever it is.
fn replaced(text: &str, pattern: &str, content: &str, budget: &Budget) -> Result<String> {
    let count = text.matches(pattern).count();
    let length = (text.len() + count * content.len()) as u64;
    budget.step(length)?;
    budget.take(length)?;
    let text = text.replace(pattern, content);
    budget.give_back(length);
    Ok(text)
}

/// A token whose characters all stand for bytes becomes these bytes. U+FFFD takes the place of bytes that are not UTF-8.
fn byte_level(token: String) -> String {
    match token.chars().map(byte_of_character).collect::<Option<Vec<u8>>>() {
        Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        None => token,
    }
}

/// `<0x41>` becomes its byte.
fn byte_fallback(token: String) -> String {
    let digits = token.strip_prefix("<0x").and_then(|rest| rest.strip_suffix('>')).filter(|digits| digits.len() == 2);
    match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
        Some(byte) => String::from_utf8_lossy(&[byte]).into_owned(),
        None => token,
    }
}

/// Removes the given character from a token: up to `start` times at the start, and up to `stop` times at the end.
fn stripped(decoder: &Value, token: String) -> String {
    let count = |name| member(decoder, name).as_u64().unwrap_or(0);
    let Some(character) = text_member(decoder, "content").and_then(|text| text.chars().next()) else { return token };
    let mut text = token.as_str();
    for _ in 0..count("start").min(text.len() as u64) {
        text = text.strip_prefix(character).unwrap_or(text);
    }
    for _ in 0..count("stop").min(text.len() as u64) {
        text = text.strip_suffix(character).unwrap_or(text);
    }
    text.into()
}

fn cleaned(mut text: String, has_do_not: bool, budget: &Budget) -> Result<String> {
    for (from, to) in CLEANED {
        if has_do_not || *from != " do not" {
            text = replaced(&text, from, to, budget)?;
        }
    }
    Ok(text)
}

#[cold]
fn unsupported(decoder: &str) -> gguf_format::error::Error {
    error!(
        UnsupportedModel: "the decoder {decoder} in tokenizer.json is unknown: expected one of tokenizers 0.22 without expressions. \
                           Use the converter of llama.cpp."
    )
}
