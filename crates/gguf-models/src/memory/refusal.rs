//! The settings that llama.cpp refuses.

use core::fmt;

use super::context::ContextSize;
use super::layers::Layers;
use super::model::Model;
use super::options::{MemoryOptions, TensorOverride};
use crate::architectures::Memory;
use gguf_format::format::ggml_type::GgmlType;

/// Why llama.cpp would not load a model with these settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryRefusal {
    /// Values of a quantized type need flash attention.
    QuantizedValues,
    /// A cache cannot have this type.
    CacheType(GgmlType),
    /// The rows of a cache are not made of whole blocks of this type.
    BlockSize(GgmlType),
    /// Keys and values are one compressed vector, so they cannot have different types.
    DifferentTypes,
    /// There are no sequences, more than 256, or no tokens in a batch.
    Counts,
    /// A batch has fewer tokens than there are sequences. llama.cpp stops: each sequence needs a place for its output.
    Batch,
    /// The shares of the cards are no numbers from 0 on, all are 0, they are too many, or not one for each card.
    TensorSplit,
    /// A tensor is on a card with this number, which is not there.
    Card(u32),
    /// The context is longer than 4,294,967,295 tokens once it is rounded.
    ContextLength,
}

impl fmt::Display for MemoryRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::QuantizedValues => f.write_str(
                "llama.cpp refuses values of a quantized type without flash attention. Use flash attention, or F16 values.",
            ),
            Self::CacheType(given) => {
                write!(f, "the type of a cache is {given}, expected one of")?;
                CACHE_TYPES.iter().try_for_each(|known| write!(f, " {known}"))?;
                f.write_str(".")
            }
            Self::BlockSize(given) => write!(
                f,
                "llama.cpp refuses a cache of type {given}, because the length of a head is no multiple of its block size. \
                 Use F16."
            ),
            Self::DifferentTypes => f.write_str(
                "llama.cpp refuses different types of keys and values: this model keeps both in one vector. Use the same type.",
            ),
            Self::Counts => f.write_str(
                "the number of sequences must be 1 to 256, and batches and micro-batches must have 1 token at least.",
            ),
            Self::Batch => f.write_str(
                "llama.cpp stops if a batch, or the whole context, has fewer tokens than there are sequences. Use fewer sequences, \
                 a larger batch or a longer context.",
            ),
            Self::TensorSplit => {
                f.write_str("the shares must be numbers from 0 on, one for each card, not all 0, and at most 16.")
            }
            Self::Card(card) => {
                write!(f, "a tensor is put on card {card}, which is not there: cards are counted from 0, and each has a share.")
            }
            Self::ContextLength => f.write_str("the context is too long: llama.cpp counts its tokens in 32 bits."),
        }
    }
}

impl core::error::Error for MemoryRefusal {}

/// The types that the programs of llama.cpp accept for a cache.
const CACHE_TYPES: &[GgmlType] = &[
    GgmlType::F32,
    GgmlType::F16,
    GgmlType::BF16,
    GgmlType::Q8_0,
    GgmlType::Q4_0,
    GgmlType::Q4_1,
    GgmlType::IQ4_NL,
    GgmlType::Q5_0,
    GgmlType::Q5_1,
];

/// The most sequences of a context (`LLAMA_MAX_SEQ`).
const MOST_SEQUENCES: u32 = 256;

/// Checks what does not depend on the model.
pub(super) fn check_options(options: &MemoryOptions) -> Result<(), MemoryRefusal> {
    for cache_type in [options.key_type, options.value_type] {
        if !CACHE_TYPES.contains(&cache_type) {
            return Err(MemoryRefusal::CacheType(cache_type));
        }
    }
    if !(1..=MOST_SEQUENCES).contains(&options.sequences) || options.batch == 0 || options.micro_batch == 0 {
        return Err(MemoryRefusal::Counts);
    }
    if options.batch < options.sequences {
        return Err(MemoryRefusal::Batch);
    }
    // The length of the file is checked with the model. Whether the model is causal changes only the micro-batch.
    if options.context_length.is_some() && !ContextSize::new(options, 0, true).is_countable() {
        return Err(MemoryRefusal::ContextLength);
    }
    Ok(())
}

/// Checks that a batch has a token of each sequence (`llama_context::output_reserve`).
pub(super) fn check_batch(context: &ContextSize) -> Result<(), MemoryRefusal> {
    if context.batch < context.sequences { Err(MemoryRefusal::Batch) } else { Ok(()) }
}

/// Checks that tensors are on cards that are there.
pub(super) fn check_overrides(options: &MemoryOptions, overrides: &[TensorOverride]) -> Result<(), MemoryRefusal> {
    let count = options.cards.numbers().len();
    let missing = overrides.iter().filter_map(|other| other.card).find(|card| *card as usize >= count);
    missing.map_or(Ok(()), |card| Err(MemoryRefusal::Card(card)))
}

/// Checks that values of a quantized type are not transposed.
pub(super) fn check_values(options: &MemoryOptions) -> Result<(), MemoryRefusal> {
    if !options.flash_attention && is_quantized(options.value_type) {
        return Err(MemoryRefusal::QuantizedValues);
    }
    Ok(())
}

/// Whether elements of a type share a scale.
fn is_quantized(cache_type: GgmlType) -> bool {
    cache_type.info().is_some_and(|info| info.block_size > 1)
}

/// Checks what llama.cpp checks when it creates a context (`llama_init_from_model`).
pub(super) fn check_cache_types(
    model: &Model<'_>,
    layers: Option<&Layers>,
    options: &MemoryOptions,
) -> Result<(), MemoryRefusal> {
    let is_one_vector = model.is_latent().unwrap_or(false) || model.rule().memory == Memory::Compressed;
    if is_one_vector && options.key_type != options.value_type {
        return Err(MemoryRefusal::DifferentTypes);
    }
    // An architecture can lack flash attention.
    check_values(options)?;
    if !options.flash_attention {
        return Ok(());
    }
    let has_window = layers.is_some_and(|layers| layers.kept.iter().any(|kept| kept.has_window));
    let heads = [Some(model.head), has_window.then_some(model.window_head)];
    for head in heads.into_iter().flatten() {
        for (cache_type, length) in [(options.key_type, head.key), (options.value_type, head.value)] {
            if is_quantized(cache_type)
                && cache_type.info().is_some_and(|info| length % u64::from(info.block_size) != 0)
            {
                return Err(MemoryRefusal::BlockSize(cache_type));
            }
        }
    }
    Ok(())
}
