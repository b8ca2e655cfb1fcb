//! What an estimate is made for: the settings with which llama.cpp would load the model.

use super::refusal::MemoryRefusal;
use crate::format::ggml_type::GgmlType;

/// The settings of an estimate. The defaults are those of llama.cpp's library, but with flash attention and without full
/// caches for layers with a window, as its programs have it.
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

/// The most cards (`GGML_CUDA_MAX_DEVICES`).
const MOST_CARDS: usize = 16;

/// The shares of several cards in the layers that are on them: `--tensor-split` of llama.cpp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    count: usize,
    // llama.cpp computes with 32 bits.
    numbers: [f32; MOST_CARDS],
}

impl Shares {
    /// The shares of cards.
    ///
    /// # Errors
    ///
    /// There are no cards or more than 16, a number is negative or not finite, or all are 0.
    pub fn new(shares: &[f64]) -> Result<Self, MemoryRefusal> {
        let mut numbers = [0.0; MOST_CARDS];
        let mut sum = 0.0;
        for (number, share) in numbers.iter_mut().zip(shares) {
            *number = *share as f32;
            sum += if *number >= 0.0 { *number } else { f32::NAN };
        }
        let is_usable = shares.len() <= MOST_CARDS && sum > 0.0 && sum.is_finite();
        if is_usable { Ok(Self { count: shares.len(), numbers }) } else { Err(MemoryRefusal::TensorSplit) }
    }

    /// The share of each card.
    pub fn numbers(&self) -> &[f32] {
        &self.numbers[..self.count]
    }

    /// Shares of as many cards, of which the last one has all layers.
    pub(super) fn of_last(count: usize) -> Result<Self, MemoryRefusal> {
        let mut shares = Self { count, numbers: [0.0; MOST_CARDS] };
        let last = count.checked_sub(1).and_then(|last| shares.numbers.get_mut(last));
        *last.ok_or(MemoryRefusal::TensorSplit)? = 1.0;
        Ok(shares)
    }

    /// The share of a card, which exists.
    pub(super) fn of(&mut self, card: usize) -> &mut f32 {
        &mut self.numbers[card]
    }
}

impl Default for Shares {
    fn default() -> Self {
        let mut numbers = [0.0; MOST_CARDS];
        numbers[0] = 1.0;
        Self { count: 1, numbers }
    }
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
