//! The table of architectures. The build script makes the rows of the texts in `families`.

use super::context_rule::{Indexer, Memory, NextTokenLayers, OwnCache, RecurrentLayers, StateForm};
use super::row::{ArchitectureInfo, Exception, row};
use crate::file_kinds::FileKind;

/// Every architecture of llama.cpp (`LLM_ARCH_NAMES`) and of gguf-py (`MODEL_ARCH_NAMES`), October 2026, and of the
/// specification, sorted by name.
pub const ARCHITECTURES: &[ArchitectureInfo] = include!(concat!(env!("OUT_DIR"), "/rows.rs"));

/// The row of an architecture in [`ARCHITECTURES`], if it is known.
pub fn architecture_info(name: &[u8]) -> Option<&'static ArchitectureInfo> {
    let index = ARCHITECTURES.binary_search_by_key(&name, |info| info.name.as_bytes());
    ARCHITECTURES.get(index.ok()?)
}
