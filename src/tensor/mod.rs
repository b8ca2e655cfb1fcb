//! The data of tensors: its position in the file, previews, statistics and values.

pub(crate) mod blocks;
pub(crate) mod converter;
pub(crate) mod extents;
pub(crate) mod opened_file;
pub(crate) mod preview;
pub(crate) mod quant;
pub(crate) mod read;
pub(crate) mod square_root;
pub(crate) mod statistics;
