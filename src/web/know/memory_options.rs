//! The options of `memory` and `largestContext`.

use alloc::format;

use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::format::ggml_type::{GGML_TYPES, GgmlType};
use crate::know::memory::{MemoryOptions as Settings, MemoryRefusal};
use crate::web::interop::error::failure;
use crate::web::interop::options::Options;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** The settings with which llama.cpp would load a model. */
export interface MemoryOptions {
  /** The context in tokens, of all sequences together. Default: the length that the model was trained for. */
  contextLength?: number;
  /** The number of sequences that are computed side by side, such as conversations: 1 to 256. Default: 1. */
  sequences?: number;
  /** Whether the sequences share one cache. Default: false. */
  unified?: boolean;
  /** The most tokens of one call. Default: 2048. */
  batch?: number;
  /** The most tokens that are computed at once. Default: 512. */
  microBatch?: number;
  /** Whether attention is computed without storing its scores. Default: true. */
  flashAttention?: boolean;
  /** The type of the keys in the cache: `"F16"`, `"Q8_0"` and so on. Default: `"F16"`. */
  keyType?: string;
  /** The type of the values in the cache. Quantised types need flash attention. Default: `"F16"`. */
  valueType?: string;
  /** Whether layers with a sliding window have a cache for the whole context. Default: false. */
  swaFull?: boolean;
  /** The number of layers on the GPU, the last ones first. The output counts as one more. Default: all. */
  gpuLayers?: number;
  /** The number of layers, from the first one on, whose experts stay on the CPU. Default: 0. */
  cpuExperts?: number;
  /** The estimates of other files that are loaded beside the model, such as a projector. Their devices are added. */
  beside?: readonly MemoryEstimate[];
}

/** What `largestContext` takes. */
export interface LargestContextOptions extends Omit<MemoryOptions, "contextLength"> {
  /** The memory of the GPU, in bytes. */
  bytes: number;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "MemoryOptions")]
    pub type MemoryOptions;
    #[wasm_bindgen(typescript_type = "LargestContextOptions")]
    pub type LargestContextOptions;
}

/// The settings that a caller has given.
///
/// # Errors
///
/// `invalid-argument` if an option has a value of no use.
pub(crate) fn settings(options: &Options) -> Result<Settings, JsValue> {
    let mut settings = Settings::default();
    if let Some(length) = options.number("contextLength", 1.0)? {
        settings.context_length = Some(length as u64);
    }
    let count = |name, least, default| -> Result<u32, JsValue> {
        Ok(options.number(name, least)?.map_or(default, |number| number as u32))
    };
    settings.sequences = count("sequences", 1.0, settings.sequences)?;
    settings.batch = count("batch", 1.0, settings.batch)?;
    settings.micro_batch = count("microBatch", 1.0, settings.micro_batch)?;
    settings.cpu_experts = count("cpuExperts", 0.0, settings.cpu_experts)?;
    settings.gpu_layers = options.number("gpuLayers", 0.0)?.map(|count| count as u32);
    settings.unified = options.flag("unified", settings.unified)?;
    settings.flash_attention = options.flag("flashAttention", settings.flash_attention)?;
    settings.full_window_cache = options.flag("swaFull", settings.full_window_cache)?;
    settings.key_type = cache_type(options, "keyType", settings.key_type)?;
    settings.value_type = cache_type(options, "valueType", settings.value_type)?;
    Ok(settings)
}

fn cache_type(options: &Options, name: &str, default: GgmlType) -> Result<GgmlType, JsValue> {
    let Some(given) = options.get(name)? else { return Ok(default) };
    let named = given.as_string();
    let found = named.and_then(|named| GGML_TYPES.iter().find(|info| info.name.eq_ignore_ascii_case(&named)));
    let found = found.ok_or_else(|| options.refused(name, &given, "the name of a tensor type, such as \"F16\""))?;
    Ok(GgmlType(found.id))
}

/// The error of settings that llama.cpp refuses.
pub(crate) fn refused(refusal: &MemoryRefusal) -> JsValue {
    failure(ErrorCode::InvalidArgument, &format!("{refusal}"))
}
