//! Regular expressions for names of tensors, as `llama-quantize` searches them: `std::regex_search` with the ECMAScript grammar.
//!
//! The regular expression libraries for Rust without an operating system are larger than the rest of this folder, or can take
//! exponential time. Here a pattern becomes a program, whose running time is bounded.

mod byte_set;
mod parser;
mod program;

use alloc::{rc::Rc, string::String, string::ToString};
use core::cell::Cell;

use self::parser::parse;
use self::program::{Program, Search};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// The most steps of the search for patterns in the names of a model. A step takes about 5 ns. A pattern such as `attn_v` needs 50 for
/// a name of 25 bytes.
const MOST_STEPS: u64 = 1 << 28;

/// The most instructions of the patterns of a conversion: one for each character of most patterns.
const MOST_INSTRUCTIONS: usize = 1 << 18;

/// A regular expression of the ECMAScript grammar, without backreferences.
///
/// # Examples
///
/// ```
/// use gguf_convert::requantize::Pattern;
///
/// let pattern = Pattern::new(r"blk\.(0|1|15)\.attn_v")?;
/// assert!(pattern.is_found_in(b"blk.15.attn_v.weight")?);
/// assert!(!pattern.is_found_in(b"blk.5.attn_v.weight")?);
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    program: Rc<Program>,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if it is not valid, has a backreference, or is too long.
    pub fn new(text: &str) -> Result<Self> {
        Ok(Self { text: text.to_string(), program: Rc::new(parse(text)?) })
    }

    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches a part of the name.
    ///
    /// # Errors
    ///
    /// `limit-exceeded` if this takes too many steps.
    pub fn is_found_in(&self, name: &[u8]) -> Result<bool> {
        NameSearch::default().finds(self, name)
    }
}

/// A search of patterns in the names of a model, whose work is bounded.
pub(super) struct NameSearch(Search);

impl Default for NameSearch {
    fn default() -> Self {
        Self::new(MOST_STEPS)
    }
}

impl NameSearch {
    pub fn new(steps: u64) -> Self {
        Self(Search::new(steps))
    }

    /// Whether a pattern matches a part of a name.
    ///
    /// # Errors
    ///
    /// `limit-exceeded` if the search has taken too many steps.
    pub fn finds(&mut self, pattern: &Pattern, name: &[u8]) -> Result<bool> {
        #[cfg(test)]
        searches::count();
        self.0.finds(&pattern.program, name).ok_or_else(|| too_many_steps(pattern, name))
    }
}

/// The number of searches of patterns in names.
#[cfg(test)]
pub(super) mod searches {
    extern crate std;

    std::thread_local! {
        static COUNT: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
    }

    pub fn count() {
        COUNT.set(COUNT.get() + 1);
    }

    /// The searches that `run` makes.
    pub fn during(run: impl FnOnce()) -> u64 {
        let before = COUNT.get();
        run();
        COUNT.get() - before
    }
}

/// Counts the patterns of a conversion.
#[derive(Debug, Default)]
pub struct PatternCount(Cell<usize>);

impl PatternCount {
    /// Adds a pattern.
    ///
    /// # Errors
    ///
    /// `limit-exceeded` if all patterns together are too long.
    pub fn add(&self, pattern: &Pattern) -> Result<()> {
        self.0.set(self.0.get().saturating_add(pattern.program.0.len()));
        match self.0.get() > MOST_INSTRUCTIONS {
            true => Err(error!(LimitExceeded:
                "the patterns up to \"{}\" have more than {MOST_INSTRUCTIONS} characters, with repetitions such as \"{{99}}\" written \
                 out: join patterns, for example as \"attn_(k|v)\"", Shown(pattern.text.as_bytes()))),
            false => Ok(()),
        }
    }
}

#[cold]
fn too_many_steps(pattern: &Pattern, name: &[u8]) -> Error {
    error!(LimitExceeded:
        "the search for the pattern \"{}\" in the name \"{}\" ends here: all patterns in all names may take {MOST_STEPS} steps. Use fewer \
         or simpler patterns", Shown(pattern.text.as_bytes()), Shown(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, name: &str) -> bool {
        Pattern::new(pattern).unwrap_or_else(|error| panic!("{error}")).is_found_in(name.as_bytes()).unwrap()
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
        // Nested lookaheads try each position again.
        let nested = (0..8).fold(String::from("x"), |inner, _| format!("(?=.*{inner})"));
        let (nested, name) = (Pattern::new(&nested).unwrap(), [b'a'; 60]);
        let mut search = NameSearch::new(1 << 16);
        assert_eq!(search.finds(&nested, &name).unwrap_err().code(), "limit-exceeded");
        assert!(
            NameSearch::new(1 << 16).finds(&Pattern::new("(a*)*b").unwrap(), &name).is_ok_and(|is_found| !is_found)
        );
        let deep = "(".repeat(100) + &")".repeat(100);
        assert!(Pattern::new(&deep).is_err());
    }
}
