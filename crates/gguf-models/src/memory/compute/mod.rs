//! The buffer for intermediate results.
//!
//! llama.cpp builds the graph of a batch (`src/models`, `src/llama-graph.cpp`), and ggml places its results in a buffer
//! (`ggml/src/ggml-alloc.c`). Both are done here with sizes only: the texts in `crates/gguf-models/src/architectures/families` describe the graphs,
//! and an interpreter makes them from the tensors of the file.

// - `graph`: the results, in the order of their computation
// - `placement`: their places, and so the size of the buffer
// - `script`: the interpreter of the table that the build script makes of the texts; `numbers`: what it knows
// - `blocks`: which blocks compute the same, so that they are described once; `periods`: so that they are placed a few times

mod blocks;
mod graph;
mod numbers;
mod periods;
mod placement;
mod script;

use super::caches::Cache;
use super::context::ContextSize;
use super::layers::Layers;
use super::model::{Model, Unknown};
use super::options::MemoryOptions;
use crate::architectures::table_reader::lists::{number, section};
pub(super) use blocks::kinds;
use gguf_declare::result;
use graph::MOST_BYTES;
use periods::place;
use script::Script;

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

    /// Both ranges together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { low: self.low.saturating_add(other.low), high: self.high.saturating_add(other.high) }
    }
}

/// The share of a buffer that the texts may miss, as a divisor: results that they leave out, and other places of small ones.
pub(super) const MARGIN: u64 = 20;

/// The buffers of the devices.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ComputeBuffers {
    /// The buffer of a device that computes layers.
    pub layers: ByteRange,
    /// The buffer of a CPU that only prepares the inputs of layers on a GPU: the embeddings of the tokens, and the mask.
    pub inputs: ByteRange,
}

/// The buffers of the devices.
pub(super) fn compute(
    model: &Model<'_>,
    layers: &Layers,
    kinds: &[u64],
    caches: &[Cache],
    options: &MemoryOptions,
    context: &ContextSize,
) -> Result<ComputeBuffers, Unknown> {
    if model.has_output() {
        // llama.cpp does not load a model without a vocabulary.
        model.token_count()?;
    }
    let mut script = Script::new(model);
    numbers::set_model(&mut script, model, layers, options, context);
    numbers::set_caches(&mut script, model, layers, caches, options);
    script.run(section::START);
    let output = script.output();
    script.graph.end_block(output, None);
    for (block, kind) in kinds.iter().enumerate() {
        let is_last = block + 1 == kinds.len();
        if is_last || !script.graph.repeat_block(*kind) {
            script.set(number::LAST, u64::from(is_last));
            numbers::set_block(&mut script, model, layers, block);
            script.run_block((!is_last).then_some(*kind));
        } else {
            script.take_output();
        }
    }
    script.run(section::FINISH);
    let need = place(&script.graph);
    if need.placed >= MOST_BYTES {
        return Err(Unknown::TooLarge);
    }
    let inputs = &script.graph.inputs;
    let inputs = inputs.iter().map(|id| script.graph.nodes[*id as usize].bytes).sum::<u64>();
    let elements = script.number(number::E).saturating_mul(script.number(number::T));
    let embedding = elements.saturating_mul(4).min(MOST_BYTES);
    Ok(ComputeBuffers {
        layers: ByteRange::new(need.least, need.placed + need.placed / MARGIN),
        inputs: ByteRange::new(inputs, inputs + embedding),
    })
}
