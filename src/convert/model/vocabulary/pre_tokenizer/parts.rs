//! The parts of the text whose tokens are hashed: added tokens, and words between them.

use alloc::{string::String, vec::Vec};

use super::known::CHECK_TEXT;
use super::split::{Words, normalized, split};
use crate::convert::model::json_members::member;
use crate::convert::model::vocabulary::added_tokens::AddedToken;
use crate::convert::model::vocabulary::tokenizer::Tokenizer;

/// A part of the text: an added token, or text between them, split as `tokenizer.json` says.
pub(super) enum Part {
    Token(u64),
    /// The text before it was split, and its words.
    Text(String, Words),
}

/// Cuts the text at added tokens, and splits the rest. `None` if `tokenizer.json` has a step that is unknown here.
pub(super) fn cut_text(tokenizer: &Tokenizer) -> Option<Vec<Part>> {
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
