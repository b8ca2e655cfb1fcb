//! The form of each part by the specification: the groups of its regular expression.
//!
//! ```text
//! ^(?:(?<Sidecar>mmproj|mtp)-)?
//! (?<BaseName>[A-Za-z0-9\s]*(?:(?:-(?:(?:[A-Za-z\s][A-Za-z0-9\s]*)|(?:[0-9\s]*)))*))-
//! (?:(?<SizeLabel>(?:\d+x)?(?:\d+\.)?\d+[A-Za-z](?:-[A-Za-z]+(\d+\.)?\d+[A-Za-z]+)?)
//! (?:-(?<FineTune>[A-Za-z0-9\s-]+))?)?-
//! (?:(?<Version>v\d+(?:\.\d+)*))
//! (?:-(?<Encoding>(?!LoRA|vocab)[\w_]+))?
//! (?:-(?<Type>LoRA|vocab))?
//! (?:-(?<Shard>\d{5}-of-\d{5}))?\.gguf$
//! ```
//!
//! The last group, the shard, is in `shard_name.rs`. Each function takes time in proportion to the length of its text.

use super::scan::Scan;

/// Whether a text is a sidecar.
pub(super) fn is_sidecar(text: &str) -> bool {
    matches!(text, "mmproj" | "mtp")
}

/// The class `\s` of JavaScript, whose regular expression it is.
fn is_space(character: char) -> bool {
    character.is_whitespace() && character != '\u{85}' || character == '\u{feff}'
}

/// Whether a text has only letters, digits and spaces.
pub(super) fn is_plain(text: &str) -> bool {
    text.chars().all(|character| character.is_ascii_alphanumeric() || is_space(character))
}

/// Whether a text between two dashes can be a word of the base name that is not the first: if it begins with a digit, it has
/// no letters.
pub(super) fn is_later_base_word(text: &str) -> bool {
    let is_number = || text.chars().all(|character| character.is_ascii_digit() || is_space(character));
    is_plain(text) && (!text.starts_with(|character: char| character.is_ascii_digit()) || is_number())
}

/// The first word that cannot be in the base name.
pub(super) fn wrong_base_word(text: &str) -> Option<&str> {
    let mut words = text.split('-').enumerate();
    let is_right = |index, word| if index == 0 { is_plain(word) } else { is_later_base_word(word) };
    words.find(|(index, word)| !is_right(*index, word)).map(|(_, word)| word)
}

/// Whether a text between two dashes is a size label: `7B`, `8x7B`, `1.5B`.
pub(super) fn is_size(text: &str) -> bool {
    let mut scan = Scan::of(text).after_experts(b"x");
    scan.decimal(b".") && matches!(scan.rest(), [letter] if letter.is_ascii_alphabetic())
}

/// Whether a text between two dashes is the second half of a size label: `A3B`, `ContextLength4k`.
pub(super) fn is_size_attribute(text: &str) -> bool {
    let mut scan = Scan::of(text);
    scan.letters() && scan.decimal(b".") && scan.letters() && scan.is_at_end()
}

/// Whether a text is a size label, with or without the second half.
pub(super) fn is_size_label(text: &str) -> bool {
    match text.split_once('-') {
        Some((size, attribute)) => is_size(size) && is_size_attribute(attribute),
        None => is_size(text),
    }
}

/// Whether a text is a version: `v1.0`.
pub(super) fn is_version(text: &str) -> bool {
    let mut scan = Scan::of(text);
    scan.one_of(b"v") && scan.numbers(b".") > 0 && scan.is_at_end()
}

/// Whether a text is an encoding: one word that does not begin like a type.
pub(super) fn is_encoding(text: &str) -> bool {
    let is_type = text.starts_with("LoRA") || text.starts_with("vocab");
    !text.is_empty() && !is_type && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a text is a type.
pub(super) fn is_type(text: &str) -> bool {
    matches!(text, "LoRA" | "vocab")
}

/// Whether a text is one digit or more.
pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
