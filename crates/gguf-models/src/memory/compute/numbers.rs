//! The numbers that graphs use besides the keys of the file. `numbers` in `common.family` lists them.

use super::script::Script;
use crate::architectures::Memory;
use crate::architectures::table_reader::lists::number;
use crate::memory::caches::{Cache, CacheKind, widest_value};
use crate::memory::context::ContextSize;
use crate::memory::layers::{Kept, Layers};
use crate::memory::model::Model;
use crate::memory::options::MemoryOptions;
use gguf_format::format::ggml_type::GgmlType;

/// llama.cpp rotates the heads of a quantized cache if their length is a multiple of this number.
const ROTATION: u64 = 64;

/// Sets the numbers of the model and of the context.
///
/// - `T` tokens, `S` sequences and `out` outputs of the batch; `streams` of the caches
/// - `E` the length of the vector of a token; `positions` of a token
/// - `experts` of a block and those that a token uses: `used`
/// - `flash` attention; `mask` the bytes of an element of a mask
/// - `kbytes`, `vbytes` of a block of a cache, and its elements `kblock`, `vblock`; `kf32`, `vf32` whether a cache has F32
pub(super) fn set_model(
    script: &mut Script<'_>,
    model: &Model<'_>,
    layers: &Layers,
    options: &MemoryOptions,
    context: &ContextSize,
) {
    let tokens = context.total.min(context.micro_batch).next_multiple_of(context.sequences);
    let key = |name| model.number_in_block(name, 0);
    script.set(number::T, tokens);
    script.set(number::S, context.sequences);
    script.set(number::OUT, context.total.min(context.micro_batch));
    script.set(number::STREAMS, context.streams);
    script.set(number::E, model.embedding_length);
    script.set(number::POSITIONS, 1);
    script.set(number::LAYERS, model.layer_count - model.next_token_count);
    script.set(number::TOKEN_SHIFTS, model.optional("{arch}.token_shift_count").ok().flatten().unwrap_or(2));
    script.set(number::WINDOWS, u64::from(layers.window.is_some()));
    script.set(number::EXPERTS, key("expert_count"));
    script.set(number::USED, key("expert_used_count"));
    script.set(number::FLASH, u64::from(options.flash_attention));
    script.set(number::MASK, if options.flash_attention { 2 } else { 4 });
    script.set(number::KF32, u64::from(options.key_type == GgmlType::F32));
    script.set(number::VF32, u64::from(options.value_type == GgmlType::F32));
    for (bytes, block, cache_type) in
        [(number::KBYTES, number::KBLOCK, options.key_type), (number::VBYTES, number::VBLOCK, options.value_type)]
    {
        let info = cache_type.info();
        script.set(bytes, info.map_or(2, |info| u64::from(info.type_size)));
        script.set(block, info.map_or(1, |info| u64::from(info.block_size)));
    }
    script.set(number::CACHED, u64::from(model.rule().memory != Memory::Nothing));
}

/// Sets the numbers of the caches: the `cells` of all layers, and `wcells` of layers with a window.
pub(super) fn set_caches(
    script: &mut Script<'_>,
    model: &Model<'_>,
    layers: &Layers,
    caches: &[Cache],
    options: &MemoryOptions,
) {
    let tokens = script.number(number::T);
    let cells = |kind| caches.iter().find(|cache| cache.kind == kind).map(|cache| cache.cells);
    script.set(number::CELLS, cells(CacheKind::Full).or(cells(CacheKind::Latent)).unwrap_or(tokens));
    script.set(number::WCELLS, cells(CacheKind::SlidingWindow).unwrap_or(tokens));
    let widest = widest_value(model, layers);
    script.set(number::VROWS, if options.flash_attention { 1 } else { widest });
    for (window, key, value) in [(false, number::KROT, number::VROT), (true, number::WKROT, number::WVROT)] {
        let of_cache = |kept: &&Kept| kept.attention && kept.has_window == window;
        let is_used = layers.kept.iter().any(|kept| of_cache(&kept));
        let head = if window { model.window_head } else { model.head };
        let rotates = |cache_type: GgmlType, length: u64| {
            is_used
                && cache_type.info().is_some_and(|info| info.block_size > 1)
                && length > 0
                && length.is_multiple_of(ROTATION)
        };
        let mut rotation = ROTATION;
        while head.key.is_multiple_of(2 * rotation) && head.key > 0 {
            rotation *= 2;
        }
        script.set(key, if rotates(options.key_type, head.key) { rotation } else { 0 });
        script.set(value, if rotates(options.value_type, head.value) { ROTATION } else { 0 });
    }
}

/// Sets the numbers of a block: `heads`, `kv` heads, the length of a `key` and a `value` in a head, `window`, and whether
/// keys and values are rotated before they are stored.
pub(super) fn set_block(script: &mut Script<'_>, model: &Model<'_>, layers: &Layers, block: usize) {
    script.enter_block(block);
    let (numbers, kept) = (&model.layers[block], &layers.kept[block]);
    let head = if kept.sees_window { model.window_head } else { model.head };
    script.set(number::HEADS, numbers.heads);
    script.set(number::KV, numbers.key_value_heads);
    script.set(number::KEY, head.key);
    script.set(number::VALUE, head.value);
    script.set(number::OWN, u64::from(kept.attention));
    script.set(number::WINDOW, u64::from(kept.sees_window));
    let cells = script.number(if kept.sees_window { number::WCELLS } else { number::CELLS });
    script.set(number::CELLS_HERE, cells);
    let rotations = if kept.sees_window { [number::WKROT, number::WVROT] } else { [number::KROT, number::VROT] };
    let [key, value] = rotations.map(|name| script.number(name));
    script.set(number::KROTATED, key);
    script.set(number::VROTATED, value);
    let width = numbers.key_value_heads.saturating_mul(head.value);
    let rows = script.number(number::VROWS);
    script.set(number::VPAD, u64::from(width < rows));
    script.set(number::RECURRENT, u64::from(kept.state));
}
