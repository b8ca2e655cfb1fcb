//! The bytes that are read for each token. They bound the speed of a model that writes one token after another.

use alloc::{vec, vec::Vec};

use super::caches::Cache;
use super::model::{Model, Unknown};
use super::options::MemoryOptions;
use super::placement::Placement;
use super::state::State;
use super::weights::{Bytes, From, Weights};

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

/// The bytes that are read for each token of one sequence whose context is full: on the cards, and on the CPU.
///
/// These are the weights of the layers and of the output, of experts only the used share, the keys and values of one stream, and
/// the state of one sequence. Of the tensors before the first layer, a few rows are read, which are left out.
pub(super) fn bytes_per_token(
    options: &MemoryOptions,
    weights: &Weights,
    caches: &[Cache],
    state: Option<&State>,
    used: UsedExperts,
) -> Vec<u64> {
    let placement = Placement::new(options, weights.layer_bytes.len());
    let mut read = vec![0_u64; placement.cpu + 1];
    let mut add = |device: usize, bytes: u64| read[device] = read[device].saturating_add(bytes);
    weights.place(options, &placement, &mut |from, device, Bytes { others, experts, .. }| {
        if !matches!(from, From::Input | From::NextTokens) {
            add(device, others.saturating_add(used.bytes(experts)));
        }
    });
    for cache in caches {
        for (layer, bytes) in cache.layer_indices.iter().zip(&cache.layer_bytes) {
            add(placement.of_cache(options, *layer), bytes / cache.streams.max(1));
        }
    }
    if let Some(state) = state {
        let of_layer = state.bytes() / (state.layer_indices.len() as u64 * state.cells).max(1);
        state.layer_indices.iter().for_each(|layer| add(placement.of_cache(options, *layer), of_layer));
    }
    read
}

/// The most tokens in a second: one device after the other reads what it needs. `None` if nothing is read, or if the bandwidth of
/// a device that reads something is not known.
pub(super) fn tokens_per_second(bytes_per_token: Option<&[u64]>, bandwidths: &[f64]) -> Option<f64> {
    let mut seconds = 0.0;
    for (device, bytes) in bytes_per_token?.iter().enumerate().filter(|(_, bytes)| **bytes > 0) {
        seconds += *bytes as f64 / bandwidths.get(device).copied().unwrap_or(0.0);
    }
    // Without a bandwidth, the time is endless or NaN.
    Some(1.0 / seconds).filter(|count| count.is_normal())
}
