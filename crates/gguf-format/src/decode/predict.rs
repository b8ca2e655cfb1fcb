//! An estimate of the size of a header, from the part that has arrived.
//!
//! A header does not state its size. A reader that fetches it by ranges needs an estimate, to request as many bytes as the
//! header has. Most of a header is its vocabulary: an array of tokens, and arrays with one element for each token. The
//! number of tensors is stated at the start.

use crate::format::header::Header;
use crate::format::tokenizer_model::{TokenizerAlgorithm, tokenizer_model};
use crate::format::value::{Str, Value};

/// The metadata entry or tensor info that the decoder reads.
pub(crate) struct PartialEntry<'a> {
    /// File offset after the next item, as far as is known.
    pub end: u64,
    /// The key, if this is a metadata entry.
    pub key: Option<Str<'a>>,
    /// The value, if it is an array of strings or arrays.
    pub array: Option<PartialArray>,
}

/// An array whose elements have not all arrived.
pub(crate) struct PartialArray {
    /// File offset of an element about half-way to the position. Tokens grow longer towards the end of a vocabulary, so the
    /// later elements predict the rest best.
    pub half: u64,
    /// The number of elements before `half`.
    pub half_index: u64,
    /// File offset after the last element that has been read.
    pub position: u64,
    /// The number of elements that have been read.
    pub index: u64,
    /// The number of all elements.
    pub len: u64,
}

/// The assumed size of a token or merge, its length included, in bytes.
const ASSUMED_STRING: f64 = 13.0;

/// The weight of [`ASSUMED_STRING`] in the mean, in elements: the first tokens of a vocabulary are shorter than the rest.
const ASSUMED_STRINGS: f64 = 512.0;

/// The assumed size of an entry in bytes: a key of some 30 bytes and a number.
const ASSUMED_ENTRY: u64 = 48;

/// The assumed size of a chat template in bytes.
const ASSUMED_TEMPLATE: u64 = 4 << 10;

/// The assumed size of a tensor info in bytes: `blk.12.ffn_down.weight` with two dimensions.
const ASSUMED_TENSOR: u64 = 64;

/// The number of entries that are searched for a key: more than any model has, and few enough to be fast.
const SEARCHED_ENTRIES: usize = 512;

/// Estimates the size of the whole header in bytes. Never less than the end of the next item.
pub(crate) fn header_size(header: &Header, partial: &PartialEntry<'_>) -> u64 {
    let mut size = partial.end.max(header.header_size());
    if let Some(array) = &partial.array {
        size = size.max(array.position.saturating_add(bytes(array.len - array.index, array.mean())));
    }
    let mut entries = header.metadata_count() - header.metadata().len() as u64;
    entries = entries.saturating_sub(partial.key.is_some().into());
    if entries > 0
        && let Some(vocabulary) = Vocabulary::find(header, partial)
    {
        for (key, per_token) in vocabulary.companions() {
            if !has_key(header, partial, key) {
                size = size.saturating_add(bytes(vocabulary.len, per_token));
                entries = entries.saturating_sub(1);
            }
        }
        if entries > 0 && !has_key(header, partial, "tokenizer.chat_template") {
            size = size.saturating_add(ASSUMED_TEMPLATE);
        }
    }
    size = size.saturating_add(entries.saturating_mul(ASSUMED_ENTRY));
    let tensors = header.tensors().len() as u64;
    let mean = match header.tensor_at(0) {
        Some(first) if tensors >= 8 => (header.header_size() - first.range().start).div_ceil(tensors),
        _ => ASSUMED_TENSOR,
    };
    size.saturating_add((header.tensor_count() - tensors).saturating_mul(mean))
}

impl PartialArray {
    /// The expected size of an element that has not arrived, its own length included, in bytes.
    fn mean(&self) -> f64 {
        let (bytes, elements) = (self.position - self.half, self.index - self.half_index);
        (bytes as f64 + ASSUMED_STRING * ASSUMED_STRINGS) / (elements as f64 + ASSUMED_STRINGS)
    }
}

/// The tokens, as far as they are known.
struct Vocabulary {
    len: u64,
    /// The mean size of a token, its length included, in bytes.
    mean: f64,
    /// The algorithm that `tokenizer.ggml.model` names. It tells which arrays accompany the tokens.
    algorithm: Option<TokenizerAlgorithm>,
}

impl Vocabulary {
    fn find(header: &Header, partial: &PartialEntry<'_>) -> Option<Self> {
        let algorithm = match value(header, "tokenizer.ggml.model") {
            Some(Value::String(model)) => tokenizer_model(&model.to_bytes()).map(|model| model.algorithm),
            _ => None,
        };
        let tokens = "tokenizer.ggml.tokens";
        if let Some(Value::Array(tokens)) = value(header, tokens) {
            let range = tokens.range();
            return Some(Self {
                len: tokens.len(),
                mean: (range.end - range.start) as f64 / tokens.len().max(1) as f64,
                algorithm,
            });
        }
        match &partial.array {
            Some(array) if partial.key? == tokens => Some(Self { len: array.len, mean: array.mean(), algorithm }),
            _ => None,
        }
    }

    /// The arrays that accompany the tokens, and the bytes that each needs for every token.
    fn companions(&self) -> [(&'static str, f64); 2] {
        // A merge is the two parts of a token with a space between them. There are about as many merges as tokens, and the
        // array states its length before much of it has been requested.
        let second = match self.algorithm {
            Some(algorithm) if algorithm.is_byte_pairs() => ("tokenizer.ggml.merges", self.mean + 0.5),
            Some(TokenizerAlgorithm::SentencePiece | TokenizerAlgorithm::Unigram) => ("tokenizer.ggml.scores", 4.0),
            _ => ("tokenizer.ggml.scores", 0.0),
        };
        [("tokenizer.ggml.token_type", 4.0), second]
    }
}

fn value<'a>(header: &'a Header, key: &str) -> Option<Value<'a>> {
    header.metadata().take(SEARCHED_ENTRIES).find(|entry| entry.key() == key).map(|entry| entry.value())
}

fn has_key(header: &Header, partial: &PartialEntry<'_>, key: &str) -> bool {
    let mut entries = header.metadata().take(SEARCHED_ENTRIES);
    partial.key.is_some_and(|partial| partial == key) || entries.any(|entry| entry.key() == key)
}

fn bytes(count: u64, each: f64) -> u64 {
    (count as f64 * each) as u64
}
