//! The data of tensors: where it lies in the file, and what its values are.

pub(crate) mod extents;
pub(crate) mod preview;
pub(crate) mod quant;
pub(crate) mod statistics;
