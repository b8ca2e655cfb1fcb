//! Checks of a complete model: whether its keys and tensors are those that llama.cpp needs to load it.
//!
//! An adapter, a vocabulary, a shard and the like lack most of them by design, so they are not checked. The first shard of a
//! model has the keys of the whole model, so these are. The facts are those of llama.cpp's loader (`src/llama-model.cpp`,
//! `src/llama-model-loader.cpp` and `src/models`, August 2026).
//!
//! - `architecture`: the name of the architecture
//! - `embedding_length`: the embedding length that the tensors have
//! - `requirements`: the keys and tensors that the architecture requires
//! - `blocks`: the number of blocks
//! - `hyperparameters`: numbers of heads and experts that do not fit each other
//! - `shapes`: the dimensions of tensors
//! - `unknown_tensors`: tensors that llama.cpp does not look for

mod architecture;
mod blocks;
mod embedding_length;
mod hyperparameters;
mod requirements;
mod shapes;
mod unknown_tensors;

use alloc::{borrow::Cow, vec::Vec};

use super::findings::Findings;
use crate::format::header::{Header, MetadataKv};
use crate::format::value::Value;
use crate::know::architectures::{ArchitectureInfo, Exception, architecture_info};
use crate::know::file_kinds::FileKind;
use crate::know::kind::classify;

const EMBEDDING_LENGTH: &str = "{arch}.embedding_length";

/// A complete model, or the first shard of one.
#[derive(Clone)]
pub(super) struct Model<'a> {
    header: &'a Header,
    /// The entry `general.architecture`.
    architecture_entry: MetadataKv<'a>,
    /// The value of that entry.
    architecture: Cow<'a, [u8]>,
    /// The row of the architecture. `None` if it is not known.
    info: Option<&'static ArchitectureInfo>,
    /// A key that the file does not have, and the value that it would have.
    assumed: Option<(&'static str, u64)>,
    /// The embedding length of the tensors, if the entry has another one.
    embedding_length: Option<u64>,
}

pub(super) fn check(header: &Header, findings: &mut Findings) {
    if !header.is_complete() {
        return;
    }
    let Some(mut model) = Model::of(header) else { return };
    let classification = classify(header);
    match (classification.kind, classification.shard) {
        (_, Some(shard)) if shard.number == Some(1) && shard.set_kind.is_complete_model() => {
            requirements::check_first_shard(&model, findings);
        }
        (FileKind::Unknown, None) => architecture::check_unknown_kind(&model, findings),
        (kind, None) if kind.is_complete_model() => {
            architecture::check(&model, findings);
            model.embedding_length = embedding_length::check(&model, findings);
            model.check(findings);
            unknown_tensors::check(&model, findings);
        }
        _ => {}
    }
}

impl<'a> Model<'a> {
    fn check(&self, findings: &mut Findings) {
        requirements::check(self, findings);
        blocks::check(self, findings);
        hyperparameters::check(self, findings);
        shapes::check(self, findings);
    }

    /// The model that a header describes. `None` if it does not name an architecture.
    fn of(header: &'a Header) -> Option<Self> {
        let architecture_entry = header.get("general.architecture")?;
        let Value::String(architecture) = architecture_entry.value() else { return None };
        let architecture = architecture.to_bytes();
        let info = architecture_info(&architecture);
        Some(Self { header, architecture_entry, architecture, info, assumed: None, embedding_length: None })
    }

    /// The key of a pattern, in which `{arch}` stands for the architecture.
    fn key(&self, pattern: &str) -> Vec<u8> {
        match pattern.strip_prefix("{arch}") {
            Some(rest) => [&self.architecture, rest.as_bytes()].concat(),
            None => pattern.into(),
        }
    }

    /// The entry of a pattern.
    fn entry(&self, pattern: &str) -> Option<MetadataKv<'a>> {
        self.header.get(self.key(pattern))
    }

    /// The value of a key as a number. `None` if the key is missing or the value is not one number.
    fn number(&self, pattern: &str) -> Option<u64> {
        if let Some(length) = self.embedding_length.filter(|_| pattern == EMBEDDING_LENGTH) {
            return Some(length);
        }
        match self.entry(pattern) {
            Some(entry) => entry.value().as_u64(),
            None => self.assumed.filter(|(assumed, _)| *assumed == pattern).map(|(_, value)| value),
        }
    }

    /// The value of a key for a block: one number for all blocks, or an element of an array.
    fn number_of_block(&self, pattern: &str, block: u64) -> Option<u64> {
        match self.entry(pattern).map(|entry| entry.value()) {
            Some(Value::Array(array)) => array.get(block)?.as_u64(),
            _ => self.number(pattern),
        }
    }

    /// A dimension of a tensor.
    fn dimension(&self, name: &str, index: usize) -> Option<u64> {
        self.header.tensor(name)?.dimensions().nth(index)
    }

    /// Whether llama.cpp treats the architecture differently from others in this point.
    fn has(&self, exception: Exception) -> bool {
        self.info.is_some_and(|info| info.has(exception))
    }
}
