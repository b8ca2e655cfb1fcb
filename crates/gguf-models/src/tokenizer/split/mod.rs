//! Splits text into words before byte-pair encoding, as the pre-tokenizer of a file says.

mod characters;
mod matcher;
mod pattern;
mod rules;

use alloc::{string::String, vec::Vec};

use self::characters::kind;
use pattern::Pattern;
use rules::{RULES, Step};

pub(super) use characters::{Character, characters};

/// The compiled rules of a pre-tokenizer.
#[doc(hidden)]
pub struct Splitter {
    steps: Vec<CompiledStep>,
}

enum CompiledStep {
    Matches { pattern: Pattern, repeats: usize },
    NumbersInThrees,
    BeforeThreeDigits,
}

impl Splitter {
    /// The rules with a name of the table of pre-tokenizers. `None` if there are none with this name.
    pub fn new(rules: &str) -> Option<Self> {
        let rules = RULES.iter().find(|row| row.name == rules)?;
        let ascii = characters(&(0..128u8).map(char::from).collect::<String>());
        let compiled = |step: &Step| match step {
            Step::Matches(text) => {
                let (pattern, repeats) = pattern::compile(text, &ascii);
                CompiledStep::Matches { pattern, repeats }
            }
            Step::NumbersInThrees => CompiledStep::NumbersInThrees,
            Step::BeforeThreeDigits => CompiledStep::BeforeThreeDigits,
        };
        Some(Self { steps: rules.steps.iter().map(compiled).collect() })
    }

    /// The ends of the words of a text: positions in it, in order.
    pub fn word_ends(&self, text: &[Character]) -> Vec<usize> {
        let mut ends = Vec::from([text.len()]);
        for step in &self.steps {
            ends = match step {
                CompiledStep::Matches { pattern, repeats } => matcher::split(pattern, *repeats, text, &ends),
                CompiledStep::NumbersInThrees => {
                    // A cut before a number would separate it from the text before it.
                    split_numbers(text, &ends, &|found| found.kinds & kind::NUMBER != 0, false)
                }
                CompiledStep::BeforeThreeDigits => {
                    split_numbers(text, &ends, &|found| matches!(found.code, 0x30..=0x39), true)
                }
            };
        }
        ends
    }

    /// The ends of the words of a text: positions in bytes.
    pub fn ends_in_bytes(&self, text: &str) -> Vec<usize> {
        let positions: Vec<usize> = text.char_indices().map(|(position, _)| position).chain([text.len()]).collect();
        self.word_ends(&characters(text)).into_iter().map(|end| positions[end]).collect()
    }
}

/// Splits numbers into groups of three, counted from the last digit, and after their last digit or before their first one.
fn split_numbers(
    text: &[Character],
    ends: &[usize],
    is_digit: &dyn Fn(Character) -> bool,
    cuts_before: bool,
) -> Vec<usize> {
    let mut result = Vec::with_capacity(ends.len());
    let mut at = 0;
    for end in ends {
        let mut piece = at;
        while at < *end {
            let len = text[at..*end].iter().take_while(|found| is_digit(**found)).count();
            for place in 0..=len {
                let is_cut = len > 0 && (len - place).is_multiple_of(3);
                let is_inside = if cuts_before { place < len } else { place > 0 };
                if is_cut && is_inside && at + place > piece {
                    piece = at + place;
                    result.push(piece);
                }
            }
            at += len.max(1);
        }
        if piece < at {
            result.push(at);
        }
    }
    result
}
