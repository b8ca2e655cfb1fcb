//! The methods of `Gguf` that tell how much memory a model takes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::memory_options::{LargestContextOptions, MemoryOptions, refused, settings};
use crate::know::memory::{self, ByteRange, DeviceKind, MemoryEstimate as Estimate};
use crate::web::interop::objects::{AnyObject, as_object, element, length};
use crate::web::interop::options::Options;
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::reader::gguf::Gguf;

plain_object! {
    /// The memory that llama.cpp would allocate for a model, in bytes. A part that is not known is not present, and `notes` says
    /// why.
    readonly struct MemoryEstimate {
        /// The value of `general.architecture`. Empty if the file has none.
        architecture: String,
        /// The context of all sequences together, in tokens, as llama.cpp rounds it.
        context_length?: f64,
        /// The tensors. Not present if the size of one is not known.
        weights?: MemoryWeights,
        /// The keys and values. Empty if the model keeps none.
        caches?: Vec<MemoryCache> as "readonly MemoryCache[]",
        /// The recurrent state. Not present if the model has none, or if `caches` is not present.
        state?: MemoryState,
        /// The output buffer: a number for each token of the vocabulary, for each sequence.
        output_bytes?: f64,
        /// The compute buffers of all devices together, for intermediate results: a range, because llama.cpp has no formula. It was
        /// fitted to measurements on a CPU; other devices differ.
        compute?: MemoryRange,
        /// The parts on the GPU and on the CPU, in this order. Parts that are not known are missing in them.
        devices: Vec<MemoryDevice> as "readonly [MemoryDevice, MemoryDevice]",
        /// How each part is computed.
        formulas: Vec<MemoryFormula> as "readonly MemoryFormula[]",
        /// What the figures assume, and why parts are not known: sentences.
        notes: Vec<String> as "readonly string[]",
    }
}

plain_object! {
    /// The bytes of a model's tensors, as llama.cpp aligns them.
    readonly struct MemoryWeights {
        /// The tensors before the first layer, such as the token embedding. They stay on the CPU.
        input: f64,
        /// The tensors of each layer.
        layer_bytes: Vec<f64> as "readonly number[]",
        /// The tensors after the last layer; all tensors of a file that is no model.
        output: f64,
        /// The token embedding, if it is the output, too. It is loaded once more if input and output are on different devices.
        tied_output: f64,
        /// All tensors on one device.
        total: f64,
    }
}

plain_object! {
    /// A cache: the keys and values of some layers.
    readonly struct MemoryCache {
        /// `full`: all tokens. `sliding-window`: those that layers with a window see. `latent`: keys and values in one compressed
        /// vector. `indexer`: keys by which tokens are chosen.
        kind: &'static str as "\"full\" | \"sliding-window\" | \"latent\" | \"indexer\"",
        /// The layers that have keys and values in the cache.
        layer_indices: Vec<u32> as "readonly number[]",
        /// The number of tokens that each stream holds.
        cells: f64,
        /// The number of separate parts: one for all sequences, or one for each.
        streams: f64,
        key_bytes: f64,
        value_bytes: f64,
        /// The keys and values of each layer, in the order of `layerIndices`.
        layer_bytes: Vec<f64> as "readonly number[]",
    }
}

plain_object! {
    /// The state of recurrent layers. It does not grow with the context.
    readonly struct MemoryState {
        /// The layers that have a state.
        layer_indices: Vec<u32> as "readonly number[]",
        /// The number of states of a layer: one for each sequence.
        cells: f64,
        bytes: f64,
    }
}

plain_object! {
    /// A range of bytes.
    readonly struct MemoryRange {
        /// The least that is expected.
        low: f64,
        /// The most that is expected.
        high: f64,
    }
}

plain_object! {
    /// The bytes of each part on one device.
    readonly struct MemoryDevice {
        name: &'static str as "\"GPU\" | \"CPU\"",
        weights: f64,
        cache: f64,
        state: f64,
        output: f64,
        compute: MemoryRange,
    }
}

plain_object! {
    /// How a part of an estimate is computed.
    readonly struct MemoryFormula {
        /// The part: `"Keys of the full cache"`.
        part: String,
        /// The computation, in words and numbers.
        formula: String,
        /// The result.
        bytes: f64,
    }
}

#[wasm_bindgen]
impl Gguf {
    /// Estimates the memory that llama.cpp would allocate for the model, from the header alone. The sizes of tensors, caches and
    /// states are exact; compute buffers are a range.
    ///
    /// @throws {GgufError} `invalid-argument` if an option has a value of no use, or if llama.cpp would refuse the settings.
    /// @example
    /// const { devices, notes } = gguf.memory({ contextLength: 32768, keyType: "Q8_0", valueType: "Q8_0", gpuLayers: 20 });
    /// const [gpu] = devices;
    /// const most = gpu.weights + gpu.cache + gpu.state + gpu.output + gpu.compute.high;
    #[wasm_bindgen(unchecked_return_type = "MemoryEstimate")]
    pub fn memory(&self, options: Option<MemoryOptions>) -> Result<JsValue, JsValue> {
        let file = &self.state()?.file;
        let options = Options::new(options);
        let settings = settings(&options)?;
        let mut estimate = memory::memory(&file.header, &settings).map_err(|refusal| refused(&refusal))?;
        for other in beside(&options)? {
            estimate.add_beside(&other);
        }
        Ok(to_js(&MemoryEstimate::new(estimate)))
    }

