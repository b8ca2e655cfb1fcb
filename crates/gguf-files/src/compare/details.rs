//! What differs within a value: elements of an array, lines of a text, tokens of a vocabulary.

use alloc::{borrow::Cow, string::String, vec::Vec};

pub use super::sequence_difference::Hunk;

use super::entries::are_equal;
use super::equal_items::{EqualItems, equal_items};
use super::sequence_difference::hunks;
use gguf_declare::{names, result};
use gguf_format::format::header::MetadataKv;
use gguf_format::format::value::{Array, Str, Value, ValueType};

/// The key of the list of tokens.
const TOKENS: &str = "tokenizer.ggml.tokens";

/// The most differences of tokens that are listed.
const MOST_TOKENS: usize = 1000;

/// The most elements or lines of both values that are compared in any order. More are only compared position by position.
const MOST_ITEMS: u64 = 1 << 20;

/// The most parts that are listed if elements are compared position by position.
const MOST_HUNKS: usize = 100_000;

names! {
    /// What the parts of a value are.
    pub enum ValueUnit {
        /// Elements of arrays.
        Elements = "elements",
        /// Lines of texts. A line ends after its line feed.
        Lines = "lines",
    }
}

result! {
    /// What differs within two values.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ValueDetails {
        /// What the hunks count: elements of arrays, or lines of texts. A line ends after its line feed.
        pub unit: ValueUnit,
        /// The parts that differ, in order.
        pub hunks: Vec<Hunk>,
        /// Only of `tokenizer.ggml.tokens`.
        pub tokens: Option<TokenDifferences>,
    }
}

result! {
    /// The differences of two vocabularies by the texts of their tokens.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct TokenDifferences {
        /// How many tokens only the second model has.
        pub added: u64,
        /// How many tokens only the first model has.
        pub removed: u64,
        /// How many tokens have another id.
        pub renumbered: u64,
        /// The first 1000 of these tokens.
        pub differences: Vec<TokenDifference>,
    }
}

result! {
    /// A token that only one model has, or that has different ids.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct TokenDifference {
        /// The text as stored.
        pub text: String,
        /// The id in the first model.
        pub id_a: Option<u64>,
        /// The id in the second model.
        pub id_b: Option<u64>,
    }
}

/// What differs within the values of two entries. `None` if they are not two arrays with the same type of elements, and not two
/// texts of which one has several lines.
#[doc(hidden)]
pub fn details(a: &MetadataKv<'_>, b: &MetadataKv<'_>) -> Option<ValueDetails> {
    match (a.value(), b.value()) {
        (Value::Array(array_a), Value::Array(array_b)) if array_a.element_type() == array_b.element_type() => {
            let is_vocabulary = array_a.element_type() == ValueType::String && a.key() == TOKENS && b.key() == TOKENS;
            Some(details_of_arrays(&array_a, &array_b, is_vocabulary))
        }
        (Value::String(a), Value::String(b)) => details_of_texts(a, b),
        _ => None,
    }
}

fn details_of_arrays(a: &Array<'_>, b: &Array<'_>, is_vocabulary: bool) -> ValueDetails {
    let by_position = (a.len() == b.len()).then(|| hunks_by_position(a, b));
    if a.len().saturating_add(b.len()) > MOST_ITEMS {
        let same_start = a.iter().zip(b.iter()).take_while(|(a, b)| are_equal(a, b)).count() as u64;
        let whole = Hunk { a: same_start..a.len(), b: same_start..b.len() };
        let hunks = by_position.unwrap_or_else(|| Vec::from([whole]));
        return ValueDetails { unit: ValueUnit::Elements, hunks, tokens: None };
    }
    let (items_a, items_b) = (Items::of_array(a), Items::of_array(b));
    let numbered = numbered(&items_a, &items_b);
    let aligned = hunks(&numbered.a, &numbered.b, numbered.count);
    // In most arrays, an element belongs to the one at the same position.
    let hunks = match by_position {
        Some(by_position) if size_of_hunks(&by_position) <= size_of_hunks(&aligned) => by_position,
        _ => aligned,
    };
    let tokens = is_vocabulary.then(|| token_differences(&items_a, &items_b, &numbered));
    ValueDetails { unit: ValueUnit::Elements, hunks, tokens }
}

/// The elements that differ from those at the same position of the other array. Beyond [`MOST_HUNKS`], the rest is one hunk.
fn hunks_by_position(a: &Array<'_>, b: &Array<'_>) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let different = (0..).zip(a.iter().zip(b.iter())).filter(|(_, (a, b))| !are_equal(a, b));
    for (index, _) in different {
        let has_room = hunks.len() < MOST_HUNKS;
        match hunks.last_mut().filter(|last| last.a.end == index || !has_room) {
            Some(last) => {
                last.a.end = index + 1;
                last.b.end = index + 1;
            }
            None => hunks.push(Hunk { a: index..index + 1, b: index..index + 1 }),
        }
    }
    hunks
}

