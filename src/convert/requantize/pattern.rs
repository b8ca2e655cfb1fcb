//! Regular expressions for names of tensors, as `llama-quantize` searches them: `std::regex_search` with the ECMAScript grammar.
//!
//! The regular expression libraries for Rust without an operating system are larger than the rest of this folder, or can take
//! exponential time. Here a pattern becomes a program, whose running time is bounded.

mod byte_set;
mod parser;
mod program;

use alloc::{string::String, string::ToString};

use self::parser::parse;
use self::program::Program;
use crate::error::Result;

/// A regular expression of the ECMAScript grammar, without backreferences.
///
/// # Examples
///
/// ```
/// use gguf_wasm::requantize::Pattern;
///
/// let pattern = Pattern::new(r"blk\.(0|1|15)\.attn_v")?;
/// assert!(pattern.is_found_in(b"blk.15.attn_v.weight"));
/// assert!(!pattern.is_found_in(b"blk.5.attn_v.weight"));
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    program: Program,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if it is not valid, has a backreference, or is too long.
    pub fn new(text: &str) -> Result<Self> {
        Ok(Self { text: text.to_string(), program: parse(text)? })
    }

    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches a part of the name.
    pub fn is_found_in(&self, name: &[u8]) -> bool {
        (0..=name.len()).any(|start| self.program.matches_at(name, start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, name: &str) -> bool {
        Pattern::new(pattern).unwrap_or_else(|error| panic!("{error}")).is_found_in(name.as_bytes())
    }

    #[test]
    fn patterns_match_as_in_ecmascript() {
        let cases = [
            ("attn_v", "blk.0.attn_v.weight", true),
            ("^attn_v", "blk.0.attn_v.weight", false),
            (r"^output\.weight$", "output.weight", true),
            (r"^output\.weight$", "attn_output.weight", false),
            (r"blk\.(0|1|15)\.", "blk.15.x", true),
            (r"blk\.(0|1|15)\.", "blk.5.x", false),
            (r"blk\.[0-4]\.", "blk.3.x", true),
            (r"blk\.[^0-4]\.", "blk.3.x", false),
            (r"blk\.\d+\.ffn_.*_exps", "blk.12.ffn_up_exps.weight", true),
            (r"ffn_(up|gate)", "ffn_gate", true),
            ("a{2,3}b", "caab", true),
            ("a{2,3}b", "cab", false),
            ("^a{2}$", "aaa", false),
            ("^a{2,}$", "aaaa", true),
            ("^(ab?){2}$", "aab", true),
            ("a*?b", "b", true),
            (r"\bq\b", "attn.q.weight", true),
            (r"\bq\b", "attn_q.weight", false),
            (r"\Bq\b", "attn_q.weight", true),
            (r"blk\.(?!0\.)\d+", "blk.0.x", false),
            (r"blk\.(?=1)\d+\.", "blk.12.", true),
            (r"[[:digit:]_]+x", "1_2x", true),
            (r"[\d.]+x", "1.x", true),
            (r"[a\-z]", "-", true),
            (r"[a-]", "-", true),
            ("[]", "a", false),
            ("[^]", "a", true),
            (r"\x61\u0062", "ab", true),
            ("a||b", "", true),
            ("()", "", true),
            ("x|", "y", true),
            ("]}", "]}", true),
            ("(a|b)*c$", "ababc", true),
            ("(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false),
            ("", "anything", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(found(pattern, name), expected, "{pattern} in {name}");
        }
    }

    #[test]
    fn wrong_patterns_are_refused() {
        let wrong = [
            "attn_q[", "(a", "a)", "*a", "a**", "^*", "{2}", "a{2", "a{3,2}", "a{x}", r"a\", r"(a)\1", "[z-a]",
            "(?<a>b)",
        ];
        for pattern in wrong.into_iter().chain(["[[:nothing:]]", r"\xzz", "((a{99}){99}){99}", r"\c1"]) {
            let error = Pattern::new(pattern).expect_err(pattern);
            assert_eq!(error.code(), "invalid-argument", "{pattern}");
        }
        let deep = "(".repeat(100) + &")".repeat(100);
        assert!(Pattern::new(&deep).is_err());
    }
}
