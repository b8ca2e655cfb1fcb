//! How long a header will be, from what is known of it.
//!
//! Who fetches a header asks for the bytes that it will take, before they say themselves how many they
//! are. Most of a header is its vocabulary: an array of tokens, then arrays with an element for each of
//! them; and the number of tensors is known from the start.

use crate::format::header::Header;
use crate::format::value::{Str, Value};

/// What is being read, while the header is not complete.
pub(crate) struct Reading<'a> {
    /// File offset up to which the item that is being read reaches, as far as is known.
    pub needed: u64,
    /// The key of the metadata entry that is being read.
    pub key: Option<Str<'a>>,
    /// The array of strings or arrays that is being read: the outermost.
    pub array: Option<PartialArray>,
}

/// An array that is being read.
pub(crate) struct PartialArray {
    /// File offset of an element about half-way to those that have been read: they grow longer, so the
    /// later ones say more of those to come.
    pub half: u64,
    /// How many elements are before that one.
    pub half_index: u64,
    /// File offset after the last element that has been read.
    pub position: u64,
    /// Elements that have been read.
    pub index: u64,
    /// Elements in all.
    pub len: u64,
}

/// A token or merge of which nothing is known: its length and a short text, in bytes. The first ones of a
/// vocabulary are shorter than the rest, so this counts as if some had been seen.
const UNSEEN_STRING: f64 = 13.0;
const UNSEEN_STRINGS: f64 = 512.0;

/// An entry of which nothing is known: a key of some 30 bytes and a number.
const UNSEEN_ENTRY: u64 = 48;

/// A chat template that has not been seen.
const UNSEEN_TEMPLATE: u64 = 4 << 10;

/// A tensor info of which nothing is known: `blk.12.ffn_down.weight` with two dimensions.
const UNSEEN_TENSOR: u64 = 64;

/// Entries that are looked through: more than any model has, fewer than would take time.
const ENTRIES: usize = 512;

/// Estimates the size of the whole header in bytes: at least up to the end of what is being read.
pub(crate) fn header_size(header: &Header, reading: &Reading<'_>) -> u64 {
    let mut size = reading.needed.max(header.header_size());
    if let Some(array) = &reading.array {
        size = size.max(array.position.saturating_add(bytes(array.len - array.index, array.mean())));
    }
    let mut entries = header.metadata_count() - header.metadata().len() as u64;
    entries = entries.saturating_sub(reading.key.is_some().into());
    if entries > 0
        && let Some(vocabulary) = Vocabulary::find(header, reading)
    {
        for (key, each) in vocabulary.companions() {
            if !seen(header, reading, key) {
                size = size.saturating_add(bytes(vocabulary.len, each));
                entries = entries.saturating_sub(1);
            }
        }
        if entries > 0 && !seen(header, reading, "tokenizer.chat_template") {
            size = size.saturating_add(UNSEEN_TEMPLATE);
        }
    }
    size = size.saturating_add(entries.saturating_mul(UNSEEN_ENTRY));
    let tensors = header.tensors().len() as u64;
    let mean = match header.tensor_at(0) {
        Some(first) if tensors >= 8 => (header.header_size() - first.range().start).div_ceil(tensors),
        _ => UNSEEN_TENSOR,
    };
    size.saturating_add((header.tensor_count() - tensors).saturating_mul(mean))
}

impl PartialArray {
    /// Bytes that an element to come takes, its own length included.
    fn mean(&self) -> f64 {
        let (bytes, elements) = (self.position - self.half, self.index - self.half_index);
        (bytes as f64 + UNSEEN_STRING * UNSEEN_STRINGS) / (elements as f64 + UNSEEN_STRINGS)
    }
}

/// What is known of the tokens.
struct Vocabulary {
    len: u64,
    /// Bytes that a token takes, its length included.
    mean: f64,
    kind: Kind,
}

/// Which arrays go with the tokens: `tokenizer.ggml.model`.
enum Kind {
    /// `gpt2`: pairs of tokens that merge.
    Merges,
    /// `llama`, `t5`: a score a token.
    Scores,
    Other,
}

impl Vocabulary {
    fn find(header: &Header, reading: &Reading<'_>) -> Option<Self> {
        let kind = match value(header, "tokenizer.ggml.model") {
            Some(Value::String(model)) if model == "gpt2" => Kind::Merges,
            Some(Value::String(model)) if model == "llama" || model == "t5" => Kind::Scores,
            _ => Kind::Other,
        };
        let tokens = "tokenizer.ggml.tokens";
        if let Some(Value::Array(tokens)) = value(header, tokens) {
            let range = tokens.range();
            return Some(Self {
                len: tokens.len(),
                mean: (range.end - range.start) as f64 / tokens.len().max(1) as f64,
                kind,
            });
        }
        match &reading.array {
            Some(array) if reading.key? == tokens => Some(Self { len: array.len, mean: array.mean(), kind }),
            _ => None,
        }
    }

    /// The arrays that go with the tokens, with the bytes that each takes for every token.
    fn companions(&self) -> [(&'static str, f64); 2] {
        // A merge is the two parts of a token with a space between them. There are about as many as there
        // are tokens; the array itself says so before much of it has been asked for.
        let second = match self.kind {
            Kind::Merges => ("tokenizer.ggml.merges", self.mean + 0.5),
            Kind::Scores => ("tokenizer.ggml.scores", 4.0),
            Kind::Other => ("tokenizer.ggml.scores", 0.0),
        };
        [("tokenizer.ggml.token_type", 4.0), second]
    }
}

fn value<'a>(header: &'a Header, key: &str) -> Option<Value<'a>> {
    header.metadata().take(ENTRIES).find(|entry| entry.key() == key).map(|entry| entry.value())
}

fn seen(header: &Header, reading: &Reading<'_>, key: &str) -> bool {
    reading.key.is_some_and(|reading| reading == key) || header.metadata().take(ENTRIES).any(|entry| entry.key() == key)
}

fn bytes(count: u64, each: f64) -> u64 {
    (count as f64 * each) as u64
}