/// How many elements were removed and added.
fn size_of_hunks(hunks: &[Hunk]) -> u64 {
    hunks.iter().map(|hunk| hunk.a.end - hunk.a.start + hunk.b.end - hunk.b.start).sum()
}

fn details_of_texts(a: Str<'_>, b: Str<'_>) -> Option<ValueDetails> {
    let (a, b) = (a.to_bytes(), b.to_bytes());
    let has_lines = a.contains(&b'\n') || b.contains(&b'\n');
    has_lines.then(|| ValueDetails { unit: ValueUnit::Lines, hunks: text_hunks(&a, &b), tokens: None })
}

/// The lines that differ between two texts, in order. A line ends after its line feed.
pub fn text_hunks(a: &[u8], b: &[u8]) -> Vec<Hunk> {
    let [lines_a, lines_b] = [a, b].map(|text| text.split_inclusive(|byte| *byte == b'\n').count() as u64);
    if lines_a + lines_b > MOST_ITEMS {
        return Vec::from([Hunk { a: 0..lines_a, b: 0..lines_b }]);
    }
    let numbered = numbered(&Items::of_lines(a), &Items::of_lines(b));
    hunks(&numbered.a, &numbered.b, numbered.count)
}

fn numbered(a: &Items<'_>, b: &Items<'_>) -> EqualItems {
    let (length_a, length_b) = (a.len(), b.len());
    equal_items(length_a, length_b, |place| if place < length_a { a.get(place) } else { b.get(place - length_a) })
}

/// The parts of a value as bytes. Two parts are equal if their bytes are.
enum Items<'a> {
    /// Numbers and truth values, little-endian, each with `size` bytes.
    Fixed { bytes: Vec<u8>, size: usize },
    /// Texts, and nested arrays as they are stored.
    Varying(Vec<Cow<'a, [u8]>>),
}

impl<'a> Items<'a> {
    fn of_array(array: &Array<'a>) -> Self {
        let Some(size) = array.element_type().size() else {
            let bytes = |element| match element {
                Value::String(text) => text.to_bytes(),
                Value::Array(inner) => inner.to_bytes(),
                _ => Cow::Borrowed(&[][..]),
            };
            return Self::Varying(array.iter().map(bytes).collect());
        };
        let (mut bytes, size) = (array.little_endian_bytes(), size as usize);
        if array.element_type() == ValueType::Bool {
            bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
        }
        Self::Fixed { bytes, size }
    }

    /// The lines of a text, each with its line feed.
    fn of_lines(text: &'a [u8]) -> Self {
        Self::Varying(text.split_inclusive(|byte| *byte == b'\n').map(Cow::Borrowed).collect())
    }

    fn len(&self) -> usize {
        match self {
            Self::Fixed { bytes, size } => bytes.len() / size,
            Self::Varying(items) => items.len(),
        }
    }

    fn get(&self, index: usize) -> &[u8] {
        match self {
            Self::Fixed { bytes, size } => &bytes[index * size..(index + 1) * size],
            Self::Varying(items) => &items[index],
        }
    }
}

/// The tokens that one list lacks, or that have different ids. If a list has a text several times, the first one belongs to the
/// first one of the other list, and so on.
fn token_differences(a: &Items<'_>, b: &Items<'_>, numbered: &EqualItems) -> TokenDifferences {
    let mut found = TokenDifferences::default();
    let mut is_added = vec![true; b.len()];
    let mut list = |token: &[u8], a: Option<usize>, b: Option<usize>| {
        if found.differences.len() < MOST_TOKENS {
            let id = |id: Option<usize>| id.map(|id| id as u64);
            let text = String::from_utf8_lossy(token).into_owned();
            found.differences.push(TokenDifference { text, id_a: id(a), id_b: id(b) });
        }
    };
    let (mut added, mut removed, mut renumbered) = (0, 0, 0);
    for (id, partner) in numbered.pairs().into_iter().enumerate() {
        if let Some(partner) = partner {
            is_added[partner] = false;
        }
        match partner {
            Some(partner) if partner == id => continue,
            Some(_) => renumbered += 1,
            None => removed += 1,
        }
        list(a.get(id), Some(id), partner);
    }
    for id in (0..b.len()).filter(|id| is_added[*id]) {
        added += 1;
        list(b.get(id), None, Some(id));
    }
    TokenDifferences { added, removed, renumbered, ..found }
}
