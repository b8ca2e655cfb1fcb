//! The parts of an estimate on each device, as llama.cpp places them (`load_tensors` in `src/llama-model.cpp`).

use alloc::{borrow::Cow, vec, vec::Vec};

use super::caches::Cache;
use super::compute::{ByteRange, ComputeBuffers, MARGIN};
use super::options::MemoryOptions;
use super::placement::Placement;
use super::state::State;
use super::weights::{From, Weights};
use gguf_declare::result;

/// With several cards, ggml can compute on all of them at once, and then has this number of copies of the inputs
/// (`GGML_SCHED_MAX_COPIES`).
const PIPELINE_COPIES: u64 = 4;

result! {
    /// The bytes of each part on one device. A part that is not known is not present.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("MemoryDevice")]
    pub struct Device {
        /// `"GPU"`, or `"GPU 0"`, `"GPU 1"` and so on if there are several cards; `"CPU"` for the main processor and its memory;
        /// `"GPU and CPU"` for all of them together.
        #[typescript("\"GPU\" | `GPU ${number}` | \"CPU\" | \"GPU and CPU\"")]
        pub name: Cow<'static, str>,
        /// The bytes of tensors.
        pub weights: Option<u64>,
        /// The bytes of keys and values.
        pub cache: Option<u64>,
        /// The bytes of recurrent states.
        pub state: Option<u64>,
        /// The bytes of the output buffer: the results for the caller.
        pub output: Option<u64>,
        /// The bytes of the compute buffer: intermediate results.
        pub compute: Option<ByteRange>,
        /// All parts together. Not present if one of them is not known.
        fn total(&self) -> Option<ByteRange>,
        /// The parts that are known together.
        fn known(&self) -> ByteRange,
    }
}

impl Device {
    /// The parts on a device. A part that is not known is `None`.
    pub fn new(name: Cow<'static, str>, parts: [Option<u64>; 4], compute: Option<ByteRange>) -> Self {
        let [weights, cache, state, output] = parts;
        Self { name, weights, cache, state, output, compute }
    }

    fn parts(&self) -> [Option<u64>; 4] {
        [self.weights, self.cache, self.state, self.output]
    }

    /// All parts, with the least and the most that is expected for the compute buffer. `None` if a part is not known.
    pub fn total(&self) -> Option<ByteRange> {
        let is_known = self.compute.is_some() && self.parts().iter().all(Option::is_some);
        is_known.then(|| self.known())
    }

    /// The parts that are known, with the least and the most that is expected for the compute buffer.
    pub fn known(&self) -> ByteRange {
        let fixed = self.parts().into_iter().flatten().fold(0, u64::saturating_add);
        self.compute.unwrap_or_default().plus(ByteRange::new(fixed, fixed))
    }

    /// All devices as one, as if they had one memory.
    pub(super) fn together(devices: &[Self]) -> Self {
        let mut all = Self::new("GPU and CPU".into(), [Some(0); 4], Some(ByteRange::default()));
        devices.iter().for_each(|device| all.add(device));
        all
    }

    /// Adds the parts of another file. A sum with a part that is not known is not known.
    fn add(&mut self, other: &Self) {
        let sum = |part: Option<u64>, other: Option<u64>| Some(part?.saturating_add(other?));
        self.weights = sum(self.weights, other.weights);
        self.cache = sum(self.cache, other.cache);
        self.state = sum(self.state, other.state);
        self.output = sum(self.output, other.output);
        self.compute = self.compute.zip(other.compute).map(|(own, other)| own.plus(other));
    }
}

/// Adds the memory of another file. Its first device is added to the first one, and its last one, the CPU, to the last one.
pub(super) fn add_beside(devices: &mut [Device], other: &[Device]) {
    if let ([gpu, .., cpu], [other_gpu, .., other_cpu]) = (devices, other) {
        gpu.add(other_gpu);
        cpu.add(other_cpu);
    }
}

/// The parts of a model that are placed. Those that are not known are `None`.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Placed<'a> {
    pub weights: Option<&'a Weights>,
    /// Caches and states are both known or not.
    pub caches: Option<&'a [Cache]>,
    pub state: Option<&'a State>,
    pub output: Option<u64>,
    pub buffers: Option<ComputeBuffers>,
}

/// The parts of [`Taken`].
const WEIGHTS: usize = 0;
const CACHE: usize = 1;
const STATE: usize = 2;
const OUTPUT: usize = 3;

/// The bytes on one device. Parts that are not known are left out.
#[derive(Clone, Copy, Default)]
pub(super) struct Taken {
    parts: [u64; 4],
    pub compute: ByteRange,
}

