//! Writing: encoded bytes, checks of keys, names and values, plans of whole files, and new files.

pub(crate) mod checks;
pub mod encode;
pub(crate) mod new_value;
pub(crate) mod plan;
pub(crate) mod planned_chunks;
pub(crate) mod planned_file;
pub(crate) mod writer;
