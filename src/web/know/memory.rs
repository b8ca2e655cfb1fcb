//! The methods of `Gguf` that tell how much memory a model takes.

use wasm_bindgen::prelude::*;

use super::memory_options::{LargestContextOptions, MemoryOptions};
use crate::know::memory::{
    self, ByteRange, Cache, Device, Formula, MemoryEstimate, MemoryOptions as Settings, MemoryRefusal, State, Weights,
};
use crate::web::interop::{declare_types, failure, to_js};
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
        let options = MemoryOptions::take(options)?;
        let settings = Settings { context_length: options.context_length, ..options.load.settings };
        let mut estimate = memory::estimate(&file.header, &settings).map_err(|refusal| refused(&refusal))?;
        for other in &options.load.beside {
            estimate.add_beside(other);
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
        let options = LargestContextOptions::take(Some(options))?;
        let (settings, beside) = (options.load.settings, options.load.beside);
        let taken: u64 = beside.iter().map(|other| other[0].total().high).fold(0, u64::saturating_add);
        let free = options.bytes.saturating_sub(taken);
        let largest = memory::largest_context(&file.header, &settings, free).map_err(|refusal| refused(&refusal))?;
        Ok(largest.map(|tokens| tokens as f64))
    }
}

/// The error of settings that llama.cpp refuses.
fn refused(refusal: &MemoryRefusal) -> JsValue {
    failure!(InvalidArgument: "{refusal}")
}
