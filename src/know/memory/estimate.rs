//! The estimate of a model's memory: its parts, on each device, with formulas and notes.

use alloc::{string::String, vec::Vec};

use super::caches::Cache;
use super::compute::ByteRange;
use super::devices::Device;
use super::state::State;
use super::weights::Weights;
use crate::declare::result;

result! {
    /// The memory that llama.cpp would allocate for a model, in bytes. A part that is not known is not present, and `notes` says
    /// why.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct MemoryEstimate {
        /// The value of `general.architecture`. Empty if the file has none.
        pub architecture: String,
        /// The context of all sequences together, in tokens, as llama.cpp rounds it.
        pub context_length: Option<u64>,
        /// The tensors. Not present if the size of one is not known.
        pub weights: Option<Weights>,
        /// The keys and values. Empty if the model keeps none.
        pub caches: Option<Vec<Cache>>,
        /// The recurrent state. Not present if the model has none, or if `caches` is not present.
        pub state: Option<State>,
        /// The output buffer: a number for each token of the vocabulary, for each sequence.
        pub output_bytes: Option<u64>,
        /// The compute buffers of all devices together, for intermediate results: from the most that exists at the same time to the
        /// places that ggml chooses on a CPU, and 5 % more. Other devices differ.
        pub compute: Option<ByteRange>,
        /// The bytes that are read for each token when the context is full: on the GPU, and on the CPU. Not present if the weights,
        /// the caches or the numbers of experts are not known.
        pub bytes_per_token: Option<[u64; 2]>,
        /// The parts on the GPU and on the CPU, in this order. Parts that are not known are missing in them.
        pub devices: [Device; 2],
        /// How each part is computed.
        pub formulas: Vec<Formula>,
        /// What the figures assume, and why parts are not known: sentences.
        pub notes: Vec<String>,
    }
}

result! {
    /// How a part of an estimate is computed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("MemoryFormula")]
    pub struct Formula {
        /// The part: `"Keys of the full cache"`.
        pub part: String,
        /// The computation, in words and numbers.
        pub formula: String,
        /// The result.
        pub bytes: u64,
    }
}

impl MemoryEstimate {
    /// Adds the memory of another file that is loaded beside the model: a projector, or a smaller model that drafts tokens.
    /// `devices` are those of its estimate. Only the devices change.
    pub fn add_beside(&mut self, devices: &[Device; 2]) {
        for (device, other) in self.devices.iter_mut().zip(devices) {
            device.add(other);
        }
    }
}
