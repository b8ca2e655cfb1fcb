//! The options of `memory`, `largestContext` and `fit`.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::format::ggml_type::{GGML_TYPES, GgmlType};
use crate::know::memory::{ByteRange, Device, DeviceKind, MemoryOptions as Settings};
use crate::web::interop::{
    AnyObject, FromOption, Options, Values, as_object, element, length, options, refused_option,
};

options! {
    /// The settings with which llama.cpp would run a model, but for the types of the cache, what is on the GPU, and the length of the
    /// context.
    pub interface RunOptions fills settings: Settings {
        /// The number of sequences that are computed side by side, such as conversations: 1 to 256. Default: 1.
        sequences?: "number" -> settings.sequences: u32, integer from 1;
        /// Whether the sequences share one cache. Default: false.
        unified?: "boolean" -> settings.unified: bool;
        /// The most tokens of one call. Default: 2048.
        batch?: "number" -> settings.batch: u32, integer from 1;
        /// The most tokens that are computed at once. Default: 512.
        micro_batch?: "number" -> settings.micro_batch: u32, integer from 1;
        /// Whether attention is computed without storing its scores. Default: true.
        flash_attention?: "boolean" -> settings.flash_attention: bool;
        /// Whether layers with a sliding window have a cache for the whole context. Default: false.
        swa_full?: "boolean" -> settings.full_window_cache: bool;
        /// The estimates of other files that are loaded beside the model, such as a projector. Their devices are added; parts of them that are
        /// not known add nothing.
        beside?: "readonly MemoryEstimate[]" => Vec<[Device; 2]> = Vec::new(), by beside;
    }
}

options! {
    /// The settings with which llama.cpp would load a model, but for the length of the context.
    pub interface LoadOptions extends RunOptions as run {
        /// The type of the keys in the cache: `"F16"`, `"Q8_0"` and so on. Default: `"F16"`.
        key_type?: "string" => GgmlType = GgmlType::F16;
        /// The type of the values in the cache. Quantised types need flash attention. Default: `"F16"`.
        value_type?: "string" => GgmlType = GgmlType::F16;
        /// The number of layers on the GPU, the last ones first. The output counts as one more. Default: all.
        gpu_layers?: "number" => u32, integer from 0;
        /// The number of layers, from the first one on, whose experts stay on the CPU. Default: 0.
        cpu_experts?: "number" => u32 = 0, integer from 0;
    }
}

/// The settings for a context. `None`: the length that the model was trained for.
pub(super) fn settings(load: Values<LoadOptions>, context_length: Option<u64>) -> Settings {
    let (key_type, value_type) = (load.key_type, load.value_type);
    let (gpu_layers, cpu_experts) = (load.gpu_layers, load.cpu_experts);
    Settings { context_length, key_type, value_type, gpu_layers, cpu_experts, ..load.run.settings }
}

options! {
    /// The settings with which llama.cpp would load a model.
    pub interface MemoryOptions extends LoadOptions as load {
        /// The context in tokens, of all sequences together, at most 4,294,967,295 once it is rounded. Default: the length that the model was
        /// trained for.
        context_length?: "number" => u64, integer from 1;
    }
}

options! {
    /// What `largestContext` takes.
    pub interface LargestContextOptions extends LoadOptions as load {
        /// The memory of the GPU, in bytes.
        bytes: "number" => u64, number from 0;
    }
}

options! {
    /// What `fit` looks for.
    pub interface FitOptions extends RunOptions as run {
        /// The memory of the GPU that the model may take, in bytes. llama.cpp keeps 1 GiB of the free memory for other things.
        gpu_bytes: "number" => u64, number from 0;
        /// The memory of the machine that the model may take beside the GPU, in bytes. Default: without a limit.
        machine_bytes?: "number" => u64, number from 0;
        /// The context in tokens, of all sequences together. Default: the length that the model was trained for, for each sequence, or less
        /// if it does not fit.
        context_length?: "number" => u64, integer from 1;
        /// The shortest context that is of use. Default: `contextLength` if it is given, else 4096 tokens for each sequence.
        least_context?: "number" => u64, integer from 1;
        /// The types that the cache may have, the best one first. Keys and values have the same type. Default: `["F16", "Q8_0"]`.
        cache_types?: "readonly string[]" => Vec<GgmlType> = Vec::from([GgmlType::F16, GgmlType::Q8_0]), by cache_types;
    }
}

impl FromOption for GgmlType {
    fn from_option(options: &Options, name: &str) -> Result<Option<Self>, JsValue> {
        options.get(name)?.map(|given| tensor_type(&given, name)).transpose()
    }
}

fn tensor_type(given: &JsValue, name: &str) -> Result<GgmlType, JsValue> {
    let named = given.as_string();
    let found = named.and_then(|named| GGML_TYPES.iter().find(|info| info.name.eq_ignore_ascii_case(&named)));
    let found = found.ok_or_else(|| refused_option(name, given, "the name of a tensor type, such as \"F16\""))?;
    Ok(GgmlType(found.id))
}

fn cache_types(options: &Options, name: &str) -> Result<Option<Vec<GgmlType>>, JsValue> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let count = length(&given)?.filter(|count| given.is_object() && *count > 0);
    let count = count.ok_or_else(|| refused_option(name, &given, "an array of names of tensor types"))?;
    let types = (0..count).map(|index| tensor_type(&element(&given, index)?, &format!("{name}[{index}]")));
    types.collect::<Result<_, _>>().map(Some)
}

/// The devices of the estimates that are added.
fn beside(options: &Options, name: &str) -> Result<Option<Vec<[Device; 2]>>, JsValue> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let length = length(&given)?.filter(|_| given.is_object());
    let length = length.ok_or_else(|| refused_option(name, &given, "an array of results of memory()"))?;
    let mut devices = Vec::new();
    for index in 0..length {
        let estimate = element(&given, index)?;
        let refuse = || refused_option(&format!("{name}[{index}]"), &estimate, "a result of memory()");
        let list = as_object(&estimate).ok_or_else(refuse)?.get("devices")?;
        if !list.is_object() {
            return Err(refuse());
        }
        devices.push([device(&list, 0, &refuse)?, device(&list, 1, &refuse)?]);
    }
    Ok(Some(devices))
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
