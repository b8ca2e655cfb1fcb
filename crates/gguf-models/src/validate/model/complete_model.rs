//! The model that is checked.

use alloc::{borrow::Cow, vec::Vec};

use crate::architectures::rules::Rules;
use crate::architectures::{ArchitectureInfo, Exception, architecture_info, key_of};
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::Value;

/// A complete model, or the first shard of one.
pub(super) struct Model<'a> {
    pub(super) header: &'a Header,
    /// The entry `general.architecture`.
    pub(super) architecture_entry: MetadataKv<'a>,
    /// The value of that entry.
    pub(super) architecture: Cow<'a, [u8]>,
    /// The row of the architecture. `None` if it is not known.
    pub(super) info: Option<&'static ArchitectureInfo>,
    /// The keys that are wrong by their tensors, and the right values, so that no other number is made to fit the wrong one.
    pub(super) corrected: Vec<(&'static str, u64)>,
}

impl<'a> Model<'a> {
    /// The model that a header describes. `None` if it does not name an architecture.
    pub(super) fn of(header: &'a Header) -> Option<Self> {
        let architecture_entry = header.get("general.architecture")?;
        let Value::String(architecture) = architecture_entry.value() else { return None };
        let architecture = architecture.to_bytes();
        let info = architecture_info(&architecture);
        Some(Self { header, architecture_entry, architecture, info, corrected: Vec::new() })
    }

    /// The rules by which llama.cpp loads the model. `None` if it does not.
    pub(super) fn rules(&self) -> Option<Rules> {
        Rules::of(self.info.filter(|info| info.is_loaded)?.name)
    }

    /// The key of a pattern, in which `{arch}` stands for the architecture.
    pub(super) fn key(&self, pattern: &str) -> Vec<u8> {
        key_of(pattern, &self.architecture)
    }

    /// The key of the architecture with this name.
    pub(super) fn key_of(&self, name: &str) -> Vec<u8> {
        [&self.architecture, b".".as_slice(), name.as_bytes()].concat()
    }

    /// The entry of a pattern.
    pub(super) fn entry(&self, pattern: &str) -> Option<MetadataKv<'a>> {
        self.header.get(self.key(pattern))
    }

    /// The value of a key as a number. `None` if the key is missing or the value is not one number.
    #[doc(hidden)]
    pub fn number(&self, pattern: &str) -> Option<u64> {
        let corrected = self.corrected.iter().find(|(name, _)| pattern.strip_prefix("{arch}.") == Some(name));
        match corrected {
            Some((_, value)) => Some(*value),
            None => self.entry(pattern)?.value().as_u64(),
        }
    }

    /// The value of a key for a block: one number for all blocks, or an element of an array.
    pub(super) fn number_of_block(&self, pattern: &str, block: u64) -> Option<u64> {
        match self.entry(pattern)?.value() {
            Value::Array(array) => array.get(block)?.as_u64(),
            value => value.as_u64(),
        }
    }

    /// Whether llama.cpp treats the architecture differently from others in this point.
    pub(super) fn has(&self, exception: Exception) -> bool {
        self.info.is_some_and(|info| info.has(exception))
    }
}
