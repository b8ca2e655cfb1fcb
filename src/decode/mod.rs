//! Decodes a header whose bytes arrive in pieces of any size, and predicts how long the header will be.

pub(crate) mod decoder;
mod predict;
