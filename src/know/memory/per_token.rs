//! The bytes that are read for each token. They bound the speed of a model that writes one token after another.

use super::caches::Cache;
use super::devices::Placement;
use super::model::{Model, Unknown};
use super::options::MemoryOptions;
use super::state::State;
use super::weights::Weights;

/// The share of a layer's experts that a token uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UsedExperts {
    used: u64,
    count: u64,
}

impl UsedExperts {
    /// All of them, if the file does not state both numbers, or more used experts than there are.
    pub fn of(model: &Model<'_>) -> Result<Self, Unknown> {
        let [used, count] = ["{arch}.expert_used_count", "{arch}.expert_count"].map(|key| model.or_zero(key));
        let (used, count) = (used?, count?);
        Ok(if used == 0 || used > count { Self { used: 1, count: 1 } } else { Self { used, count } })
    }

    fn bytes(self, experts: u64) -> u64 {
        // Both numbers have 32 bits, so nothing overflows.
        experts / self.count * self.used + experts % self.count * self.used / self.count
    }
}

/// The bytes that are read for each token of one sequence whose context is full: on the GPU, and on the CPU.
///
/// These are the weights of the layers and of the output, of experts only the used share, the keys and values of one stream, and
/// the state of one sequence. Of the tensors before the first layer, a few rows are read, which are left out.
pub(super) fn bytes_per_token(
    options: &MemoryOptions,
    weights: &Weights,
    caches: &[Cache],
    state: Option<&State>,
    used: UsedExperts,
) -> [u64; 2] {
    let placement = Placement::new(options, weights.layer_bytes.len());
    let mut read = [0_u64; 2];
    let mut add = |is_on_gpu: bool, bytes: u64| {
        let device = &mut read[usize::from(!is_on_gpu)];
        *device = device.saturating_add(bytes);
    };
    for (layer, bytes) in weights.layer_bytes.iter().enumerate().take(weights.main_layers) {
        let (is_on_gpu, experts) = (placement.is_on_gpu(layer), weights.expert_bytes[layer]);
        add(is_on_gpu, bytes - experts);
        add(is_on_gpu && layer >= options.cpu_experts as usize, used.bytes(experts));
    }
    add(placement.output_is_on_gpu, weights.output.saturating_add(weights.tied_output));
    for cache in caches {
        for (layer, bytes) in cache.layer_indices.iter().zip(&cache.layer_bytes) {
            add(placement.is_on_gpu(*layer as usize), bytes / cache.streams.max(1));
        }
    }
    if let Some(state) = state {
        let of_layer = state.bytes() / (state.layer_indices.len() as u64 * state.cells).max(1);
        state.layer_indices.iter().for_each(|layer| add(placement.is_on_gpu(*layer as usize), of_layer));
    }
    read
}
