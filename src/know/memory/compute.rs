//! The buffer for intermediate results, as a range.
//!
//! llama.cpp has no formula: it builds the graph of a batch and lets an allocator place the results. The estimate takes the
//! largest of three phases: the output with a vector for each token of the vocabulary, attention, and the feed-forward
//! network. It was fitted to 1,138 settings of 35 models on one CPU device (`corpus/memory`). Other devices differ.

use super::caches::Cache;
use super::context::ContextSize;
use super::model::{Model, Unknown};
use super::options::MemoryOptions;
use crate::declare::result;
use crate::format::ggml_type::GgmlType;
use crate::know::architectures::{Memory, StateForm};

result! {
    /// A range of bytes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[typescript("MemoryRange")]
    pub struct ByteRange {
        /// The least that is expected.
        pub low: u64,
        /// The most that is expected.
        pub high: u64,
    }
}

impl ByteRange {
    /// The range from `low` to `high`.
    pub fn new(low: u64, high: u64) -> Self {
        Self { low, high }
    }
}

/// The measured figures are between these percentages of the estimate. The upper one applies to a bound that is higher than
/// the estimate.
const LOW_PERCENT: u128 = 80;
const HIGH_PERCENT: u128 = 106;

/// The buffers of the devices.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ComputeBuffers {
    /// The buffer of a device that computes layers.
    pub layers: ByteRange,
    /// The buffer of a CPU that only prepares the inputs of layers on a GPU: the embeddings of the tokens, and the mask.
    pub inputs: ByteRange,
}

/// The buffers of the devices. The numbers of elements are those of a micro-batch.
pub(super) fn compute(
    model: &Model<'_>,
    caches: &[Cache],
    options: &MemoryOptions,
    context: &ContextSize,
) -> Result<ComputeBuffers, Unknown> {
    let tokens = u128::from(context.of_sequence.saturating_mul(context.sequences).min(context.micro_batch));
    let width = u128::from(model.embedding_length);
    let has_output = model.has_output();
    let vocabulary = if has_output { u128::from(model.token_count()?) } else { 0 };
    let f32s = |numbers: u128| 4 * tokens * numbers;

    let with_layers = || caches.iter().filter(|cache| !cache.layer_indices.is_empty());
    let all_cells: u128 = with_layers().map(|cache| u128::from(cache.cells)).sum();
    let most_cells = with_layers().map(|cache| u128::from(cache.cells)).max().unwrap_or(0);
    let per_layer =
        u128::from(model.or_zero("{arch}.embedding_length_per_layer_input")?) * u128::from(model.layer_count);

    let attention = f32s(attention_numbers(model) + 5 * width + per_layer);
    let network = f32s(network_numbers(model)? + 5 * width);
    let output = if has_output { f32s(vocabulary + 4 * width) } else { 0 };
    let heads = u128::from(model.layers.iter().map(|layer| layer.heads).max().unwrap_or(0));
    let (mask, expected) = if with_layers().next().is_none() {
        // Without a cache, the tokens of a micro-batch see each other.
        let scores = if options.flash_attention { 0 } else { f32s(tokens * heads) };
        (0, output.max(network).max(scores + attention))
    } else if options.flash_attention {
        // The mask is kept as F32 and as F16.
        let mask = tokens * (4 * all_cells + 2 * most_cells);
        let copy = f16_copy(caches, options);
        let later = 2 * all_cells * tokens + network.max(f32s(attention_numbers(model) + 5 * width));
        (mask, output.max(mask + attention + copy).max(later + copy))
    } else {
        let mask = 4 * all_cells * tokens;
        let scores = f32s(most_cells * heads);
        (mask, output.max(mask + scores + attention).max(mask + network))
    };
    let bound = if has_output { expected.max(f32s(vocabulary + 8 * width + per_layer) + mask) } else { expected };
    let low = expected * LOW_PERCENT / 100;
    let high = (bound * HIGH_PERCENT / 100).min(3 * low);
    // A mask has an element for each token and cell: F16 with flash attention since August 2026, F32 otherwise.
    let seen = if with_layers().next().is_none() { tokens } else { all_cells };
    let least_mask = tokens * seen * if options.flash_attention { 2 } else { 4 };
    let inputs = range(least_mask + f32s(width), 4 * tokens * seen + 2 * f32s(width))?;
    Ok(ComputeBuffers { layers: range(low, high)?, inputs })
}

fn range(low: u128, high: u128) -> Result<ByteRange, Unknown> {
    let bytes = |number: u128| u64::try_from(number).map_err(|_| Unknown::TooLarge);
    Ok(ByteRange { low: bytes(low)?, high: bytes(high)? })
}

/// The numbers of a token that attention computes: queries twice, its result, keys and values.
fn attention_numbers(model: &Model<'_>) -> u128 {
    let [key, value] = [model.head, model.window_head]
        .map(|head| [head.key, head.value])
        .into_iter()
        .reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])])
        .unwrap_or_default()
        .map(u128::from);
    let of_layer = |layer: &super::model::LayerNumbers| {
        let (heads, key_value_heads) = (u128::from(layer.heads), u128::from(layer.key_value_heads));
        2 * heads * key + heads * value + key_value_heads * (key + value)
    };
    model.layers.iter().map(of_layer).max().unwrap_or(0)
}

/// The numbers of a token that the feed-forward network, the experts or a recurrent layer compute.
fn network_numbers(model: &Model<'_>) -> Result<u128, Unknown> {
    let width = u128::from(model.embedding_length);
    let number = |pattern| model.or_zero(pattern).map(u128::from);
    // A gate has as many numbers as what it gates, and so has their product. Encoders such as BERT have no gate.
    let is_gated = model.rule().memory != Memory::Nothing || model.header.tensor("blk.0.ffn_gate.weight").is_some();
    let length = u128::from(model.layers.iter().map(|layer| layer.feed_forward_length).max().unwrap_or(0));
    let dense = if is_gated { 3 * length } else { length };
    let used = number("{arch}.expert_used_count")?;
    let experts = used * (3 * number("{arch}.expert_feed_forward_length")? + width);
    let recurrent = match model.rule().state {
        StateForm::Mamba => {
            let groups = number("{arch}.ssm.group_count")?;
            6 * number("{arch}.ssm.inner_size")? + 4 * groups * number("{arch}.ssm.state_size")?
        }
        StateForm::Rwkv => 12 * width,
        StateForm::ShortConvolution => 6 * width,
        StateForm::DeltaAttention => 12 * u128::from(model.layers[0].heads) * number("{arch}.kda.head_dim")?,
        StateForm::LinearAttention => 0,
    };
    Ok(dense.max(experts).max(recurrent))
}

/// With flash attention, llama.cpp converts an F32 cache to F16, one layer at a time.
fn f16_copy(caches: &[Cache], options: &MemoryOptions) -> u128 {
    let of_cache = |cache: &Cache| {
        let layers = cache.layer_indices.len().max(1) as u128;
        let half =
            |element_type, bytes: u64| if element_type == GgmlType::F32 { u128::from(bytes) / layers / 2 } else { 0 };
        half(options.key_type, cache.key_bytes) + half(options.value_type, cache.value_bytes)
    };
    caches.iter().map(of_cache).max().unwrap_or(0)
}
