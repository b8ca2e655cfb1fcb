//! What an estimate is made for: the settings with which llama.cpp would load the model.

use super::shares::Shares;
use gguf_format::format::ggml_type::GgmlType;

/// The settings of an estimate. The defaults come from llama.cpp's library, with two exceptions that its programs make: flash
/// attention is on, and layers with a window have no full cache.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MemoryOptions {
    /// The context in tokens, of all sequences together. `None`: the length that the model was trained for.
    pub context_length: Option<u64>,
    /// The number of sequences that are computed side by side, such as conversations.
    pub sequences: u32,
    /// Whether the sequences share one cache.
    pub unified: bool,
    /// The most tokens of one call.
    pub batch: u32,
    /// The most tokens that are computed at once.
    pub micro_batch: u32,
    /// Whether attention is computed without storing its scores.
    pub flash_attention: bool,
    /// The type of the keys in the cache.
    pub key_type: GgmlType,
    /// The type of the values in the cache.
    pub value_type: GgmlType,
    /// Whether layers with a window have a cache for the whole context.
    pub full_window_cache: bool,
    /// The number of layers on the GPU, the last ones first. The output counts as one more. `None`: all.
    pub gpu_layers: Option<u32>,
    /// The number of layers, from the first one on, whose experts stay on the CPU.
    pub cpu_experts: u32,
    /// The shares of the layers on each card. One card by default.
    pub cards: Shares,
    /// Whether the cache stays on the CPU.
    pub no_cache_offload: bool,
}

/// A tensor that is on another device than its layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorOverride {
    /// The index of the tensor in the file.
    pub tensor: usize,
    /// The number of the card. `None`: the CPU.
    pub card: Option<u32>,
}

impl MemoryOptions {
    /// These settings for another context.
    #[inline(never)]
    pub(super) fn with_context(&self, tokens: u64) -> Self {
        Self { context_length: Some(tokens), ..*self }
    }

    /// The settings of a model that drafts tokens for one with these settings, as llama-server loads it: with the same context, but all of
    /// its layers on the first card, and a cache of F16.
    pub fn of_draft(&self) -> Self {
        let Self { key_type, value_type, gpu_layers, cpu_experts, cards, .. } = Self::default();
        Self { key_type, value_type, gpu_layers, cpu_experts, cards, ..*self }
    }
}

impl Default for MemoryOptions {
    fn default() -> Self {
        Self {
            context_length: None,
            sequences: 1,
            unified: false,
            batch: 2048,
            micro_batch: 512,
            flash_attention: true,
            key_type: GgmlType::F16,
            value_type: GgmlType::F16,
            full_window_cache: false,
            gpu_layers: None,
            cpu_experts: 0,
            cards: Shares::default(),
            no_cache_offload: false,
        }
    }
}
