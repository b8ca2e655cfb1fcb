//! The data of new tensors: where it lies in the stored tensors, and how it is computed.

pub(crate) mod content;
pub(crate) mod encoding;
pub(crate) mod input;
pub(crate) mod nvfp4;
mod packed;
mod region;
pub(crate) mod view;
