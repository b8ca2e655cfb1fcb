//! The parts of an estimate on the GPU and on the CPU, as llama.cpp places them (`load_tensors` in `src/llama-model.cpp`).

use super::caches::Cache;
use super::compute::{ByteRange, ComputeBuffers};
use super::options::MemoryOptions;
use super::state::State;
use super::weights::Weights;
use crate::declare::{names, result};

result! {
    /// The bytes of each part on one device.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("MemoryDevice")]
    pub struct Device {
        /// Which device it is.
        pub name: DeviceKind,
        /// The bytes of tensors.
        pub weights: u64,
        /// The bytes of keys and values.
        pub cache: u64,
        /// The bytes of recurrent states.
        pub state: u64,
        /// The bytes of the output buffer: the results for the caller.
        pub output: u64,
        /// The bytes of the compute buffer: intermediate results.
        pub compute: ByteRange,
    }
}

names! {
    /// A device that computes layers.
    pub enum DeviceKind {
        /// A graphics processor with its own memory, or with memory that it shares.
        Gpu = "GPU",
        /// The main processor and its memory.
        Cpu = "CPU",
    }
}

impl Device {
    /// The parts of another file on a device.
    pub fn new(name: DeviceKind, weights: u64, cache: u64, state: u64, output: u64, compute: ByteRange) -> Self {
        Self { name, weights, cache, state, output, compute }
    }

    fn empty(name: DeviceKind) -> Self {
        Self { name, weights: 0, cache: 0, state: 0, output: 0, compute: ByteRange::default() }
    }

    /// All parts, with the least and the most that is expected for the compute buffer.
    pub fn total(&self) -> ByteRange {
        let [weights, cache, state, output] = [self.weights, self.cache, self.state, self.output];
        let fixed = [cache, state, output].into_iter().fold(weights, u64::saturating_add);
        ByteRange { low: fixed.saturating_add(self.compute.low), high: fixed.saturating_add(self.compute.high) }
    }

    /// Adds the parts of another file.
    pub(super) fn add(&mut self, other: &Self) {
        self.weights = self.weights.saturating_add(other.weights);
        self.cache = self.cache.saturating_add(other.cache);
        self.state = self.state.saturating_add(other.state);
        self.output = self.output.saturating_add(other.output);
        self.compute.low = self.compute.low.saturating_add(other.compute.low);
        self.compute.high = self.compute.high.saturating_add(other.compute.high);
    }
}

/// The GPU and the CPU, in this order. Parts that are not known are left out.
pub(super) fn devices(
    options: &MemoryOptions,
    weights: &Weights,
    caches: &[Cache],
    state: Option<&State>,
    output: u64,
    compute: ComputeBuffers,
) -> [Device; 2] {
    let placement = Placement::new(options, weights.layer_bytes.len());
    let (mut gpu, mut cpu) = (Device::empty(DeviceKind::Gpu), Device::empty(DeviceKind::Cpu));
    cpu.weights = weights.input;
    let mut cpu_computes = placement.uses_cpu();
    for layer in 0..weights.layer_bytes.len() {
        if placement.is_on_gpu(layer) {
            let [on_gpu, on_cpu] = weights.split_layer(layer, options);
            gpu.weights = gpu.weights.saturating_add(on_gpu);
            cpu.weights = cpu.weights.saturating_add(on_cpu);
            cpu_computes |= on_cpu > 0;
        } else {
            cpu.weights = cpu.weights.saturating_add(weights.layer_bytes[layer]);
        }
    }
    if placement.output_is_on_gpu {
        gpu.weights = gpu.weights.saturating_add(weights.output).saturating_add(weights.tied_output);
    } else {
        cpu.weights = cpu.weights.saturating_add(weights.output);
    }
    for cache in caches {
        for (layer, bytes) in cache.layer_indices.iter().zip(&cache.layer_bytes) {
            let device = if placement.is_on_gpu(*layer as usize) { &mut gpu } else { &mut cpu };
            device.cache = device.cache.saturating_add(*bytes);
        }
    }
    if let Some(state) = state {
        let of_layer = state.bytes() / state.layer_indices.len().max(1) as u64;
        for layer in &state.layer_indices {
            let device = if placement.is_on_gpu(*layer as usize) { &mut gpu } else { &mut cpu };
            device.state = device.state.saturating_add(of_layer);
        }
    }
    // The caller reads the results, so they are in the memory of the CPU.
    cpu.output = output;
    if placement.uses_gpu() {
        gpu.compute = compute.layers;
    }
    cpu.compute = if cpu_computes { compute.layers } else { compute.inputs };
    [gpu, cpu]
}

/// Which layers are on the GPU: the last ones. The output is one more layer after them.
pub(super) struct Placement {
    layer_count: usize,
    first_on_gpu: usize,
    pub output_is_on_gpu: bool,
}

impl Placement {
    pub fn new(options: &MemoryOptions, layer_count: usize) -> Self {
        let with_output = layer_count + 1;
        let on_gpu = options.gpu_layers.map_or(with_output, |count| with_output.min(count as usize));
        Self { layer_count, first_on_gpu: with_output - on_gpu, output_is_on_gpu: on_gpu > 0 }
    }

    pub fn is_on_gpu(&self, layer: usize) -> bool {
        layer >= self.first_on_gpu
    }

    fn uses_gpu(&self) -> bool {
        self.output_is_on_gpu
    }

    fn uses_cpu(&self) -> bool {
        self.first_on_gpu > 0 && self.layer_count > 0 || !self.output_is_on_gpu
    }
}
