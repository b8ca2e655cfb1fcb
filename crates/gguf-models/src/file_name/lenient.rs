//! Takes a name apart by what each word looks like. The words of published names are separated by dashes, points,
//! underscores and spaces.
//!
//! Encoding, type and shard are looked for from the end, the sidecar at the start, and the size label between them. The
//! words before the size label are the base name; the words after it are the version and the fine-tune. Each step looks at
//! each word once, so the time is proportional to the length of the name.

use alloc::vec::Vec;
use core::ops::Range;

use super::encoding::{is_encoding_family, is_encoding_name, is_prefix, is_suffix};
use super::forms::is_digits;
use super::parts::{Part, Parts, Span};
use super::words::{
    is_dashed_version, is_date, is_dotted_number, is_fine_tune_word, is_format_word, is_later_size_word,
    is_month_and_year, is_one_of, is_sidecar_word, is_size_word, is_type_word, is_version_word,
};

/// The extensions of GGUF files, of files before GGUF, and of importance matrices.
const EXTENSIONS: &[&str] = &[".gguf", ".ggml", ".bin", ".dat", ".gguf_file", ".llamafile"];

/// The most words in the name of an encoding without its prefix: `IQ4_NL_4_8` has three, as digits stay together.
const MOST_ENCODING_WORDS: usize = 5;

/// The parts of any name, as far as they are recognised. Other words belong to the base name or to the fine-tune.
pub(super) fn lenient_parts(name: &str) -> Parts {
    let stem_end = stem_end(name);
    let mut words = Words::of(name, stem_end);
    words.take_shard();
    words.take_sidecar();
    let encoding = words.take_type_and_encoding();
    words.take_format_word();
    let size = words.take_size_label();
    words.take_rest(encoding, size);
    words.parts
}

/// The end of a name without its extension. Pieces of a file have more than an extension: `.gguf.part1of2`.
fn stem_end(name: &str) -> usize {
    let ends_with = |extension: &&&str| {
        let start = name.len().checked_sub(extension.len());
        start.and_then(|start| name.get(start..)).is_some_and(|end| is_one_of(&[**extension], end))
    };
    if let Some(extension) = EXTENSIONS.iter().find(ends_with) {
        return name.len() - extension.len();
    }
    let is_extension = |window: &[u8]| window == b".gguf";
    let piece = name.as_bytes().windows(".gguf".len()).rposition(is_extension).filter(|start| {
        let after = name.get(start + ".gguf".len()..).unwrap_or_default();
        after.strip_prefix(['.', '-', '_']).is_some_and(|piece| piece.starts_with("part") || piece.starts_with("split"))
    });
    piece.unwrap_or(name.len())
}

/// The words of a name. A word that is given to a part is taken.
struct Words<'a> {
    name: &'a str,
    words: Vec<Span>,
    taken: Vec<bool>,
    parts: Parts,
}

impl<'a> Words<'a> {
    fn of(name: &'a str, stem_end: usize) -> Self {
        let bytes = &name.as_bytes()[..stem_end];
        let mut words = Vec::new();
        let mut start = 0;
        let mut has_point = false;
        for (index, byte) in bytes.iter().enumerate() {
            let is_between_digits = index > start
                && bytes[index - 1].is_ascii_digit()
                && bytes.get(index + 1).is_some_and(u8::is_ascii_digit);
            // Digits with a point or an underscore between them are one word: 1.5, v0_1.
            let is_separator = match byte {
                b'-' | b' ' => true,
                b'.' => !is_between_digits,
                b'_' => !is_between_digits || has_point,
                _ => false,
            };
            if is_separator {
                if start < index {
                    words.push(start..index);
                }
                start = index + 1;
                has_point = false;
            } else {
                has_point |= *byte == b'.';
            }
        }
        if start < stem_end {
            words.push(start..stem_end);
        }
        let taken = words.iter().map(|_| false).collect();
        Self { name, words, taken, parts: Parts::new(stem_end) }
    }

