//! The reader of YAML, and what its parts share.

use alloc::string::String;

use serde_json::{Map, Value};

/// The deepest nesting of mappings and sequences.
pub(super) const MOST_DEPTH: usize = 64;

/// What was read, or why it is not.
pub(super) type Read<T> = Result<T, &'static str>;

/// Reads each character once, and looks no farther ahead than the longest key.
pub(super) struct Reader<'a> {
    pub text: &'a str,
    pub at: usize,
    /// Whether a key or a sequence of a block may begin here: only spaces, dashes and question marks stand before it in its line.
    pub may_begin_block: bool,
    /// The mappings and sequences that are being read.
    pub depth: usize,
    /// The values that may still come.
    pub values: usize,
    pub anchors: Map<String, Value>,
}

pub(super) enum Scalar<'a> {
    Plain(String),
    /// In quotes or in a block, so that it is a text.
    Quoted(String),
    /// The name of an anchor.
    Alias(&'a str),
}

/// Whether a byte is a space, the end of a line, or the end.
pub(super) fn is_space(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\n'))
}
