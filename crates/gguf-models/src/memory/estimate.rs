//! The estimate of a model's memory: its parts, on each device, with formulas and notes.

use alloc::{string::String, vec::Vec};

use super::caches::Cache;
use super::compute::ByteRange;
use super::devices::{Device, add_beside};
use super::per_token::tokens_per_second;
use super::state::State;
use super::weights::Weights;
use gguf_declare::result;

result! {
    /// The memory that llama.cpp would allocate for a model, in bytes. A part that is not known is not present, and `notes` says
    /// why.
    #[derive(Clone, Debug, PartialEq)]
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
        /// places that ggml chooses on a CPU, and 5 % more. Other devices differ. A GPU may also copy the largest tensor that is on the
        /// CPU. With several cards, each has a part of the graph: the range is from the results of one layer to the whole graph, with four
        /// copies of the inputs if the cards can compute at once.
        pub compute: Option<ByteRange>,
        /// The bytes that are read for each token when the context is full: on the GPU, and on the CPU, in the order of `devices`. Not
        /// present if the weights, the caches or the numbers of experts are not known.
        #[typescript("readonly [number, number, ...number[]]")]
        pub bytes_per_token: Option<Vec<u64>>,
        /// The most tokens that the model writes in a second when the context is full: each device reads its bytes of a token with its
        /// bandwidth, one after the other. A machine is slower. Not present if the bandwidth of one of them is not given.
        pub tokens_per_second: Option<f64>,
        /// The context of a sequence for which the model was trained, in tokens. Not present if the file does not state it.
        pub trained_context_length: Option<u64>,
        /// The parts on the GPU, or on each of several, and on the CPU, which is the last device.
        #[typescript("readonly [MemoryDevice, MemoryDevice, ...MemoryDevice[]]")]
        pub devices: Vec<Device>,
        /// All of `devices` as one, for a machine whose GPU and CPU share one memory.
        fn together(&self) -> Device,
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
    /// All devices as one, for a machine whose GPU and CPU share one memory.
    pub fn together(&self) -> Device {
        Device::together(&self.devices)
    }

    /// Sets the bound of the speed. `bandwidths` has the bytes that the memory of each device delivers in a second, in the order of the
    /// devices. A bandwidth that is NaN or left out is unknown.
    pub fn set_bandwidths(&mut self, bandwidths: &[f64]) {
        self.tokens_per_second = tokens_per_second(self.bytes_per_token.as_deref(), bandwidths);
    }

    /// Adds the memory of another file that is loaded beside the model: a projector, or a smaller model that drafts tokens. `devices` are
    /// the GPU and the CPU of the other estimate. They are added to the first device and to the CPU of this estimate. An unknown part makes
    /// the sum unknown. Nothing but the devices changes.
    pub fn add_beside(&mut self, devices: &[Device; 2]) {
        add_beside(&mut self.devices, devices);
    }
}
