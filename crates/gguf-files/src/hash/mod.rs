//! Hashes of the data of tensors, as llama.cpp's `gguf-hash` computes them.
//!
//! Examples: [`TensorDataHasher`], [`Hashes`].

mod hasher;
mod read;
mod runs;

#[doc(hidden)]
pub use hasher::UUID_NAMESPACE;
pub use hasher::{
    DataHashTexts, DataHashes, HASH_ALGORITHMS, HashAlgorithm, Hasher, Hashes, TensorDataHasher, TensorHashTexts,
};
pub use read::{FileHashes, HashRequest, HostHasher, hash_file};
