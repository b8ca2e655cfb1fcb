//! Where each part is in a name.

use core::ops::Range;

/// Byte positions in a name.
pub(super) type Span = Range<usize>;

/// A part of a name, in the order of the convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[doc(hidden)]
pub enum Part {
    Sidecar,
    BaseName,
    SizeLabel,
    FineTune,
    Version,
    Encoding,
    Type,
    Shard,
}

/// The number of parts.
const PART_COUNT: usize = Part::Shard as usize + 1;

/// The parts of a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    spans: [Option<Span>; PART_COUNT],
    /// The end of the name without its extension.
    pub stem_end: usize,
    /// A word that says the file format, and belongs to no part.
    pub format_word: Option<Span>,
}

impl Parts {
    pub fn new(stem_end: usize) -> Self {
        Self { stem_end, ..Self::default() }
    }

    pub fn get(&self, part: Part) -> Option<&Span> {
        self.spans[part as usize].as_ref()
    }

    pub fn set(&mut self, part: Part, span: Span) {
        self.spans[part as usize] = Some(span);
    }

    /// Adds a word to a part. The part then reaches from its first word to its last.
    pub fn extend(&mut self, part: Part, word: Span) {
        let span = &mut self.spans[part as usize];
        *span = Some(match span.take() {
            Some(span) => span.start.min(word.start)..span.end.max(word.end),
            None => word,
        });
    }

    /// The text of a part.
    pub fn text<'a>(&self, name: &'a str, part: Part) -> Option<&'a str> {
        name.get(self.get(part)?.clone())
    }

    /// The parts that the name has, in the order of the convention.
    pub fn iter(&self) -> impl Iterator<Item = &Span> {
        self.spans.iter().flatten()
    }
}
