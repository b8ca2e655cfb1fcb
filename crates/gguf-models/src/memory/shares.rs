//! The shares of cards in the layers.

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
    /// The shares of cards. `None` if there are no cards or more than 16, if a number is negative or not finite, or if all are 0.
    pub fn new(shares: &[f64]) -> Option<Self> {
        let mut numbers = [0.0; MOST_CARDS];
        let mut sum = 0.0;
        for (number, share) in numbers.iter_mut().zip(shares) {
            *number = *share as f32;
            sum += if *number >= 0.0 { *number } else { f32::NAN };
        }
        let is_usable = shares.len() <= MOST_CARDS && sum > 0.0 && sum.is_finite();
        is_usable.then_some(Self { count: shares.len(), numbers })
    }

    /// The share of each card.
    pub fn numbers(&self) -> &[f32] {
        &self.numbers[..self.count]
    }

    /// Shares of as many cards, of which the last one has all layers.
    pub(super) fn of_last(count: usize) -> Option<Self> {
        let mut shares = Self { count, numbers: [0.0; MOST_CARDS] };
        *shares.numbers.get_mut(count.checked_sub(1)?)? = 1.0;
        Some(shares)
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
