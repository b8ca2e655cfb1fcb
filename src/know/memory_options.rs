//! The options of `memory`, `largestContext` and `fit`.

use alloc::{rc::Rc, string::String, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{FromOption, Options, Values, element, failure, length, options, refused_option};
use crate::reader::given_file::given_file;
use crate::reader::opened_file::OpenedFile;
use gguf_format::format::ggml_type::{GGML_TYPES, GgmlType};
use gguf_format::format::header::Header;
use gguf_models::memory::{
    ByteRange, Device, MemoryOptions as Settings, MemoryRefusal, Shares, TensorOverride as Override,
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
        bandwidths?: "readonly (number | undefined)[]" => Vec<f64>, by numbers;
        /// The estimates of other files that are loaded beside the model, such as a projector, with one GPU. Their devices are added: a part
        /// that one of them does not know is not known of the sum either. `fit` and `largestContext` count what is known.
        beside?: "readonly MemoryEstimate[]" => [Device; 2], by beside;
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TENSOR_OVERRIDE: &str = r#"
/** A tensor that is on another device than its layer, as with `--override-tensor` of llama.cpp. */
export interface TensorOverride {
    /** A regular expression that matches a part of the name of the tensor. llama.cpp has the grammar of JavaScript. */
    readonly pattern: RegExp | string;
    /** The device: `"CPU"`, or the number of a card from 0 on. */
    readonly device: "CPU" | number;
}
"#;

options! {
    /// The settings with which llama.cpp would load a model, but for the length of the context.
    pub interface LoadOptions extends RunOptions as run {
        /// The type of the keys in the cache: `"F16"`, `"Q8_0"` and so on. Default: `"F16"`.
        key_type?: "string" => GgmlType;
        /// The type of the values in the cache. Quantized types need flash attention. Default: `"F16"`.
        value_type?: "string" => GgmlType;
        /// The number of layers on the GPU, the last ones first. The output counts as one more. Default: all.
        gpu_layers?: "number" => u32, integer from 0;
        /// The number of layers, from the first one on, whose experts stay on the CPU. Default: 0.
        cpu_experts?: "number" => u32, integer from 0;
        /// The shares of the layers on the GPU for each of several cards: `--tensor-split`. Default: there is one card.
        tensor_split?: "readonly number[]" => Vec<f64>, by numbers;
        /// The tensors that are on another device than their layer. The first one that matches a name counts. They come before
        /// `cpuExperts`. Default: none.
        override_tensors?: "readonly TensorOverride[]" => JsValue;
    }
}

/// The settings for a context, and the tensors that are elsewhere. `None`: the length that the model was trained for.
pub(super) fn settings(
    load: &Values<LoadOptions>,
    context_length: Option<u64>,
    header: &Header,
) -> Result<(Settings, Vec<Override>), Thrown> {
    let mut settings = load.run.settings;
    settings.context_length = context_length;
    settings.key_type = load.key_type.unwrap_or(GgmlType::F16);
    settings.value_type = load.value_type.unwrap_or(GgmlType::F16);
    settings.gpu_layers = load.gpu_layers;
    settings.cpu_experts = load.cpu_experts.unwrap_or(0);
    if let Some(shares) = &load.tensor_split {
        settings.cards = Shares::new(shares).ok_or_else(|| refused(&MemoryRefusal::TensorSplit))?;
    }
    let overrides = load.override_tensors.as_ref().map_or(Ok(Vec::new()), |given| overrides(header, given));
    Ok((settings, overrides?))
}

/// The error of settings that llama.cpp refuses.
pub(super) fn refused(refusal: &MemoryRefusal) -> Thrown {
    failure!(InvalidArgument: "{refusal}")
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
        /// Whether GPU and CPU share the memory: everything must fit into it. Default: false.
        shared_memory?: "boolean" => bool = false;
        /// A smaller model that drafts tokens for this one. llama-server loads it with the same context, all of its layers on the GPU, and a
        /// cache of F16.
        draft?: "Gguf" => Rc<OpenedFile>, by draft;
    }
}

fn draft(options: &Options, name: &str) -> Result<Option<Rc<OpenedFile>>, Thrown> {
    options.get(name)?.map(|given| given_file(name, &given)).transpose()
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
    fn from_option(options: &Options, name: &str) -> Result<Option<Self>, Thrown> {
        options.get(name)?.map(|given| tensor_type(&given, name)).transpose()
    }
}

fn tensor_type(given: &JsValue, name: &str) -> Result<GgmlType, Thrown> {
    let named = given.as_string();
    let found = named.and_then(|named| GGML_TYPES.iter().find(|info| info.name.eq_ignore_ascii_case(&named)));
    let found = found.ok_or_else(|| refused_option(name, given, "the name of a tensor type, such as \"F16\""))?;
    Ok(GgmlType(found.id))
}

#[wasm_bindgen(raw_module = "glue/devices.js")]
extern "C" {
    /// Numbers from 0 on, alone or in an array.
    #[wasm_bindgen(js_name = givenNumbers)]
    fn given_numbers(given: &JsValue) -> Option<Vec<f64>>;
    /// The parts of the devices of estimates: six for each, first those of the GPU.
    #[wasm_bindgen(js_name = devicePartsOf)]
    fn device_parts_of(estimates: &JsValue) -> Option<Vec<f64>>;
    /// The device of a tensor: the number of a card, -1 for the CPU, -2 if no pattern matches, NaN if the patterns are wrong.
    #[wasm_bindgen(js_name = deviceOf)]
    fn device_of(overrides: &JsValue, name: &str) -> f64;
}

fn numbers(options: &Options, name: &str) -> Result<Option<Vec<f64>>, Thrown> {
    options.converted(name, "an array of numbers from 0 on", given_numbers)
}

/// The memory of a card, or of each of several.
fn gpu_bytes(options: &Options, name: &str) -> Result<Vec<u64>, Thrown> {
    let given = numbers(options, name)?.unwrap_or_default();
    // An empty list is refused with the same error as a missing number.
    if given.is_empty() || given.iter().any(|number| number.is_nan()) {
        return Err(refused_option(
            name,
            &options.get(name)?.unwrap_or_default(),
            "a number from 0 on, or one for each card",
        ));
    }
    Ok(given.into_iter().map(|number| number as u64).collect())
}

/// The tensors that patterns match.
fn overrides(header: &Header, given: &JsValue) -> Result<Vec<Override>, Thrown> {
    const EXPECTED: &str = "an array of { pattern, device }: a regular expression, and \"CPU\" or the number of a card";
    let mut found = Vec::new();
    for (tensor, info) in header.tensors().enumerate() {
        let name = info.name().to_bytes();
        let device = device_of(given, &String::from_utf8_lossy(&name));
        if device.is_nan() {
            return Err(refused_option("overrideTensors", given, EXPECTED));
        }
        if device >= -1.0 {
            found.push(Override { tensor, card: (device >= 0.0).then_some(device as u32) });
        }
    }
    Ok(found)
}

fn cache_types(options: &Options, name: &str) -> Result<Option<Vec<GgmlType>>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let count = length(&given)?.filter(|count| given.is_object() && *count > 0);
    let count = count.ok_or_else(|| refused_option(name, &given, "an array of names of tensor types"))?;
    let types = (0..count).map(|index| tensor_type(&element(&given, index)?, &format!("{name}[{index}]")));
    types.collect::<Result<_, _>>().map(Some)
}

/// The GPU and the CPU of the estimates that are added, together.
fn beside(options: &Options, name: &str) -> Result<Option<[Device; 2]>, Thrown> {
    let expected = "an array of results of memory() with one GPU";
    let Some(parts) = options.converted(name, expected, device_parts_of)? else { return Ok(None) };
    let mut sums = [[0.0; 6]; 2];
    for (index, part) in parts.into_iter().enumerate() {
        sums[index / 6 % 2][index % 6] += part;
    }
    // NaN is not known, and is not a part of a sum.
    let known = |part: f64| (!part.is_nan()).then_some(part as u64);
    Ok(Some(sums.map(|[weights, cache, state, output, low, high]| {
        let compute = known(low).zip(known(high)).map(|(low, high)| ByteRange::new(low, high));
        Device::new("".into(), [weights, cache, state, output].map(known), compute)
    })))
}
