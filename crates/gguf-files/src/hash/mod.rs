//! Hashes of the data of tensors, as llama.cpp's `gguf-hash` computes them.
//!
//! The feature `sha` of the crate, which is on by default, has SHA-1 and SHA-256. XXH64 is always there.
//!
//! Examples: [`hash_file`], [`Hasher`].

mod hasher;
mod read;
mod runs;

#[cfg(feature = "sha")]
pub use hasher::TensorDataHasher;
#[doc(hidden)]
pub use hasher::UUID_NAMESPACE;
pub use hasher::{DataHashTexts, DataHashes, HASH_ALGORITHMS, HashAlgorithm, Hasher, Hashes, TensorHashTexts};
pub use read::{FileHashes, HashRequest, HostHasher, WORK_OF_SHA, hash_file};
