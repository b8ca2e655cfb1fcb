//! The recurrent state (`llama_memory_recurrent` of llama.cpp): its size does not depend on the context.

use alloc::vec::Vec;

use super::context::ContextSize;
use super::layers::Layers;
use super::model::{Model, Unknown};
use crate::architectures::StateForm;
use gguf_declare::result;

/// llama.cpp keeps states as F32.
const BYTES_OF_NUMBER: u64 = 4;

/// The number of tokens that an RWKV model keeps, unless the file says otherwise.
const RWKV_TOKENS: u64 = 2;

/// The width of the convolution of delta attention, unless the file says otherwise.
const DELTA_KERNEL: u64 = 4;

result! {
    /// The state of recurrent layers. It does not grow with the context.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("MemoryState")]
    pub struct State {
        /// The layers that have a state.
        pub layer_indices: Vec<u32>,
        /// The number of states of a layer: one for each sequence.
        pub cells: u64,
        /// The bytes of the last inputs: of a convolution, or of the shift by one token.
        #[rust]
        pub input_bytes: u64,
        /// The bytes of the state itself.
        #[rust]
        pub state_bytes: u64,
        /// The bytes of all layers.
        fn bytes(&self) -> u64,
    }
}

impl State {
    /// The bytes of all layers.
    pub fn bytes(&self) -> u64 {
        self.input_bytes.saturating_add(self.state_bytes)
    }
}

/// The state of a model. `None` if no layer has one.
pub(super) fn state(model: &Model<'_>, layers: &Layers, context: &ContextSize) -> Result<Option<State>, Unknown> {
    let layer_indices = layers.indices(|kept| kept.state);
    if layer_indices.is_empty() {
        return Ok(None);
    }
    let [inputs, numbers] = numbers_of_layer(model)?;
    let cells = context.sequences;
    let bytes = |numbers: Option<u64>| {
        let of_layers = numbers?.checked_mul(layer_indices.len() as u64)?.checked_mul(cells)?;
        of_layers.checked_mul(BYTES_OF_NUMBER)
    };
    let (input_bytes, state_bytes) = bytes(inputs).zip(bytes(numbers)).ok_or(Unknown::TooLarge)?;
    let words = word_inputs(model)?.checked_mul(cells).and_then(|numbers| numbers.checked_mul(BYTES_OF_NUMBER));
    let input_bytes = words.and_then(|words| words.checked_add(input_bytes)).ok_or(Unknown::TooLarge)?;
    Ok(Some(State { layer_indices, cells, input_bytes, state_bytes }))
}

/// The numbers that the one layer with embeddings of groups of words keeps for a sequence (`ple_conv_state` of llama.cpp).
fn word_inputs(model: &Model<'_>) -> Result<u64, Unknown> {
    if !model.has_array("{arch}.ple.layers") {
        return Ok(0);
    }
    let kernel = model.required("{arch}.ple.conv_kernel")?;
    let streams = model.required("{arch}.hyper_connection.count")?;
    let words = kernel.saturating_sub(1).checked_mul(model.required("{arch}.ple.ngram_size")?);
    words.and_then(|words| words.checked_mul(streams)?.checked_mul(model.embedding_length)).ok_or(Unknown::TooLarge)
}

/// The numbers that a layer keeps for a sequence: of the last inputs, and of the state. `None` if they are too many.
fn numbers_of_layer(model: &Model<'_>) -> Result<[Option<u64>; 2], Unknown> {
    let width = model.embedding_length;
    let heads = model.layers[0].heads;
    let square = |length: u64| length.checked_mul(length);
    Ok(match model.rule().state {
        form @ (StateForm::Mamba | StateForm::FirstMamba) => {
            let kernel = model.required("{arch}.ssm.conv_kernel")?;
            let inner = model.required("{arch}.ssm.inner_size")?;
            let size = model.required("{arch}.ssm.state_size")?;
            // The first version of Mamba has no groups, even if the file has the key.
            let is_first = form == StateForm::FirstMamba;
            let groups = if is_first { 0 } else { model.or_zero("{arch}.ssm.group_count")? };
            let channels = groups.checked_mul(size).and_then(|both| both.checked_mul(2)?.checked_add(inner));
            [channels.and_then(|channels| channels.checked_mul(kernel.saturating_sub(1))), size.checked_mul(inner)]
        }
        StateForm::Rwkv => {
            let tokens = model.optional("{arch}.token_shift_count")?.unwrap_or(RWKV_TOKENS);
            let head_length = model.required("{arch}.wkv.head_size")?;
            [width.checked_mul(tokens), width.checked_mul(head_length)]
        }
        StateForm::ShortConvolution => {
            let kernel = model.required("{arch}.shortconv.l_cache")?;
            [width.checked_mul(kernel.saturating_sub(1)), Some(0)]
        }
        StateForm::DeltaAttention => {
            let length = model.required("{arch}.kda.head_dim")?;
            let kernel = model.optional("{arch}.ssm.conv_kernel")?.filter(|kernel| *kernel > 0);
            let kernel = kernel.unwrap_or(DELTA_KERNEL);
            let inputs = length.checked_mul(heads).and_then(|inner| inner.checked_mul(3)?.checked_mul(kernel - 1));
            [inputs, square(length).and_then(|square| square.checked_mul(heads))]
        }
        StateForm::LinearAttention => [Some(0), square(model.head.key).and_then(|square| square.checked_mul(heads))],
    })
}
