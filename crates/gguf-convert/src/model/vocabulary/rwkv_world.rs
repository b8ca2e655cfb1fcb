//! The vocabulary of RWKV: `rwkv_vocab_v20230424.txt`, a line for each token with its id, its text as Python writes it, and its length.

use alloc::string::String;
use alloc::vec::Vec;

use super::base::vocab_size;
use super::kind::VocabularyInput;
use super::tokens::{Tokens, checked_count, hole};
use gguf_format::error::{Error, Result, error};
use gguf_models::tokenizer::TokenType;

/// The file.
const FILE: &str = "rwkv_vocab_v20230424.txt";

/// The template of models that have none, which the converter of llama.cpp adds.
pub(super) const TEMPLATE: &str = include_str!("rwkv_world.jinja");

/// The tokens.
///
/// # Errors
///
/// `incomplete-model` if the file is missing. `bad-vocabulary` if a line is damaged, or if there are more tokens than `vocab_size`.
pub(super) fn tokens(input: &VocabularyInput<'_>) -> Result<Tokens> {
    let Some(file) = input.files.get(FILE) else {
        return Err(error!(IncompleteModel:
            "the folder has no {FILE}, which the vocabulary needs. Download all files of the tokenizer into the folder."));
    };
    let file =
        core::str::from_utf8(file).map_err(|_| error!(BadVocabulary: "{FILE} is not UTF-8. Download it again."))?;
    let size = checked_count(vocab_size(input).unwrap_or(1 << 16))?;
    let mut tokens = Tokens::new(input.files.budget());
    tokens.push("<s>", 0.0, TokenType::Control)?;
    for (number, line) in (1..).zip(file.lines()) {
        let token = line_token(line).ok_or_else(|| bad_line(number))?;
        tokens.push(shown(&token), 0.0, TokenType::Normal)?;
    }
    if tokens.len() > size {
        return Err(error!(BadVocabulary:
            "{FILE} has {} tokens, but vocab_size in config.json is {size}. Use the files of one model.", tokens.len()));
    }
    for id in tokens.len()..size {
        tokens.push(hole(id), 0.0, TokenType::Unused)?;
    }
    Ok(tokens)
}

#[cold]
fn bad_line(number: usize) -> Error {
    error!(BadVocabulary: "line {number} of {FILE} is damaged: expected an id, a text in quotes and its length. Download it again.")
}

/// The bytes of the token of a line.
fn line_token(line: &str) -> Option<Vec<u8>> {
    let (_, rest) = line.split_once(' ')?;
    let (literal, length) = rest.rsplit_once(' ')?;
    let token = literal_bytes(literal)?;
    (length.trim().parse() == Ok(token.len())).then_some(token)
}

/// The bytes of a literal of Python: a text, or bytes with a `b` before the quotes.
fn literal_bytes(literal: &str) -> Option<Vec<u8>> {
    let (is_bytes, literal) = match literal.strip_prefix('b') {
        Some(literal) => (true, literal),
        None => (false, literal),
    };
    let quote = literal.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let inner = literal.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut bytes = Vec::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        let number = match character {
            '\\' => match characters.next()? {
                'n' => 10,
                'r' => 13,
                't' => 9,
                'x' => hexadecimal(&mut characters, 2)?,
                'u' if !is_bytes => hexadecimal(&mut characters, 4)?,
                'U' if !is_bytes => hexadecimal(&mut characters, 8)?,
                other @ ('\\' | '\'' | '"') => u32::from(other),
                _ => return None,
            },
            other if other == quote => return None,
            other => u32::from(other),
        };
        if is_bytes {
            bytes.push(u8::try_from(number).ok()?);
        } else {
            let mut buffer = [0; 4];
            bytes.extend_from_slice(char::from_u32(number)?.encode_utf8(&mut buffer).as_bytes());
        }
    }
    Some(bytes)
}

fn hexadecimal(characters: &mut core::str::Chars<'_>, digits: usize) -> Option<u32> {
    let rest = characters.as_str();
    let (number, rest) = rest.split_at_checked(digits)?;
    *characters = rest.chars();
    number.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u32::from_str_radix(number, 16).ok())?
}

/// Bytes as Python shows them, without quotes.
fn shown(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { b'"' } else { b'\'' };
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\\' => text.push_str("\\\\"),
            quoted if *quoted == quote => text.push_str("\\'"),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_literals_of_python() {
        for (line, token, text) in [
            (r"33 ' ' 1", &b" "[..], " "),
            (r#"40 "'" 1"#, b"'", "'"),
            (r"3 '\x80' 2", "\u{80}".as_bytes(), r"\xc2\x80"),
            (r"4 b'\xff' 1", b"\xff", r"\xff"),
            (r"5 '\\' 1", b"\\", r"\\"),
            ("6 '\u{e9} x' 4", "\u{e9} x".as_bytes(), r"\xc3\xa9 x"),
            (r#"7 '\'"' 2"#, b"'\"", r#"\'""#),
        ] {
            assert_eq!(line_token(line).as_deref(), Some(token), "{line}");
            assert_eq!(shown(token), text, "{line}");
        }
        for line in ["", "1", "1 'a' 2", "1 'a 1", r"1 '\q' 1", r"1 '\x1' 1", "1 'a'a' 3", "1 b'\u{100}' 1"] {
            assert_eq!(line_token(line), None, "{line}");
        }
    }
}
