//! The methods of `Gguf` that tell how much memory a model takes.

use wasm_bindgen::prelude::*;

use super::memory_options::{FitOptions, LargestContextOptions, MemoryOptions, refused, settings};
use crate::interop::thrown::Thrown;
use crate::interop::{declare_types, to_js};
use crate::reader::gguf::Gguf;
use gguf_format::format::header::Header;
use gguf_models::memory::{
    self, ByteRange, Cache, ContextRoom, Device, Fit, FitChoice, Formula, MemoryEstimate, State, Weights,
};

declare_types!(MemoryEstimate, Weights, Cache, State, ByteRange, Device, Formula, Fit, FitChoice);

#[wasm_bindgen]
impl Gguf {
    /// Estimates the memory that llama.cpp would allocate for the model, from the header alone. The sizes of tensors, caches and
    /// states are exact; compute buffers are a range.
    ///
    /// @throws {GgufError} `invalid-argument` if an option has a value of no use, or if llama.cpp would refuse the settings.
    /// @example
    /// const { devices } = gguf.memory({ contextLength: 32768, keyType: "Q8_0", valueType: "Q8_0", gpuLayers: 20 });
    /// for (const { name, total } of devices) console.log(name, total?.high ?? "not known");
    /// @example
    /// // Two cards, the experts on the CPU, and a bound for the speed.
    /// const estimate = gguf.memory({
    ///   tensorSplit: [3, 1],
    ///   overrideTensors: [{ pattern: /ffn_(up|down|gate)_exps/, device: "CPU" }],
    ///   bandwidths: [936e9, 360e9, 80e9],
    /// });
    /// console.log(estimate.devices.map(({ name }) => name), estimate.tokensPerSecond); // ["GPU 0", "GPU 1", "CPU"]
    #[wasm_bindgen(unchecked_return_type = "MemoryEstimate")]
    pub fn memory(&self, options: Option<MemoryOptions>) -> Result<JsValue, Thrown> {
        let file = &self.state()?.file;
        let options = MemoryOptions::take(options)?;
        let load = &options.load;
        let (settings, overrides) = settings(load, options.context_length, &file.header)?;
        let estimate = memory::estimate_with_overrides(&file.header, &settings, &overrides);
        let mut estimate = estimate.map_err(|refusal| refused(&refusal))?;
        if let Some(bandwidths) = &load.run.bandwidths {
            estimate.set_bandwidths(bandwidths);
        }
        if let Some(other) = &load.run.beside {
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
    /// const ofBoth = gguf.largestContext({ bytes: 24 * 2 ** 30, sharedMemory: true, draft: await Gguf.open("sample.gguf") });
    #[wasm_bindgen(js_name = largestContext)]
    pub fn largest_context(&self, options: LargestContextOptions) -> Result<Option<f64>, Thrown> {
        let file = &self.state()?.file;
        let options = LargestContextOptions::take(Some(options))?;
        let load = &options.load;
        let beside = load.run.beside.as_ref();
        let on_cpu = if options.shared_memory { taken(beside, 1) } else { 0 };
        let mut room = ContextRoom::new(options.bytes.saturating_sub(taken(beside, 0)).saturating_sub(on_cpu));
        room.is_shared = options.shared_memory;
        room.draft = options.draft.as_ref().map(|draft| -> &Header { &draft.header });
        let (settings, overrides) = settings(load, None, &file.header)?;
        let largest = memory::largest_context_with_overrides(&file.header, &settings, &overrides, &room);
        let largest = largest.map_err(|refusal| refused(&refusal))?;
        Ok(largest.map(|tokens| tokens as f64))
    }

    /// Finds the best settings of llama.cpp with which the model fits into the memory of a machine: layers on the GPU, experts on the CPU,
    /// type of the cache, and context. The first of these points in which two settings differ decides: more layers on the GPU, fewer
    /// layers whose experts are on the CPU, an earlier one of `cacheTypes`, a longer context.
    ///
    /// `contextLength` is made shorter only with `leastContext`. Without it, it is as long as the model was trained for, or the longest one of the
    /// form m × 2ⁿ (m from 8 to 15) that fits, down to `leastContext`.
    ///
    /// With several cards, they are filled evenly, and `tensorSplit` has the numbers of layers on each. With `bandwidths`,
    /// `tokensPerSecond` is a bound for the speed.
    ///
    /// @throws {GgufError} `invalid-argument` if an option has a value of no use, or if llama.cpp would refuse the settings for each type.
    /// @example
    /// const { choices } = gguf.fit({ gpuBytes: 12 * 2 ** 30, machineBytes: 32 * 2 ** 30 });
    /// for (const { gpuLayers, cpuExperts, keyType, contextLength } of choices)
    ///   console.log(`-ngl ${gpuLayers} --n-cpu-moe ${cpuExperts} -ctk ${keyType} -c ${contextLength}`);
    /// @example
    /// const twoCards = gguf.fit({ gpuBytes: [24e9, 12e9], contextLength: 32768, bandwidths: [936e9, 360e9] });
    /// console.log(twoCards.choices[0]?.tensorSplit, twoCards.choices[0]?.tokensPerSecond);
    #[wasm_bindgen(unchecked_return_type = "MemoryFit")]
    pub fn fit(&self, options: FitOptions) -> Result<JsValue, Thrown> {
        let file = &self.state()?.file;
        let options = FitOptions::take(Some(options))?;
        let load = &options.load;
        let beside = load.run.beside.as_ref();
        let (first, more) = options.gpu_bytes.split_first().unwrap_throw();
        let mut wanted = memory::FitOptions::new(first.saturating_sub(taken(beside, 0)));
        wanted.more_gpu_bytes = more.to_vec();
        wanted.machine_bytes = options.machine_bytes.map(|bytes| bytes.saturating_sub(taken(beside, 1)));
        (wanted.settings, wanted.overrides) = settings(load, options.context_length, &file.header)?;
        let types = load.key_type.or(load.value_type);
        wanted.given_types = types.map(|_| [wanted.settings.key_type, wanted.settings.value_type]);
        wanted.cpu_experts = load.cpu_experts;
        (wanted.least_context, wanted.cache_types) = (options.least_context, options.cache_types);
        let mut found = memory::fit(&file.header, &wanted).map_err(|refusal| refused(&refusal))?;
        if let Some(bandwidths) = &load.run.bandwidths {
            found.set_bandwidths(bandwidths);
        }
        if let Some(other) = beside {
            found.add_beside(other);
        }
        Ok(to_js(&found))
    }
}

/// What is known to be taken by other files on a device.
fn taken(beside: Option<&[Device; 2]>, device: usize) -> u64 {
    beside.map_or(0, |other| other[device].known().high)
}
