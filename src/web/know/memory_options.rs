//! The options of `memory` and `largestContext`.

use wasm_bindgen::prelude::*;

use crate::format::ggml_type::{GGML_TYPES, GgmlType};
use crate::know::memory::{MemoryOptions as Settings, MemoryRefusal};
use crate::web::interop::{Options, failure, options};

options! {
    /// The settings with which llama.cpp would load a model, but for the length of the context.
    pub interface LoadOptions {
        /// The number of sequences that are computed side by side, such as conversations: 1 to 256. Default: 1.
        sequences?: "number";
        /// Whether the sequences share one cache. Default: false.
        unified?: "boolean";
        /// The most tokens of one call. Default: 2048.
        batch?: "number";
        /// The most tokens that are computed at once. Default: 512.
        microBatch?: "number";
        /// Whether attention is computed without storing its scores. Default: true.
        flashAttention?: "boolean";
        /// The type of the keys in the cache: `"F16"`, `"Q8_0"` and so on. Default: `"F16"`.
        keyType?: "string";
        /// The type of the values in the cache. Quantised types need flash attention. Default: `"F16"`.
        valueType?: "string";
        /// Whether layers with a sliding window have a cache for the whole context. Default: false.
        swaFull?: "boolean";
        /// The number of layers on the GPU, the last ones first. The output counts as one more. Default: all.
        gpuLayers?: "number";
        /// The number of layers, from the first one on, whose experts stay on the CPU. Default: 0.
        cpuExperts?: "number";
        /// The estimates of other files that are loaded beside the model, such as a projector. Their devices are added; parts of them that are
        /// not known add nothing.
        beside?: "readonly MemoryEstimate[]";
    }
}

options! {
    /// The settings with which llama.cpp would load a model.
    pub interface MemoryOptions extends LoadOptions {
        /// The context in tokens, of all sequences together, at most 4,294,967,295 once it is rounded. Default: the length that the model was
        /// trained for.
        contextLength?: "number";
    }
}

options! {
    /// What `largestContext` takes.
    pub interface LargestContextOptions extends LoadOptions {
        /// The memory of the GPU, in bytes.
        bytes: "number";
    }
}

/// The settings that a caller has given.
///
/// # Errors
///
/// `invalid-argument` if an option has a value of no use.
pub(crate) fn settings(options: &Options) -> Result<Settings, JsValue> {
    let default = Settings::default();
    let given = |name, least| -> Result<Option<u32>, JsValue> {
        let number = whole_number(options, name, least)?;
        Ok(number.map(|number| number.try_into().unwrap_or(u32::MAX)))
    };
    let count = |name, least, default| Ok::<_, JsValue>(given(name, least)?.unwrap_or(default));
    Ok(Settings {
        context_length: whole_number(options, "contextLength", 1.0)?,
        sequences: count("sequences", 1.0, default.sequences)?,
        unified: options.flag("unified", default.unified)?,
        batch: count("batch", 1.0, default.batch)?,
        micro_batch: count("microBatch", 1.0, default.micro_batch)?,
        flash_attention: options.flag("flashAttention", default.flash_attention)?,
        key_type: cache_type(options, "keyType", default.key_type)?,
        value_type: cache_type(options, "valueType", default.value_type)?,
        full_window_cache: options.flag("swaFull", default.full_window_cache)?,
        gpu_layers: given("gpuLayers", 0.0)?,
        cpu_experts: count("cpuExperts", 0.0, default.cpu_experts)?,
    })
}

fn whole_number(options: &Options, name: &str, least: f64) -> Result<Option<u64>, JsValue> {
    let Some(number) = options.number(name, least)? else { return Ok(None) };
    if number % 1.0 != 0.0 {
        return Err(options.refused(name, &number.into(), "a whole number"));
    }
    Ok(Some(number as u64))
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
    failure!(InvalidArgument: "{refusal}")
}
