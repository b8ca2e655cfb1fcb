//! The data of tensors, as opposed to what the header says of them.

pub(crate) mod extents;
