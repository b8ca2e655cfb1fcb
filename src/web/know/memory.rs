//! The methods of `Gguf` that tell how much memory a model takes.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::memory_options::{LargestContextOptions, MemoryOptions, refused, settings};
use crate::know::memory::{self, ByteRange, Cache, Device, DeviceKind, Formula, MemoryEstimate, State, Weights};
use crate::web::interop::{AnyObject, Options, as_object, declare_types, element, length, to_js};
use crate::web::reader::gguf::Gguf;

declare_types!(MemoryEstimate, Weights, Cache, State, ByteRange, Device, Formula);

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
        let mut estimate = memory::estimate(&file.header, &settings).map_err(|refusal| refused(&refusal))?;
        for other in beside(&options)? {
            estimate.add_beside(&other);
        }
        Ok(to_js(&estimate))
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
fn beside(options: &Options) -> Result<Vec<[Device; 2]>, JsValue> {
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

fn device(list: &JsValue, index: u32, refuse: &dyn Fn() -> JsValue) -> Result<Device, JsValue> {
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
    Ok(Device::new(kind, weights, cache, number(object, "state")?, number(object, "output")?, range))
}
