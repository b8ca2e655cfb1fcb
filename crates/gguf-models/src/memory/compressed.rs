//! The caches and states of DeepSeek-V4 (`llama_kv_cache_dsv4` of llama.cpp): keys of a window in every layer, and keys of several
//! tokens in one. Values are parts of the keys. Each sequence has its own part, even if sequences share other caches.

use alloc::vec::Vec;

use super::caches::{Cache, CacheKind, bytes, sum};
use super::context::{ContextSize, padded};
use super::model::{Model, Unknown};
use super::options::MemoryOptions;
use super::state::State;

/// The numbers of tokens whose keys become one key.
const RATIOS: [u64; 2] = [4, 128];

/// llama.cpp keeps states as F32.
const BYTES_OF_NUMBER: u64 = 4;

/// The caches of all layers.
pub(super) fn compressed_caches(
    model: &Model<'_>,
    window: Option<u64>,
    options: &MemoryOptions,
    context: &ContextSize,
) -> Result<Vec<Cache>, Unknown> {
    let own_parts = ContextSize { streams: context.sequences, ..*context };
    let window_cells = match window {
        Some(length) if !options.full_window_cache => {
            padded(length.saturating_add(context.micro_batch).min(context.of_sequence))
        }
        _ => context.of_sequence,
    };
    let width = |layer: u32| model.window_head.key.saturating_mul(model.layers[layer as usize].key_value_heads);
    let indexer = model.required("{arch}.attention.indexer.key_length")?;
    let cells = RATIOS.map(|ratio| padded(context.of_sequence.div_ceil(ratio).max(1)));
    let [fine, coarse] = RATIOS.map(|ratio| layers_of_ratio(model, ratio));
    let add = |kind, layer_indices: Vec<u32>, cells, width: &dyn Fn(u32) -> u64| {
        let of_layer = |layer: &u32| bytes(options.key_type, width(*layer), cells, own_parts.streams);
        let layer_bytes = layer_indices.iter().map(of_layer).collect::<Result<Vec<_>, _>>()?;
        let key_bytes = layer_bytes.iter().try_fold(0, |total, bytes| sum(total, *bytes))?;
        Ok(Cache { kind, layer_indices, cells, streams: own_parts.streams, key_bytes, value_bytes: 0, layer_bytes })
    };
    Ok(Vec::from([
        add(CacheKind::SlidingWindow, (0..model.layer_count as u32).collect(), window_cells, &width)?,
        add(CacheKind::Latent, fine.clone(), cells[0], &width)?,
        add(CacheKind::Latent, coarse, cells[1], &width)?,
        add(CacheKind::Indexer, fine, cells[0], &|_| indexer)?,
    ]))
}

/// The states of the layers with compressed keys: the keys that are not yet one, and their scores.
pub(super) fn compressed_state(model: &Model<'_>, context: &ContextSize) -> Result<Option<State>, Unknown> {
    let indexer = model.required("{arch}.attention.indexer.key_length")?;
    let [fine, coarse] = RATIOS.map(|ratio| layers_of_ratio(model, ratio));
    // Keys of 4 tokens overlap, so 8 tokens of twice the width are kept.
    let of_fine = 2 * RATIOS[0] * 2 * model.window_head.key.saturating_add(indexer);
    let of_coarse = RATIOS[1].saturating_mul(model.window_head.key);
    let numbers =
        of_fine.saturating_mul(fine.len() as u64).saturating_add(of_coarse.saturating_mul(coarse.len() as u64));
    let state_bytes = numbers.checked_mul(2 * BYTES_OF_NUMBER).and_then(|bytes| bytes.checked_mul(context.sequences));
    let mut layer_indices = fine;
    layer_indices.extend(coarse);
    if layer_indices.is_empty() {
        return Ok(None);
    }
    let state_bytes = state_bytes.ok_or(Unknown::TooLarge)?;
    Ok(Some(State { layer_indices, cells: context.sequences, input_bytes: 0, state_bytes }))
}

/// The layers that make one key of this number of tokens.
fn layers_of_ratio(model: &Model<'_>, ratio: u64) -> Vec<u32> {
    let of_layer = |layer: &u32| model.number_in_block("attention.compress_ratios", u64::from(*layer)) == ratio;
    (0..model.layer_count as u32).filter(of_layer).collect()
}
