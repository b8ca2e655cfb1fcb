//! The options of `memory`, `largestContext` and `fit`.

use alloc::{string::String, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::format::ggml_type::{GGML_TYPES, GgmlType};
use crate::format::header::Header;
use crate::know::memory::{ByteRange, Device, MemoryOptions as Settings, TensorOverride as Override};
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
        /// Whether the keys and values stay on the CPU, and attention is computed there: `--no-kv-offload`. Default: false.
        no_kv_offload?: "boolean" -> settings.no_cache_offload: bool;
        /// The bytes that the memory of each device gives in a second, in the order of `devices`: of the GPU, or of each of several, and of
        /// the CPU. `undefined`, and what is left out: not known. `tokensPerSecond` follows from it. `largestContext` does not use it.
        bandwidths?: "readonly (number | undefined)[]" -> settings.bandwidths: Vec<Option<f64>>, by known_numbers;
        /// The estimates of other files that are loaded beside the model, such as a projector, with one GPU. Their devices are added: a part
        /// that one of them does not know is not known of the sum either. `fit` and `largestContext` count what is known.
        beside?: "readonly MemoryEstimate[]" => Vec<[Device; 2]> = Vec::new(), by beside;
    }
}

options! {
    /// A tensor that is on another device than its layer, as with `--override-tensor` of llama.cpp.
    pub interface TensorOverride {
        /// A regular expression that matches a part of the name of the tensor. llama.cpp has the grammar of JavaScript.
        pattern: "RegExp | string" => JsValue, by pattern;
        /// The device: `"CPU"`, or the number of a card from 0 on.
        device: "\"CPU\" | number" => Option<u32>, by card;
    }
}

options! {
    /// The settings with which llama.cpp would load a model, but for the length of the context.
    pub interface LoadOptions extends RunOptions as run {
        /// The type of the keys in the cache: `"F16"`, `"Q8_0"` and so on. Default: `"F16"`.
        key_type?: "string" => GgmlType;
        /// The type of the values in the cache. Quantised types need flash attention. Default: `"F16"`.
        value_type?: "string" => GgmlType;
        /// The number of layers on the GPU, the last ones first. The output counts as one more. Default: all.
        gpu_layers?: "number" => u32, integer from 0;
        /// The number of layers, from the first one on, whose experts stay on the CPU. Default: 0.
        cpu_experts?: "number" => u32, integer from 0;
        /// The shares of the layers on the GPU for each of several cards: `--tensor-split`. Default: there is one card.
        tensor_split?: "readonly number[]" => Vec<f32> = Vec::new(), by shares;
        /// The tensors that are on another device than their layer. The first one that matches a name counts. They come before
        /// `cpuExperts`. Default: none.
        override_tensors?: "readonly TensorOverride[]" => Vec<GivenOverride> = Vec::new(), by override_tensors;
    }
}

/// The settings for a context. `None`: the length that the model was trained for.
pub(super) fn settings(
    load: Values<LoadOptions>,
    context_length: Option<u64>,
    header: &Header,
) -> Result<Settings, JsValue> {
    let (key_type, value_type) = (load.key_type.unwrap_or(GgmlType::F16), load.value_type.unwrap_or(GgmlType::F16));
    let (gpu_layers, cpu_experts) = (load.gpu_layers, load.cpu_experts.unwrap_or(0));
    let overrides = overrides(header, &load.override_tensors)?;
    let tensor_split = load.tensor_split;
    let run = load.run.settings;
    Ok(Settings { context_length, key_type, value_type, gpu_layers, cpu_experts, tensor_split, overrides, ..run })
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
        /// The memory of the GPU, in bytes; with several cards, of each.
        bytes: "number" => u64, number from 0;
    }
}