    fn text(&self, index: usize) -> &'a str {
        self.words.get(index).map_or("", |span| self.name.get(span.clone()).unwrap_or_default())
    }

    /// The text from the first of some words to the end of the last.
    fn span(&self, words: Range<usize>) -> Span {
        self.words[words.start].start..self.words[words.end - 1].end
    }

    fn take(&mut self, part: Part, words: Range<usize>) {
        self.parts.extend(part, self.span(words.clone()));
        self.taken[words].fill(true);
    }

    /// The number of words before those that are taken from the end.
    fn untaken_end(&self) -> usize {
        self.taken.iter().rposition(|taken| !taken).map_or(0, |last| last + 1)
    }

    /// Whether a word and the next one have this separator and no other between them.
    fn is_joined(&self, index: usize, separator: &str) -> bool {
        let (word, next) = (self.words.get(index), self.words.get(index + 1));
        word.zip(next).is_some_and(|(word, next)| self.name.get(word.end..next.start) == Some(separator))
    }

    fn take_shard(&mut self) {
        let Some(start) = self.words.len().checked_sub(3) else { return };
        let is_number = |text: &str| is_digits(text) && text.parse::<u32>().is_ok();
        let is_of = is_one_of(&["of"], self.text(start + 1));
        if is_of && is_number(self.text(start)) && is_number(self.text(start + 2)) {
            let has_prefix = start > 0 && is_one_of(&["split"], self.text(start - 1));
            self.take(Part::Shard, start - usize::from(has_prefix)..start + 3);
        }
    }

    /// A sidecar is the first word. A projector is also found elsewhere, as llama.cpp finds it.
    fn take_sidecar(&mut self) {
        let end = self.untaken_end();
        let is_projector = |index: &usize| is_one_of(&["mmproj"], self.text(*index));
        let found = (end > 0 && is_sidecar_word(self.text(0))).then_some(0).or_else(|| (0..end).find(is_projector));
        if let Some(index) = found {
            self.take(Part::Sidecar, index..index + 1);
        }
    }

    /// Takes the type and the encoding. Returns the words of the encoding.
    fn take_type_and_encoding(&mut self) -> Option<Range<usize>> {
        let end = self.untaken_end();
        let last = end.checked_sub(1)?;
        let is_type = |index: usize| index > 0 && is_type_word(self.text(index));
        let has_suffix =
            is_suffix(self.text(last)) && self.encoding_before(last).is_some_and(|words| words.end == last);
        let has_type = !has_suffix && is_type(last);
        let name_end = if has_suffix || has_type { last } else { end };
        let mut encoding = self.encoding_before(name_end);
        if let Some(words) = &mut encoding {
            words.end += usize::from(has_suffix);
            if words.start > 0 && is_prefix(self.text(words.start - 1)) && self.is_joined(words.start - 1, "-") {
                words.start -= 1;
            }
        }
        let type_before = encoding.as_ref().filter(|words| words.end == end && is_type(words.start.saturating_sub(1)));
        let type_word = if has_type { Some(last) } else { type_before.map(|words| words.start - 1) };
        if let Some(words) = encoding.clone() {
            self.take(Part::Encoding, words);
        }
        if let Some(index) = type_word.filter(|index| !self.taken[*index]) {
            self.take(Part::Type, index..index + 1);
        }
        encoding
    }

    /// The words of the last encoding before a word.
    fn encoding_before(&self, end: usize) -> Option<Range<usize>> {
        for start in (0..end).rev() {
            if self.taken[start] {
                continue;
            }
            let most = (start + MOST_ENCODING_WORDS).min(end);
            let mut after = start + 1;
            while after < most && self.is_joined(after - 1, "_") {
                after += 1;
            }
            for after in (start + 1..=after).rev() {
                let text = self.name.get(self.span(start..after)).unwrap_or_default();
                // The first word of a type alone is an encoding only at the end: Q4.
                if is_encoding_name(text) || after == end && is_encoding_family(text) {
                    return Some(start..after);
                }
            }
        }
        None
    }

    /// Takes a last word that repeats the extension.
    fn take_format_word(&mut self) {
        let last = (1..self.words.len()).rev().find(|index| !self.taken[*index]);
        if let Some(index) = last.filter(|index| is_format_word(self.text(*index))) {
            self.parts.format_word = Some(self.words[index].clone());
            self.taken[index] = true;
        }
    }

    /// Takes the first size and the words that continue it. Returns the words of the size label.
    fn take_size_label(&mut self) -> Option<Range<usize>> {
        let start = (0..self.words.len()).find(|index| !self.taken[*index] && is_size_word(self.text(*index)))?;
        let continues = |index: &usize| {
            !self.taken[*index] && self.is_joined(*index - 1, "-") && is_later_size_word(self.text(*index))
        };
        let count = (start + 1..self.words.len()).take_while(continues).count();
        let words = start..start + 1 + count;
        self.take(Part::SizeLabel, words.clone());
        Some(words)
    }

    /// Gives the remaining words to base name, version and fine-tune.
    fn take_rest(&mut self, encoding: Option<Range<usize>>, size: Option<Range<usize>>) {
        let has_size = size.is_some();
        let end_of_base = size.or(encoding).map_or(self.words.len(), |words| words.start);
        let (mut base, mut rest): (Vec<usize>, Vec<usize>) =
            (0..self.words.len()).filter(|index| !self.taken[*index]).partition(|index| *index < end_of_base);
        let is_ended_by_size = has_size && !base.is_empty();
        // A size label can come first: 13b-thorns-l2, but 2b-it has no base name.
        let is_nameless = has_size && rest.first().is_some_and(|index| is_fine_tune_word(self.text(*index)));
        if base.is_empty() && !is_nameless {
            core::mem::swap(&mut base, &mut rest);
        }
        if !is_ended_by_size {
            self.take_end_of_base(&mut base);
        }
        for index in base {
            self.take(Part::BaseName, index..index + 1);
        }
        if self.parts.get(Part::Version).is_none()
            && let Some(version) = self.version_among(&rest)
        {
            self.take(Part::Version, version);
        }
        for index in rest {
            if !self.taken[index] {
                self.take(Part::FineTune, index..index + 1);
            }
        }
    }

    /// Takes fine-tune and version from the end of a base name that no size label ends.
    fn take_end_of_base(&mut self, base: &mut Vec<usize>) {
        self.take_last_version(base);
        while let [_, .., last] = base[..]
            && is_fine_tune_word(self.text(last))
        {
            self.take(Part::FineTune, last..last + 1);
            base.pop();
        }
        if self.parts.get(Part::Version).is_none() {
            self.take_last_version(base);
        }
    }

    /// Takes a version at the end of a base name. One word remains at least.
    fn take_last_version(&mut self, base: &mut Vec<usize>) {
        let [_, .., last] = base[..] else { return };
        let two = last.checked_sub(1).filter(|first| base.len() > 2 && self.is_version_in_two_words(*first));
        let start = two.or_else(|| (is_version_word(self.text(last)) || is_date(self.text(last))).then_some(last));
        if let Some(start) = start {
            self.take(Part::Version, start..last + 1);
            base.truncate(base.len() - (last + 1 - start));
        }
    }

    /// The version among the words after the base name: the last word with a `v`, or else a date, or else a number with a
    /// point.
    fn version_among(&self, rest: &[usize]) -> Option<Range<usize>> {
        let last = |is_version: fn(&str) -> bool| {
            let found = rest.iter().rev().find(|index| is_version(self.text(**index)));
            found.map(|index| *index..*index + 1)
        };
        let two_words = rest.iter().rev().find(|index| self.is_version_in_two_words(**index));
        two_words
            .map(|index| *index..*index + 2)
            .or_else(|| last(is_version_word))
            .or_else(|| last(is_date))
            .or_else(|| last(is_dotted_number))
    }

    /// Whether a word and the next one are a version.
    fn is_version_in_two_words(&self, index: usize) -> bool {
        let (first, second) = (self.text(index), self.text(index + 1));
        let is_free = |index: usize| self.taken.get(index) == Some(&false);
        self.is_joined(index, "-")
            && is_free(index)
            && is_free(index + 1)
            && (is_month_and_year(first, second) || is_dashed_version(first, second))
    }
}
