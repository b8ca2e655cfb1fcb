//! Hashes of tensor data, and manifests of them.

pub(crate) mod hash;
pub(crate) mod manifest;