options! {
    /// What `fit` looks for. Types of the cache, layers on the GPU, experts on the CPU and shares of cards are chosen, unless they are given.
    /// If only one of `keyType` and `valueType` is given, the other one is F16.
    pub interface FitOptions extends LoadOptions as load {
        /// The memory of the GPU that the model may take, in bytes; a list for several cards, in the order in which llama.cpp uses them. llama.cpp
        /// keeps 1 GiB of the free memory of each for other things.
        gpu_bytes: "number | readonly number[]" => Vec<u64>, by gpu_bytes;
        /// The memory of the machine that the model may take beside the GPU, in bytes. Default: without a limit.
        machine_bytes?: "number" => u64, number from 0;
        /// The context in tokens, of all sequences together. Default: the length that the model was trained for, for each sequence, or less
        /// if it does not fit.
        context_length?: "number" => u64, integer from 1;
        /// The shortest context that is of use. Default: `contextLength` if it is given, else 4096 tokens for each sequence. Of a file that
        /// does not state the context of the training, it is the wanted one.
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

/// The elements of an option that is an array, read by a function that gets their names. `None` if it is not given.
fn list<T>(
    options: &Options,
    name: &str,
    expected: &str,
    read: &dyn Fn(&JsValue, &str) -> Result<T, JsValue>,
) -> Result<Option<Vec<T>>, JsValue> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let count = length(&given)?.filter(|_| given.is_object());
    let count = count.ok_or_else(|| refused_option(name, &given, expected))?;
    let mut found = Vec::new();
    for index in 0..count {
        found.push(read(&element(&given, index)?, &format!("{name}[{index}]"))?);
    }
    Ok(Some(found))
}

/// Numbers from 0 on. `undefined` is `None`.
fn known_numbers(options: &Options, name: &str) -> Result<Option<Vec<Option<f64>>>, JsValue> {
    list(options, name, "an array of numbers", &|given, name| {
        let number = given.as_f64();
        if number.is_some_and(|number| number >= 0.0) || given.is_undefined() {
            return Ok(number);
        }
        Err(refused_option(name, given, "a number from 0 on"))
    })
}

fn numbers(options: &Options, name: &str) -> Result<Option<Vec<f64>>, JsValue> {
    let Some(given) = known_numbers(options, name)? else { return Ok(None) };
    let refuse = || refused_option(name, &JsValue::UNDEFINED, "numbers for all cards");
    given.into_iter().collect::<Option<_>>().ok_or_else(refuse).map(Some)
}

fn shares(options: &Options, name: &str) -> Result<Option<Vec<f32>>, JsValue> {
    Ok(numbers(options, name)?.map(|given| given.into_iter().map(|number| number as f32).collect()))
}

/// The memory of a card, or of each of several.
fn gpu_bytes(options: &Options, name: &str) -> Result<Vec<u64>, JsValue> {
    let given = match options.get(name)? {
        Some(given) if given.is_object() => numbers(options, name)?.unwrap_or_default(),
        _ => Vec::from([options.required_number(name, 0.0)?]),
    };
    Ok(given.into_iter().map(|number| number as u64).collect())
}

fn pattern(options: &Options, name: &str) -> Result<JsValue, JsValue> {
    options.get(name).map(Option::unwrap_or_default)
}

fn card(options: &Options, name: &str) -> Result<Option<u32>, JsValue> {
    match options.get(name)? {
        Some(given) if given.as_string().as_deref() == Some("CPU") => Ok(None),
        Some(given) if given.as_f64().is_some() => Ok(options.integer(name, 0.0)?.map(|card| card as u32)),
        given => Err(refused_option(name, &given.unwrap_or_default(), "\"CPU\" or the number of a card")),
    }
}

fn override_tensors(options: &Options, name: &str) -> Result<Option<Vec<GivenOverride>>, JsValue> {
    const EXPECTED: &str = "an array of objects with a pattern and a device";
    list(options, name, EXPECTED, &|given, name| {
        let object = as_object(given).ok_or_else(|| refused_option(name, given, EXPECTED))?;
        TensorOverride::take(Some(object.clone().unchecked_into()))
    })
}

/// A pattern and its device.
type GivenOverride = Values<TensorOverride>;

#[wasm_bindgen]
extern "C" {
    /// Whether a regular expression matches a part of a name; `None` if it is none. A function of `pkg-template/glue/patterns.js`.
    #[wasm_bindgen(js_name = matchesName)]
    fn matches_name(pattern: &JsValue, name: &str) -> Option<bool>;
}

/// The tensors that the patterns match. The first pattern that matches a tensor counts.
fn overrides(header: &Header, given: &[GivenOverride]) -> Result<Vec<Override>, JsValue> {
    let mut found = Vec::new();
    if given.is_empty() {
        return Ok(found);
    }
    for (tensor, info) in header.tensors().enumerate() {
        let name = info.name().to_bytes();
        let name = String::from_utf8_lossy(&name);
        for GivenOverride { pattern, device } in given {
            let refuse = || refused_option("overrideTensors", pattern, "a regular expression");
            if matches_name(pattern, &name).ok_or_else(refuse)? {
                found.push(Override { tensor, card: *device });
                break;
            }
        }
    }
    Ok(found)
}

fn cache_types(options: &Options, name: &str) -> Result<Option<Vec<GgmlType>>, JsValue> {
    const EXPECTED: &str = "an array of names of tensor types";
    let given = list(options, name, EXPECTED, &tensor_type)?;
    match given {
        Some(types) if types.is_empty() => Err(refused_option(name, &options.get(name)?.unwrap_or_default(), EXPECTED)),
        given => Ok(given),
    }
}

/// The devices of the estimates that are added.
fn beside(options: &Options, name: &str) -> Result<Option<Vec<[Device; 2]>>, JsValue> {
    list(options, name, "an array of results of memory()", &|estimate, name| {
        let refuse = || refused_option(name, estimate, "a result of memory() with one GPU");
        let list = as_object(estimate).ok_or_else(refuse)?.get("devices")?;
        if !list.is_object() || length(&list)?.is_some_and(|length| length > 2) {
            return Err(refuse());
        }
        Ok([device(&list, 0, &refuse)?, device(&list, 1, &refuse)?])
    })
}

fn device(list: &JsValue, index: u32, refuse: &dyn Fn() -> JsValue) -> Result<Device, JsValue> {
    let found = element(list, index)?;
    let object = as_object(&found).ok_or_else(refuse)?;
    // It is a device if it has a name: all other members can be unknown.
    if !object.get("name")?.is_string() {
        return Err(refuse());
    }
    let number = |object: &AnyObject, name| -> Result<Option<u64>, JsValue> {
        let Some(given) = object.present(name)? else { return Ok(None) };
        given.as_f64().filter(|number| *number >= 0.0).map(|number| Some(number as u64)).ok_or_else(refuse)
    };
    let compute = match object.present("compute")? {
        Some(compute) => {
            let range = as_object(&compute).ok_or_else(refuse)?;
            number(range, "low")?.zip(number(range, "high")?).map(|(low, high)| ByteRange::new(low, high))
        }
        None => None,
    };
    let parts =
        [number(object, "weights")?, number(object, "cache")?, number(object, "state")?, number(object, "output")?];
    // Only the parts are added.
    Ok(Device::new("".into(), parts, compute))
}
