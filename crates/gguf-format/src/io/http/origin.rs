//! The origin of a URL.

/// The scheme, host and port of an absolute URL: the text before its third slash. A text without three slashes is its own
/// origin.
pub fn origin(url: &str) -> &str {
    let third_slash = url.bytes().enumerate().filter(|(_, byte)| *byte == b'/').nth(2);
    third_slash.and_then(|(position, _)| url.get(..position)).unwrap_or(url)
}

/// Whether two absolute URLs have the same origin.
pub(super) fn same_origin(a: &str, b: &str) -> bool {
    origin(a) == origin(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins() {
        assert_eq!(origin("https://a.b:8/c/d?e"), "https://a.b:8");
        assert!(same_origin("https://a.b:8/c?d", "https://a.b:8/e"));
        assert!(same_origin("models/a.gguf", "models/a.gguf"));
        for other in ["http://a.b/c", "https://a.b:8/c", "https://a.bc/", "https://c/https://a.b/c", "models/a.gguf"] {
            assert!(!same_origin("https://a.b/c", other), "{other}");
        }
    }
}