impl Taken {
    pub fn total(&self) -> ByteRange {
        let fixed = self.parts.into_iter().fold(0, u64::saturating_add);
        self.compute.plus(ByteRange::new(fixed, fixed))
    }
}

/// The cards and the CPU, in this order.
pub(super) fn devices(options: &MemoryOptions, parts: &Placed<'_>, layer_count: usize) -> Vec<Device> {
    let taken = taken(options, parts, layer_count);
    let cpu = taken.len() - 1;
    let device = |(index, taken): (usize, &Taken)| {
        let name = match (index, cpu) {
            (0, 1) => "GPU".into(),
            _ if index == cpu => "CPU".into(),
            _ => format!("GPU {index}").into(),
        };
        // The output is in the memory of the CPU.
        let is_output_known = index != cpu || parts.output.is_some();
        let has_context = parts.caches.is_some();
        let known = [parts.weights.is_some(), has_context, has_context, is_output_known];
        let mut bytes = [None; 4];
        for (part, is_known) in known.into_iter().enumerate() {
            bytes[part] = is_known.then_some(taken.parts[part]);
        }
        Device::new(name, bytes, parts.buffers.map(|_| taken.compute))
    };
    taken.iter().enumerate().map(device).collect()
}

/// The bytes on the cards and on the CPU, in this order.
pub(super) fn taken(options: &MemoryOptions, parts: &Placed<'_>, layer_count: usize) -> Vec<Taken> {
    let placement = Placement::new(options, layer_count);
    let cpu = placement.cpu;
    let mut taken = vec![Taken::default(); cpu + 1];
    let mut add = |device: usize, part: usize, bytes: u64| {
        let sum = &mut taken[device].parts[part];
        *sum = sum.saturating_add(bytes);
    };
    // A bit for each device.
    let mut computes = placement.of_layers.iter().fold(0_u32, |devices, device| devices | 1 << device);
    // An operation is computed where its weights are.
    let (mut has_overrides, mut largest_on_cpu) = (false, 0);
    if let Some(weights) = parts.weights {
        has_overrides = !weights.elsewhere.is_empty();
        weights.place(options, &placement, &mut |from, device, part| {
            let bytes = part.sum();
            // Without a card, the output is the token embedding itself.
            if from != From::Tied || device != cpu {
                add(device, WEIGHTS, bytes);
            }
            if from != From::Input && bytes > 0 {
                computes |= 1 << device;
                if device == cpu {
                    largest_on_cpu = part.largest().max(largest_on_cpu);
                }
            }
        });
    }
    for cache in parts.caches.unwrap_or_default() {
        for (layer, bytes) in cache.layer_indices.iter().zip(&cache.layer_bytes) {
            add(placement.of_cache(options, *layer), CACHE, *bytes);
        }
    }
    if let Some(state) = parts.state {
        let of_layer = state.bytes() / state.layer_indices.len().max(1) as u64;
        for layer in &state.layer_indices {
            add(placement.of_cache(options, *layer), STATE, of_layer);
        }
    }
    // The caller reads the results, so they are in the memory of the CPU.
    add(cpu, OUTPUT, parts.output.unwrap_or(0));
    if let Some(ComputeBuffers { layers, inputs }) = parts.buffers {
        let on_cpu = 1 << cpu;
        let hidden = inputs.high - inputs.low;
        // ggml computes on several cards at once if everything is on them. Then it copies the inputs.
        let is_pipeline = cpu > 1 && computes & on_cpu == 0 && !has_overrides && options.cpu_experts == 0;
        let copies = if is_pipeline { (PIPELINE_COPIES - 1) * inputs.high } else { 0 };
        let is_whole = cpu == 1 && !options.no_cache_offload && !has_overrides;
        // Attention is computed where the cache is.
        computes |= if options.no_cache_offload { on_cpu } else { 0 };
        for (device, taken) in taken.iter_mut().enumerate() {
            taken.compute = match computes & 1 << device != 0 {
                true if is_whole => layers,
                // With a part of the graph, a device has the results of a layer at least, and at most what the whole graph needs.
                true => ByteRange::new(if device == cpu { inputs.low } else { hidden }, layers.high.max(inputs.high)),
                false if device == cpu => inputs,
                false => continue,
            };
            taken.compute.high += copies;
        }
        // The first card computes many tokens with weights that are on the CPU, which it copies one after the other (`op_offload`).
        if computes & (on_cpu - 1) != 0 {
            let copy = largest_on_cpu.saturating_add(largest_on_cpu / MARGIN);
            taken[0].compute.high = taken[0].compute.high.saturating_add(copy);
        }
    }
    taken
}
