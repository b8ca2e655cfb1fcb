//! The caches of keys and values (`llama_kv_cache` and `llama_kv_cache_iswa` of llama.cpp).

use alloc::vec::Vec;

use super::context::ContextSize;
use super::layers::{Kept, Layers};
use super::model::{HeadLengths, Model, Unknown};
use super::options::MemoryOptions;
use crate::architectures::Indexer;
use gguf_declare::{names, result};
use gguf_format::format::ggml_type::GgmlType;

result! {
    /// A cache: the keys and values of some layers.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("MemoryCache")]
    pub struct Cache {
        /// `full`: all tokens. `sliding-window`: those that layers with a window see. `latent`: keys and values in one compressed
        /// vector. `indexer`: keys by which tokens are chosen.
        pub kind: CacheKind,
        /// The layers that have keys and values in the cache.
        pub layer_indices: Vec<u32>,
        /// The number of tokens that each stream holds.
        pub cells: u64,
        /// The number of separate parts: one for all sequences, or one for each.
        pub streams: u64,
        /// The bytes of all keys.
        pub key_bytes: u64,
        /// The bytes of all values.
        pub value_bytes: u64,
        /// The keys and values of each layer, in the order of `layerIndices`.
        pub layer_bytes: Vec<u64>,
    }
}

names! {
    /// What a cache is for.
    pub enum CacheKind {
        /// All tokens of the context.
        Full = "full",
        /// The tokens that layers with a window can see.
        SlidingWindow = "sliding-window",
        /// All tokens of the context, with keys and values in one compressed vector (multi-head latent attention).
        Latent = "latent",
        /// The keys by which an indexer chooses tokens.
        Indexer = "indexer",
    }
}

/// The caches of a model. Empty if it has none.
pub(super) fn caches(
    model: &Model<'_>,
    layers: &Layers,
    options: &MemoryOptions,
    context: &ContextSize,
) -> Result<Vec<Cache>, Unknown> {
    let is_latent = model.is_latent()?;
    let widths =
        Widths { model, is_latent, padded_value: (!options.flash_attention).then(|| widest_value(model, layers)) };
    let full_kind = if is_latent { CacheKind::Latent } else { CacheKind::Full };
    let full_cells = context.of_sequence;
    let mut caches = Vec::new();
    let mut add = |kind, cells, is_kept: &dyn Fn(&Kept) -> bool| -> Result<(), Unknown> {
        let layer_indices = layers.indices(is_kept);
        // A model with windows has both caches, even if one of them has no layers.
        if layer_indices.is_empty() && !(layers.window.is_some() && kind != CacheKind::Indexer) {
            return Ok(());
        }
        let mut cache = Cache {
            kind,
            cells,
            streams: context.streams,
            key_bytes: 0,
            value_bytes: 0,
            layer_bytes: Vec::with_capacity(layer_indices.len()),
            layer_indices,
        };
        for layer in &cache.layer_indices {
            let [keys, values] = widths.of_layer(kind, *layer as usize, &layers.kept[*layer as usize])?;
            let keys = bytes(options.key_type, keys, cells, context.streams)?;
            let values = bytes(options.value_type, values, cells, context.streams)?;
            cache.key_bytes = sum(cache.key_bytes, keys)?;
            cache.value_bytes = sum(cache.value_bytes, values)?;
            cache.layer_bytes.push(sum(keys, values)?);
        }
        caches.push(cache);
        Ok(())
    };
    if layers.kept.iter().any(|kept| kept.attention) {
        add(full_kind, full_cells, &|kept| kept.attention && !kept.has_window)?;
    }
    if let Some(window) = layers.window
        && layers.kept.iter().any(|kept| kept.attention)
    {
        let cells = if options.full_window_cache { full_cells } else { context.window_cells(window) };
        add(CacheKind::SlidingWindow, cells, &|kept| kept.has_window)?;
    }
    add(CacheKind::Indexer, full_cells, &|kept| kept.indexer)?;
    Ok(caches)
}

/// The numbers of elements that a token has in a cache.
struct Widths<'a> {
    model: &'a Model<'a>,
    is_latent: bool,
    /// The width of values if all layers must have the same.
    padded_value: Option<u64>,
}

impl Widths<'_> {
    /// How many keys an indexer keeps for a token. An indexer of pools keeps the key, its gate if it has one, and that of its pool.
    fn rows_of_indexer(&self) -> Result<u64, Unknown> {
        Ok(match self.model.rule().indexer {
            Indexer::ListedOrAll if self.model.or_zero("{arch}.attention.indexer.kpool")? > 0 => 3,
            Indexer::AllButRecurrent if self.model.most("{arch}.attention.compress_ratios")? > 0 => 2,
            _ => 1,
        })
    }

    /// The numbers of elements of a key and of a value in a layer.
    fn of_layer(&self, kind: CacheKind, layer: usize, kept: &Kept) -> Result<[u64; 2], Unknown> {
        let heads = self.model.layers[layer].key_value_heads;
        let head = head_of(self.model, kept);
        if kind == CacheKind::Indexer {
            // An indexer has one head, for its keys and, if it keeps any, for its values.
            let value = if self.model.rule().indexer == Indexer::AfterDense { head.value } else { 0 };
            let key = self.model.required("{arch}.attention.indexer.key_length")?;
            return Ok([key.saturating_mul(self.rows_of_indexer()?), value]);
        }
        let value = if self.is_latent { 0 } else { self.padded_value.unwrap_or(head.value * heads) };
        Ok([head.key * heads, value])
    }
}

fn head_of(model: &Model<'_>, kept: &Kept) -> HeadLengths {
    if kept.has_window { model.window_head } else { model.head }
}

/// The widest value of all layers. Without flash attention, llama.cpp stores values transposed, and pads all of them to the widest value.
pub(super) fn widest_value(model: &Model<'_>, layers: &Layers) -> u64 {
    let value =
        |(numbers, kept): (&super::model::LayerNumbers, &Kept)| head_of(model, kept).value * numbers.key_value_heads;
    model.layers.iter().zip(&layers.kept).map(value).max().unwrap_or(0)
}

/// The bytes of rows of `width` elements, one for each cell of each stream.
pub(super) fn bytes(element_type: GgmlType, width: u64, cells: u64, streams: u64) -> Result<u64, Unknown> {
    let rows = cells.checked_mul(streams).ok_or(Unknown::TooLarge)?;
    let elements = width.checked_mul(rows).ok_or(Unknown::TooLarge)?;
    element_type.byte_length(elements, width).ok_or(Unknown::TooLarge)
}

pub(super) fn sum(a: u64, b: u64) -> Result<u64, Unknown> {
    a.checked_add(b).ok_or(Unknown::TooLarge)
}
