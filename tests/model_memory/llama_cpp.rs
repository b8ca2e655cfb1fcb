//! Every setting of every model in `corpus/llama-cpp-2026-10/memory`: the bytes of each part equal those that llama.cpp allocated.

use gguf_format::GgmlType;
use gguf_models::memory::{self, Cache, MemoryEstimate, MemoryOptions, MemoryRefusal};
use serde_json::Value;

use crate::corpus;

/// The share of settings whose compute buffer lies in the estimated range, for models with the shapes of published ones.
const LEAST_IN_RANGE: f64 = 0.98;

/// The most that a compute buffer is above the range, as a share of its high end.
pub(super) const MOST_ABOVE: f64 = 0.05;

#[test]
fn every_part_equals_what_llama_cpp_allocates() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("llama-cpp-2026-10/memory");
    let index = corpus::json(&folder.join("index.json"));
    let (mut settings_seen, mut refusals_seen) = (0, 0);
    let (mut ranges_seen, mut in_range) = (0, 0);
    let mut failures = Vec::new();
    for model in index["models"].as_array().unwrap() {
        let name = model["file"].as_str().unwrap();
        let header = gguf_format::parse(&corpus::read(&folder.join(name))).unwrap();
        for setting in model["settings"].as_array().unwrap() {
            let options = options_of(setting);
            let what = format!("{name} {options:?}");
            settings_seen += 1;
            if let Some(refused) = setting["refused"].as_str() {
                refusals_seen += 1;
                assert_eq!(memory::estimate(&header, &options), Err(refusal(refused, &options)), "{what}");
                continue;
            }
            if setting["aborts"] == true {
                continue;
            }
            let estimate = memory::estimate(&header, &options).unwrap();
            let result = &setting["result"];
            failures.extend(different_parts(&estimate, result).map(|difference| format!("{what}: {difference}")));
            let (range, measured) = (estimate.compute.unwrap(), result["compute_bytes"].as_u64().unwrap());
            if range.low == 0 || range.high > 3 * range.low {
                failures.push(format!("{what}: {range:?}"));
            }
            if model["kind"] == "tiny" {
                continue;
            }
            ranges_seen += 1;
            if (range.low..=range.high).contains(&measured) {
                in_range += 1;
            } else {
                println!("{what}: {measured} is not in {range:?}");
            }
            if measured as f64 > (1.0 + MOST_ABOVE) * range.high as f64 {
                failures.push(format!("{what}: {measured} and {range:?}"));
            }
        }
    }
    println!("{in_range} of {ranges_seen} compute buffers are in the estimated range");
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
    assert!(settings_seen > 2000 && refusals_seen > 50 && ranges_seen > 1500);
    assert!(f64::from(in_range) >= LEAST_IN_RANGE * f64::from(ranges_seen), "{in_range} of {ranges_seen}");
}

/// The refusal that corresponds to a message of llama.cpp.
fn refusal(message: &str, options: &MemoryOptions) -> MemoryRefusal {
    if message.contains("does not support different K") {
        MemoryRefusal::DifferentTypes
    } else if message.contains("quantized V cache requires flash_attn") {
        MemoryRefusal::QuantizedValues
    } else if message.contains("K cache type") && message.contains("does not divide") {
        MemoryRefusal::BlockSize(options.key_type)
    } else if message.contains("V cache type") && message.contains("does not divide") {
        MemoryRefusal::BlockSize(options.value_type)
    } else {
        panic!("{message}")
    }
}

/// What of an estimate differs from what llama.cpp allocated.
fn different_parts(estimate: &MemoryEstimate, result: &Value) -> impl Iterator<Item = String> {
    let number = |member: &str| result[member].as_u64().unwrap();
    let caches = estimate.caches.as_ref().unwrap();
    let state = estimate.state.as_ref();
    let of_caches: u64 = caches.iter().map(|cache| cache.key_bytes + cache.value_bytes).sum();
    let of_context = of_caches + state.map_or(0, |state| state.bytes());
    let mut caches: Vec<_> = caches.iter().map(cache).collect();
    let of_cache = |cache: &Value| {
        let count = |member: &str| cache[member].as_u64().unwrap().to_string();
        let bytes = |member: &str| format!("{:.2}", cache[member].as_f64().unwrap());
        [count("cells"), count("layers"), count("streams"), bytes("key_mib"), bytes("value_mib")]
    };
    let mut expected_caches: Vec<_> = result["kv"].as_array().unwrap().iter().map(of_cache).collect();
    caches.sort();
    expected_caches.sort();
    let state =
        state.map(|state| [state.cells.to_string(), mebibytes(state.input_bytes), mebibytes(state.state_bytes)]);
    let of_state = |state: &Value| {
        let bytes = |member: &str| format!("{:.2}", state[member].as_f64().unwrap());
        [state["cells"].as_u64().unwrap().to_string(), bytes("r_mib"), bytes("s_mib")]
    };
    let expected_state: Vec<_> = result["recurrent"].as_array().unwrap().iter().map(of_state).collect();
    let pairs = [
        ("context length", format!("{:?}", estimate.context_length), format!("{:?}", Some(number("n_ctx")))),
        ("weights", estimate.weights.as_ref().unwrap().total.to_string(), number("model_bytes").to_string()),
        ("caches and states", of_context.to_string(), number("context_bytes").to_string()),
        ("caches", format!("{caches:?}"), format!("{expected_caches:?}")),
        ("states", format!("{:?}", state.into_iter().collect::<Vec<_>>()), format!("{expected_state:?}")),
        ("output", mebibytes(estimate.output_bytes.unwrap()), format!("{:.2}", result["output_mib"].as_f64().unwrap())),
    ];
    pairs
        .into_iter()
        .filter(|(_, own, expected)| own != expected)
        .map(|(part, own, expected)| format!("{part}: {own} instead of {expected}"))
}

fn cache(cache: &Cache) -> [String; 5] {
    let [keys, values] = [cache.key_bytes, cache.value_bytes].map(mebibytes);
    [cache.cells.to_string(), cache.layer_indices.len().to_string(), cache.streams.to_string(), keys, values]
}

/// A size as llama.cpp prints it.
pub(super) fn mebibytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / f64::from(1 << 20))
}

/// The options of a setting. All of the model is on the CPU, as in llama.cpp's run.
fn options_of(setting: &Value) -> MemoryOptions {
    let number = |member: &str| u32::try_from(setting[member].as_u64().unwrap()).unwrap();
    let is_set = |member: &str| setting[member].as_bool().unwrap();
    let mut options = MemoryOptions::default();
    options.context_length = Some(number("n_ctx").into()).filter(|length| *length > 0);
    options.sequences = number("n_seq");
    options.unified = is_set("unified");
    options.batch = number("n_batch");
    options.micro_batch = number("n_ubatch");
    options.flash_attention = is_set("flash_attn");
    options.key_type = cache_type(setting["type_k"].as_str().unwrap());
    options.value_type = cache_type(setting["type_v"].as_str().unwrap());
    options.full_window_cache = is_set("swa_full");
    options.gpu_layers = Some(0);
    options
}

pub(super) fn cache_type(name: &str) -> GgmlType {
    let found = gguf_format::format::GGML_TYPES.iter().find(|info| info.name.eq_ignore_ascii_case(name));
    GgmlType(found.unwrap_or_else(|| panic!("{name}")).id)
}
