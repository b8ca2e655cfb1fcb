//! The model that is checked.

use alloc::{borrow::Cow, vec::Vec};

use crate::format::header::{Header, MetadataKv};
use crate::format::value::Value;
use crate::know::architectures::{
    ArchitectureInfo, Exception, MissingRequirement, architecture_info, missing_requirements_of,
};
use crate::validate::findings::Findings;

pub(super) const EMBEDDING_LENGTH: &str = "{arch}.embedding_length";

/// A complete model, or the first shard of one.
#[derive(Clone)]
pub(super) struct Model<'a> {
    pub(super) header: &'a Header,
    /// The entry `general.architecture`.
    pub(super) architecture_entry: MetadataKv<'a>,
    /// The value of that entry.
    pub(super) architecture: Cow<'a, [u8]>,
    /// The row of the architecture. `None` if it is not known.
    pub(super) info: Option<&'static ArchitectureInfo>,
    /// A key that the file does not have, and the value that it would have.
    pub(super) assumed: Option<(&'static str, u64)>,
    /// The embedding length of the tensors, if the entry has another one.
    pub(super) embedding_length: Option<u64>,
    /// The checks of a model, to find out what a fix changes.
    pub(super) checks: fn(&Model<'_>, &mut Findings),
}

impl<'a> Model<'a> {
    /// The model that a header describes. `None` if it does not name an architecture.
    pub(super) fn of(header: &'a Header, checks: fn(&Model<'_>, &mut Findings)) -> Option<Self> {
        let architecture_entry = header.get("general.architecture")?;
        let Value::String(architecture) = architecture_entry.value() else { return None };
        let architecture = architecture.to_bytes();
        let info = architecture_info(&architecture);
        Some(Self { header, architecture_entry, architecture, info, assumed: None, embedding_length: None, checks })
    }

    /// The key of a pattern, in which `{arch}` stands for the architecture.
    pub(super) fn key(&self, pattern: &str) -> Vec<u8> {
        match pattern.strip_prefix("{arch}") {
            Some(rest) => [&self.architecture, rest.as_bytes()].concat(),
            None => pattern.into(),
        }
    }

    /// The entry of a pattern.
    pub(super) fn entry(&self, pattern: &str) -> Option<MetadataKv<'a>> {
        self.header.get(self.key(pattern))
    }

    /// The value of a key as a number. `None` if the key is missing or the value is not one number.
    pub(super) fn number(&self, pattern: &str) -> Option<u64> {
        if let Some(length) = self.embedding_length.filter(|_| pattern == EMBEDDING_LENGTH) {
            return Some(length);
        }
        match self.entry(pattern) {
            Some(entry) => entry.value().as_u64(),
            None => self.assumed.filter(|(assumed, _)| *assumed == pattern).map(|(_, value)| value),
        }
    }

    /// The value of a key for a block: one number for all blocks, or an element of an array.
    pub(super) fn number_of_block(&self, pattern: &str, block: u64) -> Option<u64> {
        match self.entry(pattern).map(|entry| entry.value()) {
            Some(Value::Array(array)) => array.get(block)?.as_u64(),
            _ => self.number(pattern),
        }
    }

    /// A dimension of a tensor.
    pub(super) fn dimension(&self, name: &str, index: usize) -> Option<u64> {
        self.header.tensor(name)?.dimensions().nth(index)
    }

    /// Whether llama.cpp treats the architecture differently from others in this point.
    pub(super) fn has(&self, exception: Exception) -> bool {
        self.info.is_some_and(|info| info.has(exception))
    }

    pub(super) fn missing_requirements(&self) -> Vec<MissingRequirement> {
        missing_requirements_of(self.header, &self.architecture, self.assumed)
    }

    /// Whether this model has errors that another one does not have.
    pub(super) fn causes_more_errors_than(&self, other: &Self) -> bool {
        let count = |model: &Self| {
            let mut findings = Findings::only_counted();
            (self.checks)(model, &mut findings);
            findings
        };
        count(self).has_more_errors_than(&count(other))
    }
}
