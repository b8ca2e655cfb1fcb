//! The blocks that see only the last tokens.

use alloc::vec::Vec;

use super::decode::key_named;
use super::evaluate::Stored;
use super::grammar::Expr;
use super::loading::{Extent, Loading, Problem};
use super::row_rules::Rules;
use crate::architectures::table_reader::lists::definition;
use gguf_format::format::header::Header;

/// The key that says which blocks have a window.
pub(crate) const WINDOW_PATTERN: &str = "attention.sliding_window_pattern";

/// The window of a model.
pub(crate) struct Window {
    /// How many of the last tokens blocks with a window see.
    pub(crate) length: u64,
    /// Whether each block has a window, without those that predict further tokens.
    pub(crate) blocks: Vec<bool>,
    /// Whether the file lacks the key that says which blocks have a window.
    pub(crate) lacks_pattern: bool,
    /// Whether this key has an element for each block.
    pub(crate) is_listed: bool,
}

impl Window {
    /// The window of a model with this number of blocks. `None` without one.
    pub(crate) fn of(header: &Header, architecture: &str, count: u64) -> Option<Self> {
        if !Rules::defines(architecture, definition::WINDOW) {
            return None;
        }
        let rules = Rules::of(architecture)?;
        let mut loading = Loading::run(&rules, header, architecture.as_bytes(), &[], Extent::Keys);
        let is_it = |problem: &Problem| matches!(problem, Problem::MissingKey { name, .. } if *name == WINDOW_PATTERN);
        let lacks_pattern = loading.problems.iter().any(is_it);
        let evaluator = &mut loading.evaluator;
        let length = evaluator.value(&Expr::Definition(definition::WINDOW)).filter(|length| *length > 0)?;
        let mut has_window = |block| {
            let value = evaluator.at(block, |own| own.value(&Expr::Definition(definition::SWA)));
            value.is_some_and(|value| value != 0)
        };
        let blocks = (0..count as i64).map(&mut has_window).collect();
        let is_listed = key_named(WINDOW_PATTERN).is_some_and(|key| matches!(evaluator.values[key], Stored::Many(_)));
        Some(Self { length: length as u64, blocks, lacks_pattern, is_listed })
    }
}