    /// The largest multiple of 256 tokens with which everything on the GPU fits into its memory, with the most that is expected
    /// for the compute buffer. `undefined` if not even 256 tokens fit, or if it is not known what the context takes. If nothing on
    /// the GPU grows with the context (a model without a cache, or `gpuLayers: 0`), the result is the longest context that
    /// llama.cpp can be asked for: 4,294,967,040, or a little less for several sequences.
    ///
    /// @throws {GgufError} `invalid-argument` if an option has a value of no use, or if llama.cpp would refuse the settings.
    /// @example
    /// const tokens = gguf.largestContext({ bytes: 24 * 2 ** 30, keyType: "Q8_0", valueType: "Q8_0" });
    #[wasm_bindgen(js_name = largestContext)]
    pub fn largest_context(&self, options: LargestContextOptions) -> Result<Option<f64>, JsValue> {
        let file = &self.state()?.file;
        let options = Options::new(Some(options));
        let settings = settings(&options)?;
        let bytes = options.number("bytes", 0.0)?;
        let bytes = bytes.ok_or_else(|| options.refused("bytes", &JsValue::UNDEFINED, "a number from 0 on"))?;
        let taken: u64 = beside(&options)?.iter().map(|other| other[0].total().high).fold(0, u64::saturating_add);
        let free = (bytes as u64).saturating_sub(taken);
        let largest = memory::largest_context(&file.header, &settings, free).map_err(|refusal| refused(&refusal))?;
        Ok(largest.map(|tokens| tokens as f64))
    }
}

/// The devices of the estimates that are added.
fn beside(options: &Options) -> Result<Vec<[memory::Device; 2]>, JsValue> {
    const NAME: &str = "beside";
    let Some(given) = options.get(NAME)? else { return Ok(Vec::new()) };
    let length = length(&given)?.filter(|_| given.is_object());
    let length = length.ok_or_else(|| options.refused(NAME, &given, "an array of results of memory()"))?;
    let mut devices = Vec::new();
    for index in 0..length {
        let estimate = element(&given, index)?;
        let refuse = || options.refused(&format!("{NAME}[{index}]"), &estimate, "a result of memory()");
        let list = as_object(&estimate).ok_or_else(refuse)?.get("devices")?;
        if !list.is_object() {
            return Err(refuse());
        }
        devices.push([device(&list, 0, &refuse)?, device(&list, 1, &refuse)?]);
    }
    Ok(devices)
}

fn device(list: &JsValue, index: u32, refuse: &dyn Fn() -> JsValue) -> Result<memory::Device, JsValue> {
    let found = element(list, index)?;
    let object = as_object(&found).ok_or_else(refuse)?;
    let number = |object: &AnyObject, name| -> Result<u64, JsValue> {
        let number = object.get(name)?.as_f64().filter(|number| *number >= 0.0).ok_or_else(refuse)?;
        Ok(number as u64)
    };
    let compute = object.get("compute")?;
    let compute = as_object(&compute).ok_or_else(refuse)?;
    let kind = if index == 0 { DeviceKind::Gpu } else { DeviceKind::Cpu };
    let range = ByteRange::new(number(compute, "low")?, number(compute, "high")?);
    let [weights, cache] = [number(object, "weights")?, number(object, "cache")?];
    Ok(memory::Device::new(kind, weights, cache, number(object, "state")?, number(object, "output")?, range))
}

impl MemoryEstimate {
    fn new(estimate: Estimate) -> Self {
        let cache = |cache: &memory::Cache| MemoryCache {
            kind: cache.kind.name(),
            layer_indices: cache.layer_indices.clone(),
            cells: cache.cells as f64,
            streams: cache.streams as f64,
            key_bytes: cache.key_bytes as f64,
            value_bytes: cache.value_bytes as f64,
            layer_bytes: cache.layer_bytes.iter().map(|bytes| *bytes as f64).collect(),
        };
        let formula = |formula: memory::Formula| MemoryFormula {
            part: formula.part,
            formula: formula.formula,
            bytes: formula.bytes as f64,
        };
        Self {
            architecture: estimate.architecture,
            context_length: estimate.context_length.map(|length| length as f64),
            weights: estimate.weights.as_ref().map(|weights| MemoryWeights {
                input: weights.input as f64,
                layer_bytes: weights.layer_bytes.iter().map(|bytes| *bytes as f64).collect(),
                output: weights.output as f64,
                tied_output: weights.tied_output as f64,
                total: weights.total as f64,
            }),
            caches: estimate.caches.as_deref().map(|caches| caches.iter().map(cache).collect()),
            state: estimate.state.as_ref().map(|state| MemoryState {
                layer_indices: state.layer_indices.clone(),
                cells: state.cells as f64,
                bytes: state.bytes() as f64,
            }),
            output_bytes: estimate.output_bytes.map(|bytes| bytes as f64),
            compute: estimate.compute.map(MemoryRange::new),
            devices: estimate.devices.iter().map(MemoryDevice::new).collect(),
            formulas: estimate.formulas.into_iter().map(formula).collect(),
            notes: estimate.notes,
        }
    }
}

impl MemoryRange {
    fn new(range: ByteRange) -> Self {
        Self { low: range.low as f64, high: range.high as f64 }
    }
}

impl MemoryDevice {
    fn new(device: &memory::Device) -> Self {
        Self {
            name: match device.kind {
                DeviceKind::Gpu => "GPU",
                DeviceKind::Cpu => "CPU",
            },
            weights: device.weights as f64,
            cache: device.cache as f64,
            state: device.state as f64,
            output: device.output as f64,
            compute: MemoryRange::new(device.compute),
        }
    }
}
