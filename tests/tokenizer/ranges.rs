//! The ranges of tokens.

use gguf_models::tokenizer::TextToken;

/// Checks that the ranges follow each other and cover the text.
pub fn assert_ranges(tokens: &[TextToken], text: &str) {
    let mut end = 0;
    for token in tokens {
        assert_eq!(token.range.start, end, "a gap or an overlap in {tokens:?}");
        assert!(token.range.end >= end, "a range that ends before it begins in {tokens:?}");
        end = token.range.end;
    }
    // Without tokens that stand for text, nothing is covered.
    assert!(end == text.len() || end == 0, "the text has {} bytes, and {end} are covered", text.len());
}
