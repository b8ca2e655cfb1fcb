//! Names of new files that every system accepts.

use alloc::string::String;

use gguf_format::error::shown::is_escaped;

/// The most bytes of a file name that file systems have in common.
#[doc(hidden)]
pub const LONGEST_NAME: usize = 255;

/// A name of a file: a text of a model or of a person, and its end, such as `.gguf`.
///
/// Separators of paths, characters that some file system does not allow, invisible characters and spaces become dashes. Dashes and dots
/// at the start are left out: programs read a dash as the start of an option, and many systems hide a file whose name begins with a
/// dot. A text that is too long is cut. Windows has devices with names such as `CON`, whatever the extension is: `_` is put before them.
///
/// # Examples
///
/// ```
/// use gguf_models::file_name::safe_name;
///
/// assert_eq!(safe_name("../my model", "-Q8_0.gguf"), "my-model-Q8_0.gguf");
/// assert_eq!(safe_name("..", ".gguf"), "model.gguf");
/// ```
pub fn safe_name(text: &str, end: &str) -> String {
    let replaced = safe_part(text);
    let mut start = replaced.trim_start_matches(['-', '.']);
    if start.is_empty() {
        start = "model";
    }
    let before = if is_device(start) { "_" } else { "" };
    let longest = LONGEST_NAME.saturating_sub(before.len() + end.len());
    if start.len() > longest {
        start = (0..=longest).rev().find_map(|end| start.get(..end)).unwrap_or_default();
    }
    [before, start, end].concat()
}

/// A text in which characters that cannot be in a file name are dashes.
pub(super) fn safe_part(text: &str) -> String {
    let is_not_allowed = |character: char| {
        matches!(character, ' ' | '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') || is_escaped(character)
    };
    text.trim().replace(is_not_allowed, "-")
}

/// Whether Windows takes a name as that of a device.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let (word, number) = stem.split_at_checked(3).unwrap_or_default();
    let is_one_of = |words: &[&str]| words.iter().any(|own| own.eq_ignore_ascii_case(word));
    match number {
        "" => is_one_of(&["CON", "PRN", "AUX", "NUL"]),
        "¹" | "²" | "³" => is_one_of(&["COM", "LPT"]),
        _ => matches!(number.as_bytes(), [b'0'..=b'9']) && is_one_of(&["COM", "LPT"]),
    }
}

#[cfg(test)]
mod tests {
    use super::safe_name;
    use alloc::string::ToString;

    #[test]
    fn every_system_accepts_the_names() {
        let name = |text: &str| safe_name(text, ".gguf");
        assert_eq!(name("../../etc/passwd"), "etc-passwd.gguf");
        assert_eq!(name("..\\a:b*c\u{0}d\u{202e}e\u{feff}f\u{e0041}g h"), "a-b-c-d-e-f-g-h.gguf");
        assert_eq!(name(" .-hidden- "), "hidden-.gguf");
        for empty in ["", "..", "/", " ", "\u{200b}"] {
            assert_eq!(name(empty), "model.gguf");
        }
        for device in ["con", "NUL", "Com1", "lpt²", "aux.txt"] {
            assert_eq!(name(device), ["_", device, ".gguf"].concat());
        }
        assert_eq!(name("console"), "console.gguf");
        assert_eq!(name(&["con.", &"x".repeat(300)].concat()).len(), 255);
        for long in ["x".repeat(5000), "模".repeat(300), "🦙".repeat(100)] {
            assert!((250..=255).contains(&name(&long).len()), "{}", name(&long).len());
        }
        assert_eq!(name("Größe 7B"), "Größe-7B.gguf".to_string());
    }
}
