//! How `tokenizer.json` splits a text into words: its normalizer and its pre-tokenizer.
//!
//! Source: `tokenizers/src/pre_tokenizers/` of tokenizers 0.22.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use serde_json::Value;

use super::expression::Expression;
use crate::budget::Budget;
use crate::model::json_members::{elements, is_true, member, text_member};

/// The expression of `ByteLevel`.
const GPT2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

/// The steps of a step of `tokenizer.json` that does nothing: those of its search by name.
const STEP: u64 = 16;

/// A text that was split.
pub(super) struct SplitText<'a> {
    /// The text with the space that may have been put before it.
    pub text: Vec<char>,
    /// The places of the words, in order. Characters between them are dropped.
    pub words: Vec<Range<usize>>,
    budget: &'a Budget,
}

/// Words, one after another, with their ends in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub text: String,
    pub ends: Vec<usize>,
}

impl SplitText<'_> {
    /// The words alone.
    pub fn into_words(self) -> Words {
        let mut words = Words { text: String::new(), ends: Vec::new() };
        for word in self.words {
            words.text.extend(&self.text[word]);
            words.ends.push(words.text.len());
        }
        words
    }
}

/// What becomes of the places where a pattern matches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behavior {
    Removed,
    Isolated,
    MergedWithPrevious,
    MergedWithNext,
    Contiguous,
}

/// Splits a text that is normalised, as the pre-tokenizer of `tokenizer.json` says. `None` if it has a step that is unknown here, or if
/// the budget is used up.
#[doc(hidden)]
pub fn split<'a>(json: &Value, text: &str, budget: &'a Budget) -> Option<SplitText<'a>> {
    let text: Vec<char> = text.chars().collect();
    let words = core::iter::once(0..text.len()).collect();
    let mut split = SplitText { text, words, budget };
    split.apply(member(json, "pre_tokenizer"))?;
    split.words.retain(|word| !word.is_empty());
    Some(split)
}

/// A text as the normalizer of `tokenizer.json` changes it. `None` if it has a step that is unknown here, or if the budget is used up.
///
/// The text must be its own canonical composition (NFC).
pub(super) fn normalized(normalizer: &Value, text: &str, budget: &Budget) -> Option<String> {
    budget.step(STEP + text.len() as u64).ok()?;
    match text_member(normalizer, "type") {
        None | Some("NFC") => Some(text.into()),
        Some("Lowercase") => Some(text.to_lowercase()),
        Some("Sequence") => {
            let steps = elements(member(normalizer, "normalizers"));
            steps.iter().try_fold(text.into(), |text: String, step| normalized(step, &text, budget))
        }
        _ => None,
    }
}

impl SplitText<'_> {
    fn apply(&mut self, step: &Value) -> Option<()> {
        self.budget.step(STEP).ok()?;
        let expression = |text| Expression::new(text, self.budget);
        match text_member(step, "type") {
            None => Some(()),
            Some("Sequence") => elements(member(step, "pretokenizers")).iter().try_for_each(|step| self.apply(step)),
            Some("Split") => {
                let pattern = member(step, "pattern");
                let expression = match text_member(pattern, "String") {
                    Some(text) => Expression::literal(text, self.budget)?,
                    None => expression(text_member(pattern, "Regex")?)?,
                };
                self.split(&expression, is_true(member(step, "invert")), behavior(step, None)?)
            }
            Some("ByteLevel") => {
                if member(step, "add_prefix_space").as_bool().unwrap_or(true) {
                    self.add_space()?;
                }
                match member(step, "use_regex").as_bool() {
                    Some(false) => Some(()),
                    _ => self.split(&expression(GPT2)?, false, Behavior::Isolated),
                }
            }
            Some("Digits") => match is_true(member(step, "individual_digits")) {
                true => self.split(&expression(r"\p{N}")?, false, Behavior::Isolated),
                false => self.split(&expression(r"\p{N}+")?, false, Behavior::Contiguous),
            },
            Some("Punctuation") => {
                let behavior = behavior(step, Some(Behavior::Isolated))?;
                self.split(&expression(r"[\p{P}!-/:-@\[-`{-~]")?, false, behavior)
            }
            Some("WhitespaceSplit") => self.split(&expression(r"\s")?, false, Behavior::Removed),
            Some("Whitespace") => self.split(&expression(r"\w+|[^\w\s]+")?, true, Behavior::Removed),
            _ => None,
        }
    }

    /// Puts a space before the text, unless one is there. Other steps must not have split the text.
    fn add_space(&mut self) -> Option<()> {
        let [word] = self.words.as_slice() else { return None };
        if *word != (0..self.text.len()) {
            return None;
        }
        if self.text.first() != Some(&' ') {
            self.text.insert(0, ' ');
            self.words = core::iter::once(0..self.text.len()).collect();
        }
        Some(())
    }

    fn split(&mut self, expression: &Expression, is_inverted: bool, behavior: Behavior) -> Option<()> {
        let mut words = Vec::new();
        for word in &self.words {
            let matches = expression.matches(&self.text[word.clone()], self.budget)?;
            let mut parts = Vec::new();
            let mut at = word.start;
            for found in matches {
                let found = word.start + found.start..word.start + found.end;
                if at < found.start {
                    parts.push((at..found.start, is_inverted));
                }
                at = found.end;
                parts.push((found, !is_inverted));
            }
            if at < word.end {
                parts.push((at..word.end, is_inverted));
            }
            words.extend(joined(parts, behavior));
        }
        self.words = words;
        Some(())
    }
}

