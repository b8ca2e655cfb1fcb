//! The keys of patterns.

use alloc::vec::Vec;

/// The key of a pattern that can begin with `{arch}`, which stands for the architecture.
///
/// # Examples
///
/// ```
/// assert_eq!(gguf_models::architectures::key_of("{arch}.block_count", b"llama"), b"llama.block_count");
/// ```
pub fn key_of(pattern: &str, architecture: &[u8]) -> Vec<u8> {
    match pattern.strip_prefix("{arch}") {
        Some(rest) => [architecture, rest.as_bytes()].concat(),
        None => pattern.into(),
    }
}
