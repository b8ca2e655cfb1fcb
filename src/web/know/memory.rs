//! The methods of `Gguf` that tell how much memory a model takes.

use wasm_bindgen::prelude::*;

use super::memory_options::{FitOptions, LargestContextOptions, MemoryOptions, settings};
use crate::know::memory::{
    self, ByteRange, Cache, Device, Fit, FitChoice, Formula, MemoryEstimate, MemoryOptions as Settings, MemoryRefusal,
    State, Weights,
};
use crate::web::interop::{declare_types, failure, to_js};
use crate::web::reader::gguf::Gguf;

declare_types!(MemoryEstimate, Weights, Cache, State, ByteRange, Device, Formula, Fit, FitChoice);

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
        let beside = options.load.run.beside.clone();
        let settings = settings(options.load, options.context_length);
        let mut estimate = memory::estimate(&file.header, &settings).map_err(|refusal| refused(&refusal))?;
        for other in &beside {
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
        let free = options.bytes.saturating_sub(taken(&options.load.run.beside, 0));
        let largest = memory::largest_context(&file.header, &settings(options.load, None), free)
            .map_err(|refusal| refused(&refusal))?;
        Ok(largest.map(|tokens| tokens as f64))
    }

    /// Finds the best settings of llama.cpp with which the model fits into the memory of a machine: layers on the GPU, experts on the CPU,
    /// type of the cache, and context. The first of these points in which two settings differ decides: more layers on the GPU, fewer
    /// layers whose experts are on the CPU, an earlier one of `cacheTypes`, a longer context.
    ///
    /// `contextLength` is made shorter only with `leastContext`. Without it, it is as long as the model was trained for, or the longest one of the
    /// form m × 2ⁿ (m from 8 to 15) that fits, down to `leastContext`.
    ///
    /// A bound for the speed follows from `bytesPerToken`: a model writes at most `1 / (gpu / gpuBandwidth + cpu / cpuBandwidth)` tokens
    /// in a second, with bandwidths in bytes a second.
    ///
    /// @throws {GgufError} `invalid-argument` if an option has a value of no use, or if llama.cpp would refuse the settings for each type.
    /// @example
    /// const { choices } = gguf.fit({ gpuBytes: 12 * 2 ** 30, machineBytes: 32 * 2 ** 30 });
    /// for (const { gpuLayers, cpuExperts, keyType, contextLength } of choices)
    ///   console.log(`-ngl ${gpuLayers} --n-cpu-moe ${cpuExperts} -ctk ${keyType} -c ${contextLength}`);
    #[wasm_bindgen(unchecked_return_type = "MemoryFit")]
    pub fn fit(&self, options: FitOptions) -> Result<JsValue, JsValue> {
        let file = &self.state()?.file;
        let options = FitOptions::take(Some(options))?;
        let beside = &options.run.beside;
        let mut wanted = memory::FitOptions::new(options.gpu_bytes.saturating_sub(taken(beside, 0)));
        wanted.machine_bytes = options.machine_bytes.map(|bytes| bytes.saturating_sub(taken(beside, 1)));
        wanted.settings = Settings { context_length: options.context_length, ..options.run.settings };
        (wanted.least_context, wanted.cache_types) = (options.least_context, options.cache_types);
        let mut found = memory::fit(&file.header, &wanted).map_err(|refusal| refused(&refusal))?;
        for other in beside {
            found.add_beside(other);
        }
        Ok(to_js(&found))
    }
}

/// What other files take on a device.
fn taken(beside: &[[Device; 2]], device: usize) -> u64 {
    beside.iter().map(|other| other[device].total().high).fold(0, u64::saturating_add)
}

/// The error of settings that llama.cpp refuses.
fn refused(refusal: &MemoryRefusal) -> JsValue {
    failure!(InvalidArgument: "{refusal}")
}
