//! The parts of the text whose tokens are hashed: added tokens, and words between them.

use alloc::{string::String, vec::Vec};

use super::known::CHECK_TEXT;
use super::split::{Words, normalized, split};
use crate::model::json_members::member;
use crate::model::vocabulary::tokenizer::Tokenizer;

/// The steps of looking for a text among the added tokens.
const LOOK_UP: u64 = 16;

/// A part of the text: an added token, or text between them, split as `tokenizer.json` says.
#[doc(hidden)]
pub enum Part {
    Token(u64),
    /// The text before it was split, and its words.
    Text(String, Words),
}

/// Cuts the text at added tokens, and splits the rest. `None` if `tokenizer.json` has a step that is unknown here, or if the budget is
/// used up.
pub(super) fn cut_text(tokenizer: &Tokenizer) -> Option<Vec<Part>> {
    let normalizer = member(&tokenizer.json, "normalizer");
    let longest = tokenizer.ids.added.values().map(|token| token.text.len()).max().unwrap_or(0);
    let mut parts = Vec::new();
    for piece in cut(tokenizer, CHECK_TEXT, false, longest)? {
        match piece {
            Piece::Token(id) => parts.push(Part::Token(id)),
            Piece::Text(text) => {
                let text = normalized(normalizer, text, &tokenizer.budget)?;
                for piece in cut(tokenizer, &text, true, longest)? {
                    parts.push(match piece {
                        Piece::Token(id) => Part::Token(id),
                        Piece::Text(text) => {
                            let words = split(&tokenizer.json, text, &tokenizer.budget)?.into_words();
                            Part::Text(text.into(), words)
                        }
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
/// several. `None` if a token that is found takes white space around it, or must be a word, or if the budget is used up. `longest` is the
/// size of the longest added token.
fn cut<'a>(tokenizer: &Tokenizer, text: &'a str, is_normalized: bool, longest: usize) -> Option<Vec<Piece<'a>>> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(next) = text[at..].chars().next() {
        let lengths = (1..=longest.min(text.len() - at)).rev().filter(|length| text.is_char_boundary(at + length));
        let mut found = None;
        for length in lengths {
            tokenizer.budget.step(LOOK_UP).ok()?;
            found = tokenizer
                .ids
                .added_token(&text[at..at + length])
                .filter(|(_, token)| token.is_normalized == is_normalized);
            if found.is_some() {
                break;
            }
        }
        match found {
            Some((id, token)) => {
                if token.matching != [false; 3] {
                    return None;
                }
                if start < at {
                    pieces.push(Piece::Text(&text[start..at]));
                }
                pieces.push(Piece::Token(id));
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
