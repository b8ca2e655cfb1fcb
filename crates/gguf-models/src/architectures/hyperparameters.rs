//! The numbers of a header that decide which requirements hold.

use alloc::borrow::Cow;

use super::key_of::key_of;
use gguf_format::format::header::Header;
use gguf_format::format::value::Value;

/// The most blocks that llama.cpp loads (`LLAMA_MAX_LAYERS`).
pub const MOST_BLOCKS: u64 = 512;

/// The hyperparameters of a model: the entries whose keys begin with the architecture.
pub(crate) struct Hyperparameters<'a> {
    header: &'a Header,
    architecture: Cow<'a, [u8]>,
    /// A key that the header does not have, and the value that it is taken to have.
    assumed: Option<(&'static str, u64)>,
}

impl<'a> Hyperparameters<'a> {
    pub(crate) fn new(header: &'a Header, architecture: Cow<'a, [u8]>, assumed: Option<(&'static str, u64)>) -> Self {
        Self { header, architecture, assumed }
    }

    /// Whether the header has a key. `{arch}` stands for the architecture.
    pub(crate) fn has(&self, pattern: &str) -> bool {
        self.value(pattern).is_some()
    }

    /// The value of a key as a number. 0 if the key is missing, `None` if the value is not a number.
    #[doc(hidden)]
    pub fn number(&self, pattern: &str) -> Option<u64> {
        self.value(pattern).map_or(Some(0), |value| number(&value))
    }

    /// The value of a key for a block. The value is one number for all blocks, or an array with a number for each block.
    pub(crate) fn number_of_block(&self, pattern: &str, block: u64) -> Option<u64> {
        match self.value(pattern)? {
            Value::Array(array) => number(&array.get(block)?),
            value => number(&value),
        }
    }

    /// The value of a key. `None` if the header does not have it.
    #[doc(hidden)]
    pub fn value(&self, pattern: &str) -> Option<Value<'a>> {
        match self.header.get(key_of(pattern, &self.architecture)) {
            Some(entry) => Some(entry.value()),
            None => self.assumed.filter(|(assumed, _)| *assumed == pattern).map(|(_, value)| Value::Uint64(value)),
        }
    }
}

fn number(value: &Value<'_>) -> Option<u64> {
    value.as_u64().or_else(|| value.as_bool().map(u64::from))
}