/// Joins the parts of a word: places with whether they are matches.
fn joined(mut parts: Vec<(Range<usize>, bool)>, behavior: Behavior) -> Vec<Range<usize>> {
    match behavior {
        Behavior::Removed => parts.retain(|(_, is_match)| !is_match),
        Behavior::Isolated => {}
        Behavior::Contiguous => parts.dedup_by(|next, previous| {
            let is_same = next.1 == previous.1;
            if is_same {
                previous.0.end = next.0.end;
            }
            is_same
        }),
        Behavior::MergedWithPrevious => {
            let mut was_match = false;
            parts.dedup_by(|next, previous| {
                let is_joined = next.1 && !was_match && !previous.1;
                was_match = next.1;
                if is_joined {
                    previous.0.end = next.0.end;
                }
                is_joined
            });
        }
        Behavior::MergedWithNext => {
            let mut joined: Vec<(Range<usize>, bool)> = Vec::new();
            let mut was_match = false;
            for (place, is_match) in parts.into_iter().rev() {
                match joined.last_mut().filter(|_| is_match && !was_match) {
                    Some(next) => next.0.start = place.start,
                    None => joined.push((place, is_match)),
                }
                was_match = is_match;
            }
            joined.reverse();
            parts = joined;
        }
    }
    parts.into_iter().map(|(place, _)| place).collect()
}

fn behavior(step: &Value, default: Option<Behavior>) -> Option<Behavior> {
    match text_member(step, "behavior") {
        None => default,
        Some("Removed") => Some(Behavior::Removed),
        Some("Isolated") => Some(Behavior::Isolated),
        Some("MergedWithPrevious") => Some(Behavior::MergedWithPrevious),
        Some("MergedWithNext") => Some(Behavior::MergedWithNext),
        Some("Contiguous") => Some(Behavior::Contiguous),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, normalized, split};
    use alloc::{string::String, vec::Vec};
    use serde_json::json;

    /// The expected words are those that tokenizers documents for each step.
    #[test]
    fn steps_split_as_tokenizers_documents() {
        let budget = Budget::default();
        let dash = |behavior: &str| json!({ "type": "Split", "pattern": { "String": "-" }, "behavior": behavior, "invert": false });
        for (step, text, expected) in [
            (dash("Removed"), "the-final--countdown", &["the", "final", "countdown"][..]),
            (dash("Isolated"), "the-final--countdown", &["the", "-", "final", "-", "-", "countdown"]),
            (dash("MergedWithPrevious"), "the-final--countdown", &["the-", "final-", "-", "countdown"]),
            (dash("MergedWithNext"), "the-final--countdown", &["the", "-final", "-", "-countdown"]),
            (dash("Contiguous"), "the-final--countdown", &["the", "-", "final", "--", "countdown"]),
            (json!({ "type": "Digits", "individual_digits": true }), "Call 911!", &["Call ", "9", "1", "1", "!"]),
            (json!({ "type": "Digits", "individual_digits": false }), "Call 911!", &["Call ", "911", "!"]),
            (json!({ "type": "Punctuation" }), "Hello?", &["Hello", "?"]),
            (json!({ "type": "WhitespaceSplit" }), "Hello there!", &["Hello", "there!"]),
            (json!({ "type": "Whitespace" }), "Hello there!", &["Hello", "there", "!"]),
            (
                json!({ "type": "ByteLevel", "add_prefix_space": true }),
                "Hello my  dear",
                &[" Hello", " my", " ", " dear"],
            ),
        ] {
            let found = split(&json!({ "pre_tokenizer": step }), text, &budget).unwrap();
            let words: Vec<String> = found.words.iter().map(|word| found.text[word.clone()].iter().collect()).collect();
            assert_eq!(words, expected, "{step}");
        }
        assert!(normalized(&json!({ "type": "NFKC" }), "a", &budget).is_none());
    }
}
