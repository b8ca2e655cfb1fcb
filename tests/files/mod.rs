//! Hashes of tensor data, and manifests of them; addresses of repositories; experts that become one tensor.

mod hash;
mod join_experts;
mod llama_cpp;
mod manifest;
mod repository_address;

use gguf_files::hash::{DataHashes, HashAlgorithm, TensorDataHasher};

/// The hashes of tensors with the given names and data.
fn hashes_of(algorithms: &[HashAlgorithm], tensors: &[(&str, &[u8])]) -> DataHashes {
    let mut hasher = TensorDataHasher::new(algorithms, true);
    for (name, data) in tensors {
        hasher.update(data);
        hasher.end_tensor((*name).into());
    }
    hasher.finish()
}
