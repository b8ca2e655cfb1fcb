//! Texts as Python changes them.

use alloc::{string::String, vec::Vec};

use gguf_models::categories::{CATEGORIES, category};

/// The title that a name becomes: words in lower case get capitals, except versions and numbers.
pub(super) fn title_of_name(name: &str) -> String {
    let text = name.trim().replace('-', " ");
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| if is_lower(word) && !is_version(word) { title(word) } else { word.into() })
        .collect();
    words.join(" ")
}

/// Whether a word begins with a digit, or is a version such as `v1.5`.
fn is_version(word: &str) -> bool {
    if word.starts_with(is_decimal) {
        return true;
    }
    let Some(numbers) = word.strip_prefix('v') else { return false };
    numbers.split('.').all(|number| !number.is_empty() && number.chars().all(is_decimal))
}

/// `str.islower`: there are letters with case, and all are in lower case.
fn is_lower(word: &str) -> bool {
    word.chars().any(char::is_lowercase) && !word.chars().any(char::is_uppercase)
}

/// `str.title`: a letter after another letter is in lower case, every other letter in upper case.
fn title(word: &str) -> String {
    let mut result = String::with_capacity(word.len());
    let mut follows_letter = false;
    for character in word.chars() {
        let is_cased = character.is_lowercase() || character.is_uppercase();
        match (is_cased, follows_letter) {
            (true, true) => result.extend(character.to_lowercase()),
            (true, false) => result.extend(character.to_uppercase()),
            (false, _) => result.push(character),
        }
        follows_letter = is_cased;
    }
    result
}

/// `str.isdecimal` for one character: a digit of any script.
pub(super) fn is_decimal(character: char) -> bool {
    CATEGORIES[usize::from(category(character))] == "Nd"
}

#[cfg(test)]
mod tests {
    use super::title_of_name;

    /// The titles are those of the converter of llama.cpp.
    #[test]
    fn names_become_titles() {
        for (name, title) in [
            ("gemma2_tiny", "Gemma2_Tiny"),
            ("c4ai-command-r", "C4Ai Command R"),
            ("Qwen1.5-moe", "Qwen1.5 Moe"),
            ("v1.5-7b-chat-v2", "v1.5 7b Chat v2"),
            ("bge-tiny-en-v1.5", "Bge Tiny En v1.5"),
            ("it's", "It'S"),
        ] {
            assert_eq!(title_of_name(name), title);
        }
    }
}
