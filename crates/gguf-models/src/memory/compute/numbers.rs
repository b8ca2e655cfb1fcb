//! The numbers that the texts use besides the keys of the file.

use super::script::Script;
use crate::architectures::Memory;
use crate::memory::caches::{Cache, CacheKind, widest_value};
use crate::memory::context::ContextSize;
use crate::memory::layers::{Kept, Layers};
use crate::memory::model::Model;
use crate::memory::options::MemoryOptions;
use gguf_format::format::ggml_type::GgmlType;

/// llama.cpp rotates the heads of a quantised cache if their length is a multiple of this number.
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
    let number = |name| model.number_in_block(name, 0);
    script.set("T", tokens);
    script.set("S", context.sequences);
    script.set("out", context.total.min(context.micro_batch));
    script.set("streams", context.streams);
    script.set("E", model.embedding_length);
    script.set("positions", 1);
    script.set("layers", model.layer_count - model.next_token_count);
    script.set("token_shifts", model.optional("{arch}.token_shift_count").ok().flatten().unwrap_or(2));
    script.set("windows", u64::from(layers.window.is_some()));
    script.set("experts", number("expert_count"));
    script.set("used", number("expert_used_count"));
    script.set("flash", u64::from(options.flash_attention));
    script.set("mask", if options.flash_attention { 2 } else { 4 });
    script.set("kf32", u64::from(options.key_type == GgmlType::F32));
    script.set("vf32", u64::from(options.value_type == GgmlType::F32));
    for (bytes, block, cache_type) in [("kbytes", "kblock", options.key_type), ("vbytes", "vblock", options.value_type)]
    {
        let info = cache_type.info();
        script.set(bytes, info.map_or(2, |info| u64::from(info.type_size)));
        script.set(block, info.map_or(1, |info| u64::from(info.block_size)));
    }
    script.set("cached", u64::from(model.rule().memory != Memory::Nothing));
}

/// Sets the numbers of the caches: the `cells` of all layers, and `wcells` of layers with a window.
pub(super) fn set_caches(
    script: &mut Script<'_>,
    model: &Model<'_>,
    layers: &Layers,
    caches: &[Cache],
    options: &MemoryOptions,
) {
    let tokens = script.number("T");
    let cells = |kind| caches.iter().find(|cache| cache.kind == kind).map(|cache| cache.cells);
    script.set("cells", cells(CacheKind::Full).or(cells(CacheKind::Latent)).unwrap_or(tokens));
    script.set("wcells", cells(CacheKind::SlidingWindow).unwrap_or(tokens));
    let widest = widest_value(model, layers);
    script.set("vrows", if options.flash_attention { 1 } else { widest });
    for (window, key, value) in [(false, "krot", "vrot"), (true, "wkrot", "wvrot")] {
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
    script.set("heads", numbers.heads);
    script.set("kv", numbers.key_value_heads);
    script.set("key", head.key);
    script.set("value", head.value);
    script.set("own", u64::from(kept.attention));
    script.set("window", u64::from(kept.sees_window));
    let cells = script.number(if kept.sees_window { "wcells" } else { "cells" });
    script.set("cells_here", cells);
    let rotations = if kept.sees_window { ["wkrot", "wvrot"] } else { ["krot", "vrot"] };
    let [key, value] = rotations.map(|name| script.number(name));
    script.set("krotated", key);
    script.set("vrotated", value);
    let width = numbers.key_value_heads.saturating_mul(head.value);
    let rows = script.number("vrows");
    script.set("vpad", u64::from(width < rows));
    script.set("recurrent", u64::from(kept.state));
}
