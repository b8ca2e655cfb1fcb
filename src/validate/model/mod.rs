//! Checks of a complete model: whether its keys and tensors are those that llama.cpp needs to load it.
//!
//! An adapter, a vocabulary, a shard and the like lack most of them by design, so they are not checked. The facts are those
//! of llama.cpp's loader (`src/llama-model.cpp`, `src/llama-model-loader.cpp` and `src/models`, August 2026).
//!
//! - `requirements`: the keys and tensors that the architecture requires
//! - `blocks`: the number of blocks
//! - `hyperparameters`: numbers of heads and experts that do not fit each other
//! - `shapes`: the dimensions of tensors
//! - `unknown_tensors`: names that llama.cpp does not know

mod blocks;
mod hyperparameters;
mod requirements;
mod shapes;
mod unknown_tensors;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::check::Check;
use super::findings::{Findings, Subject};
use super::shown::Shown;
use crate::format::header::{Header, MetadataKv};
use crate::format::value::Value;
use crate::know::architectures::{ArchitectureInfo, architecture_info};
use crate::know::kind::classify;

/// A complete model.
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
}

pub(super) fn check(header: &Header, findings: &mut Findings) {
    let Some(model) = Model::of(header) else { return };
    if model.info.is_none_or(|info| !info.is_in_llama_cpp) {
        let name = Shown(&model.architecture);
        findings.report(
            Check::UnknownArchitecture,
            Some(Subject::Entry(model.architecture_entry.index())),
            Some(model.architecture_entry.value_range().start),
            format_args!(
                "the architecture is {name}, which llama.cpp does not have. What it requires was not checked. \
                 Use the program that the model was made for."
            ),
        );
    }
    model.check(findings);
    unknown_tensors::check(&model, findings);
}

impl<'a> Model<'a> {
    fn check(&self, findings: &mut Findings) {
        requirements::check(self, findings);
        blocks::check(self, findings);
        hyperparameters::check(self, findings);
        shapes::check(self, findings);
    }

    /// The model that a header describes. `None` if the file is no complete model, or if the header is not complete.
    fn of(header: &'a Header) -> Option<Self> {
        if !header.is_complete() || !classify(header).kind.is_complete_model() {
            return None;
        }
        let architecture_entry = header.get("general.architecture")?;
        let Value::String(architecture) = architecture_entry.value() else { return None };
        let architecture = architecture.to_bytes();
        let info = architecture_info(&architecture);
        Some(Self { header, architecture_entry, architecture, info, assumed: None })
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

    /// Whether the architecture is one of these.
    fn is_one_of(&self, architectures: &[&str]) -> bool {
        architectures.iter().any(|name| name.as_bytes() == &*self.architecture)
    }
}
