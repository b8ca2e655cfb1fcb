//! The devices of the layers, as llama.cpp chooses them (`load_tensors` in `src/llama-model.cpp`).

use alloc::{vec, vec::Vec};

use super::options::MemoryOptions;

/// The devices of the layers: the last layers are on the cards. The output is one more layer after them.
#[doc(hidden)]
pub struct Placement {
    /// The device of each layer, and of the output.
    pub of_layers: Vec<usize>,
    /// The CPU, after the cards.
    pub cpu: usize,
}

impl Placement {
    pub fn new(options: &MemoryOptions, layer_count: usize) -> Self {
        let with_output = layer_count + 1;
        let on_cards = options.gpu_layers.map_or(with_output, |count| with_output.min(count as usize));
        let shares = options.cards.numbers();
        let cpu = shares.len();
        let sum = shares.iter().sum::<f32>();
        let mut of_layers = vec![cpu; with_output];
        let (mut card, mut end) = (0, shares[0]);
        for (index, device) in of_layers[with_output - on_cards..].iter_mut().enumerate() {
            // llama.cpp takes the first card whose part of the shares ends behind this part of the layers.
            while card + 1 < cpu && end / sum <= index as f32 / on_cards as f32 {
                card += 1;
                end += shares[card];
            }
            *device = card;
        }
        Self { of_layers, cpu }
    }

    /// The device of the cache and the state of a layer.
    pub fn of_cache(&self, options: &MemoryOptions, layer: u32) -> usize {
        if options.no_cache_offload { self.cpu } else { self.of_layers[layer as usize] }
    }
}
