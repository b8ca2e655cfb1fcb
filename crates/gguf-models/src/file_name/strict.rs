//! Takes a name apart by the specification, as its regular expression does, but in linear time: the expression
//! backtracks exponentially.

use alloc::vec::Vec;

use super::forms::{
    is_encoding, is_later_base_word, is_plain, is_sidecar, is_size, is_size_attribute, is_type, is_version,
};
use super::parts::{Part, Parts, Span};
use super::shard_name::is_shard_number;

/// The most words after the version: encoding, type, and three words of the shard.
const MOST_WORDS_AFTER_VERSION: usize = 5;

/// The parts of a name that conforms to the specification, with the same words as the groups of the regular expression.
/// `None` for other names, and for names without size label. The regular expression takes them if they have two dashes
/// instead, but the text of the specification does not.
pub(super) fn strict_parts(name: &str) -> Option<Parts> {
    let stem = name.strip_suffix(".gguf")?;
    let mut words = Vec::new();
    let mut start = 0;
    for text in stem.split('-') {
        words.push(start..start + text.len());
        start += text.len() + 1;
    }
    let name = Words { stem, words };
    // A sidecar can also be the base name: mtp-7B-v1.0.
    if is_sidecar(name.text(0))
        && let Some(parts) = name.parts(1)
    {
        return Some(parts);
    }
    name.parts(0)
}

/// The texts between the dashes of a name.
struct Words<'a> {
    stem: &'a str,
    words: Vec<Span>,
}

impl Words<'_> {
    /// The word at a position; empty after the end.
    fn text(&self, index: usize) -> &str {
        self.words.get(index).map_or("", |span| self.stem.get(span.clone()).unwrap_or_default())
    }

    fn span(&self, words: core::ops::Range<usize>) -> Span {
        self.words[words.start].start..self.words[words.end - 1].end
    }

    /// The parts, if the base name begins at a word.
    fn parts(&self, base: usize) -> Option<Parts> {
        if base >= self.words.len() || !is_plain(self.text(base)) {
            return None;
        }
        // No size label has the form of a word of the base name. So the first other word is the size label.
        let size = (base + 1..self.words.len()).find(|index| !is_later_base_word(self.text(*index)))?;
        if !is_size(self.text(size)) {
            return None;
        }
        let with_attribute = is_size_attribute(self.text(size + 1)).then(|| self.after_size(size, size + 2)).flatten();
        let mut parts = with_attribute.or_else(|| self.after_size(size, size + 1))?;
        parts.set(Part::BaseName, self.span(base..size));
        if base > 0 {
            parts.set(Part::Sidecar, self.span(0..1));
        }
        Some(parts)
    }

    /// The parts from the size label on, which ends before the word `after`.
    fn after_size(&self, size: usize, after: usize) -> Option<Parts> {
        let count = self.words.len();
        // The words of the fine-tune end before the first word of another form.
        let fine_tune_end = (after..count).find(|index| !is_plain(self.text(*index))).unwrap_or(count);
        let first = after.max(count.saturating_sub(MOST_WORDS_AFTER_VERSION + 1));
        let last = fine_tune_end.min(count.checked_sub(1)?);
        let mut versions = (first..=last).rev();
        versions.find_map(|version| {
            if !is_version(self.text(version)) || version == after + 1 && self.text(after).is_empty() {
                return None;
            }
            let mut parts = self.after_version(version + 1)?;
            parts.set(Part::SizeLabel, self.span(size..after));
            parts.set(Part::Version, self.span(version..version + 1));
            if version > after {
                parts.set(Part::FineTune, self.span(after..version));
            }
            Some(parts)
        })
    }

    /// The parts after the version.
    fn after_version(&self, start: usize) -> Option<Parts> {
        let encoding = is_encoding(self.text(start)).then(|| self.after_encoding(start + 1)).flatten();
        if let Some(mut parts) = encoding {
            parts.set(Part::Encoding, self.span(start..start + 1));
            return Some(parts);
        }
        self.after_encoding(start)
    }

    /// Type and shard.
    fn after_encoding(&self, mut start: usize) -> Option<Parts> {
        let mut parts = Parts::new(self.stem.len());
        if is_type(self.text(start)) {
            parts.set(Part::Type, self.span(start..start + 1));
            start += 1;
        }
        if is_shard_number(self.text(start)) && self.text(start + 1) == "of" && is_shard_number(self.text(start + 2)) {
            parts.set(Part::Shard, self.span(start..start + 3));
            start += 3;
        }
        (start == self.words.len()).then_some(parts)
    }
}
