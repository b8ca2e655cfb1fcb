//! Architectures of which only the names are known.

/// The names that llama.cpp of November 2026 has and b11549 has not, sorted. They stand in the WebAssembly module of the package
/// `@wllama/wllama` 3.13.0, which does not say what they require.
const NEWER_ARCHITECTURES: &[&str] = &[
    "beam",
    "clover_moe",
    "deepseek41",
    "flint",
    "kimi-k31",
    "lfm3",
    "limite",
    "maion-coder",
    "metis16",
    "mistral-large4",
    "muse-spark",
    "sensenova_u1",
    "vllm-decision2",
    "xing4_0",
];

/// Whether only a llama.cpp that is newer than the rules has the architecture.
pub(crate) fn is_newer_architecture(name: &[u8]) -> bool {
    NEWER_ARCHITECTURES.binary_search_by(|known| known.as_bytes().cmp(name)).is_ok()
}
