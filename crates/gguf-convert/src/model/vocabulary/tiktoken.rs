//! The vocabulary of Hunyuan with experts: `hy.tiktoken`, a line for each token with its bytes in Base64 and its rank.
//!
//! The texts of the special tokens are in the program of the model, `tokenization_hy.py`, which is not run.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::base::vocab_size;
use super::kind::VocabularyInput;
use super::tokenizer::TOKEN;
use super::tokens::Tokens;
use gguf_format::error::{Error, Result, error};
use gguf_models::tokenizer::{TokenType, byte_of_character};

/// The file.
pub(super) const FILE: &str = "hy.tiktoken";

/// The first special tokens. Tokens `<|extra_0|>`, `<|extra_1|>` and so on follow.
const SPECIAL: [&str; 5] = ["<|endoftext|>", "<|startoftext|>", "<|bos|>", "<|eos|>", "<|pad|>"];

/// The numbers of the tokens `<|extra_…|>` that programs of models have.
const EXTRAS: core::ops::RangeInclusive<u64> = 204..=205;

/// The tokens, and the merges that follow from their ranks.
///
/// # Errors
///
/// `incomplete-model` if the file is missing. `bad-vocabulary` if a line is damaged, or if `vocab_size` is not the number of tokens.
pub(super) fn tokens(input: &VocabularyInput<'_>) -> Result<(Tokens, Vec<Vec<u8>>)> {
    let budget = input.files.budget();
    let text = input.files.text(FILE)?.unwrap_or_default();
    let characters: Vec<(u8, char)> =
        ('\0'..='\u{143}').filter_map(|character| Some((byte_of_character(character)?, character))).collect();
    let character = |byte: u8| characters.iter().find(|(known, _)| *known == byte).map(|(_, character)| *character);
    let (mut ranks, mut tokens) = (BTreeMap::<String, u64>::new(), Tokens::new(budget.clone()));
    // The program of the model counts the lines: it does not read the ranks.
    for (rank, line) in (0..).zip(text.lines()) {
        let bytes = line.split_once(' ').and_then(|(token, _)| BASE64_STANDARD.decode(token).ok());
        let bytes = bytes.filter(|bytes| !bytes.is_empty()).ok_or_else(|| bad_line(rank))?;
        let token: String = bytes.into_iter().filter_map(character).collect();
        budget.take(TOKEN + token.len() as u64)?;
        tokens.push(token.as_str(), 0.0, TokenType::Normal)?;
        if ranks.insert(token, rank).is_some() {
            return Err(bad_line(rank));
        }
    }
    let mut merges = Vec::new();
    for token in &tokens.texts {
        let token = core::str::from_utf8(token).unwrap_or_default();
        let count = token.chars().count() as u64;
        budget.step(count * count / 4)?;
        if let Some((left, right)) = halves(token, &ranks) {
            let merge = [left, right].join(" ").into_bytes();
            let bytes = TOKEN + merge.len() as u64;
            budget.push(&mut merges, merge, bytes)?;
        }
    }
    let (count, size) = (tokens.len() as u64, vocab_size(input).unwrap_or_default());
    let extras = size.saturating_sub(count + SPECIAL.len() as u64);
    if !EXTRAS.contains(&extras) {
        return Err(error!(BadVocabulary:
            "{FILE} has {count} tokens, and vocab_size in config.json is {size}: expected {} or {}, for the special tokens. Use the files of \
             one model.", count + SPECIAL.len() as u64 + EXTRAS.start(), count + SPECIAL.len() as u64 + EXTRAS.end()));
    }
    for text in SPECIAL {
        tokens.push(text, 0.0, TokenType::Control)?;
    }
    for number in 0..extras {
        tokens.push(format!("<|extra_{number}|>"), 0.0, TokenType::Control)?;
    }
    Ok((tokens, merges))
}

/// The two tokens that are merged to a token at last. `None` if it has one character, or if tokens of lower ranks do not make it of two.
fn halves<'a>(token: &'a str, ranks: &BTreeMap<String, u64>) -> Option<(&'a str, &'a str)> {
    let rank = |start: usize, end: usize| ranks.get(&token[start..end]).copied().unwrap_or(u64::MAX);
    let own = rank(0, token.len());
    let mut bounds: Vec<usize> = token.char_indices().map(|(start, _)| start).chain([token.len()]).collect();
    let mut pairs: Vec<u64> = bounds.windows(3).map(|ends| rank(ends[0], ends[2])).collect();
    while let Some(place) = (0..pairs.len()).min_by_key(|place| pairs[*place]).filter(|place| pairs[*place] < own) {
        bounds.remove(place + 1);
        pairs.remove(place);
        for changed in place.saturating_sub(1)..pairs.len().min(place + 1) {
            pairs[changed] = rank(bounds[changed], bounds[changed + 2]);
        }
    }
    (bounds.len() == 3).then(|| token.split_at(bounds[1]))
}

#[cold]
fn bad_line(rank: u64) -> Error {
    error!(BadVocabulary:
        "line {} of {FILE} is damaged: expected a token in Base64 that no other line has, and its rank. Download it again.", rank + 1)
}

#[cfg(test)]
mod tests {
    use gguf_format::error::ErrorCode;
    use serde_json::json;

    use super::*;
    use crate::model::files::SmallFiles;

    fn code_of(text: &str, size: u64) -> Option<ErrorCode> {
        let mut files = SmallFiles::default();
        files.insert(FILE, text.into());
        let _session = files.session();
        tokens(&VocabularyInput { files: &files, config: &json!({ "vocab_size": size }), pre: None })
            .err()
            .map(|error| error.code())
    }

    #[test]
    fn damaged_lines_and_other_sizes_are_refused() {
        assert_eq!(code_of("YQ== 0\nYg== 1\nYWI= 2\n", 213), None);
        for size in [0, 3, 211, 214, u64::MAX] {
            assert_eq!(code_of("YQ== 0\nYg== 1\nYWI= 2\n", size), Some(ErrorCode::BadVocabulary), "{size}");
        }
        for line in ["", "YQ==", " 0", "Y!== 0", "YQ== 0\nYQ== 1"] {
            assert_eq!(code_of(&format!("{line}\n"), 211), Some(ErrorCode::BadVocabulary), "{line}");
        }
        // The work grows with the square of the length of a token.
        let long = [BASE64_STANDARD.encode([b'a'; 20_000]), " 0\n".into()].concat();
        assert_eq!(code_of(&long, 211), Some(ErrorCode::TooLarge));
    }

    #[test]
    fn a_token_is_merged_from_two_tokens_of_lower_ranks() {
        let texts = ["a", "b", "c", "ab", "bc", "abc", "abab", "x", "aaaa", "aa", "aaa"];
        let ranks: BTreeMap<String, u64> = texts.into_iter().map(String::from).zip(0..).collect();
        for (token, expected) in [
            ("a", None),
            ("ab", Some(("a", "b"))),
            // The pair of the lowest rank is merged first.
            ("abc", Some(("ab", "c"))),
            ("abab", Some(("ab", "ab"))),
            // No tokens of lower ranks make it.
            ("aaaa", None),
            ("aaa", Some(("aa", "a"))),
        ] {
            assert_eq!(halves(token, &ranks), expected, "{token}");
        }
    }
}
