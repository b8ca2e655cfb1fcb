//! What is chosen for the memory of a machine, and what it costs.

use alloc::{string::String, string::ToString, vec::Vec};

use super::devices::{Device, add_beside};
use super::per_token::tokens_per_second;
use gguf_declare::{names, result};
use gguf_format::format::ggml_type::GgmlType;

result! {
    /// The best settings for the memory of a machine.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("MemoryFit")]
    pub struct Fit {
        /// Whether any settings fit. Not present if it is not known, and `notes` says why.
        pub fits: Option<bool>,
        /// The best settings for each type of the cache that fits, the best one of all first.
        pub choices: Vec<FitChoice>,
        /// If nothing fits: the bytes that are missing for the shortest context, on both devices together, with the settings that need
        /// the least more.
        pub missing_bytes: Option<u64>,
        /// Why it is not known whether the model fits, and what is not counted: sentences.
        pub notes: Vec<String>,
    }
}

result! {
    /// Settings that fit, and what they cost.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("MemoryChoice")]
    pub struct FitChoice {
        /// The number of layers on the GPU, with one for the output: `--n-gpu-layers` of llama.cpp.
        pub gpu_layers: u32,
        /// Whether all layers are on the GPU, and the output. Experts can still be on the CPU.
        pub all_layers: bool,
        /// The number of layers, from the first one on, whose experts are on the CPU: `--n-cpu-moe` of llama.cpp.
        pub cpu_experts: u32,
        /// The type of the keys: `--cache-type-k`.
        pub key_type: GgmlType,
        /// The type of the values: `--cache-type-v`.
        pub value_type: GgmlType,
        /// What the type of the cache costs.
        pub cache_loss: CacheLoss,
        /// The context of all sequences together, in tokens, before llama.cpp rounds it: `--ctx-size`.
        pub context_length: u64,
        /// The longest context that fits with these types, layers and experts.
        pub longest_context: u64,
        /// With several cards: the numbers of layers on each, or the shares that were given: `--tensor-split`.
        pub tensor_split: Option<Vec<f32>>,
        /// What each device needs: the GPU, or each of several, and the CPU.
        #[typescript("readonly [MemoryDevice, MemoryDevice, ...MemoryDevice[]]")]
        pub devices: Vec<Device>,
        /// All of `devices` as one, for a machine whose GPU and CPU share one memory.
        fn together(&self) -> Device,
        /// The share of the weights of layers and output with which the CPU computes: 0 if everything is on the GPU.
        pub cpu_share: f64,
        /// The bytes that are read for each token when the context is full, in the order of `devices`. Not present if it is not known
        /// how many experts are used.
        #[typescript("readonly [number, number, ...number[]]")]
        pub bytes_per_token: Option<Vec<u64>>,
        /// The most tokens that the model writes in a second when the context is full. Not present if the bandwidth of a device that is
        /// used is not given.
        pub tokens_per_second: Option<f64>,
    }
}

impl FitChoice {
    /// All devices as one, for a machine whose GPU and CPU share one memory.
    pub fn together(&self) -> Device {
        Device::together(&self.devices)
    }
}

impl Fit {
    /// Sets the bounds of the speed for the bandwidths of the devices, as [`MemoryEstimate::set_bandwidths`].
    ///
    /// [`MemoryEstimate::set_bandwidths`]: super::MemoryEstimate::set_bandwidths
    pub fn set_bandwidths(&mut self, bandwidths: &[f64]) {
        for choice in &mut self.choices {
            choice.tokens_per_second = tokens_per_second(choice.bytes_per_token.as_deref(), bandwidths);
        }
    }

    /// Adds the memory of another file that is loaded beside the model to the devices of the choices. Says so if a part of it is not
    /// known, which the search cannot count.
    pub fn add_beside(&mut self, devices: &[Device; 2]) {
        if devices.iter().any(|device| device.total().is_none()) {
            self.notes.push("Parts of a file beside the model are not known. They are not counted.".to_string());
        }
        for choice in &mut self.choices {
            add_beside(&mut choice.devices, devices);
        }
    }
}

names! {
    /// The precision that the type of a cache loses, against F16.
    pub enum CacheLoss {
        /// F16 and F32.
        None = "none",
        /// 8 bits for a number: Q8_0, and BF16, which has 8 of its 16 bits for the digits.
        Small = "small",
        /// 5 bits for a number.
        Medium = "medium",
        /// 4 bits for a number.
        Large = "large",
    }
}

impl CacheLoss {
    pub(super) fn of(cache_type: GgmlType) -> Self {
        match cache_type {
            GgmlType::F32 | GgmlType::F16 => Self::None,
            GgmlType::BF16 | GgmlType::Q8_0 => Self::Small,
            GgmlType::Q5_0 | GgmlType::Q5_1 => Self::Medium,
            _ => Self::Large,
        }
    }
}
