//! The data of new tensors: where it lies in the stored tensors, and how it is computed.

pub(crate) mod content;
pub(crate) mod input;
pub(crate) mod view;
