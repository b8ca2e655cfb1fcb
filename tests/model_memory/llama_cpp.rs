//! Every setting of every model in `corpus/memory`: the bytes of each part equal those that llama.cpp allocated.

use gguf_wasm::GgmlType;
use gguf_wasm::memory::{self, Cache, MemoryEstimate, MemoryOptions, MemoryRefusal};
use serde_json::Value;

use crate::corpus;

/// The share of settings whose compute buffer lies in the estimated range.
const LEAST_IN_RANGE: f64 = 0.98;

#[test]
fn every_part_equals_what_llama_cpp_allocates() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("memory");
    let index = corpus::json(&folder.join("index.json"));
    let (mut settings_seen, mut in_range) = (0, 0);
    for model in index["models"].as_array().unwrap() {
        let name = model["file"].as_str().unwrap();
        let header = gguf_wasm::parse(&corpus::read(&folder.join(name))).unwrap();
        for setting in model["settings"].as_array().unwrap() {
            let options = options_of(setting);
            let what = format!("{name} {options:?}");
            if let Some(refused) = setting["refused"].as_str() {
                assert!(refused.contains("V cache quantization requires flash_attn"), "{refused}");
                assert_eq!(memory::estimate(&header, &options), Err(MemoryRefusal::QuantizedValues), "{what}");
                continue;
            }
            let estimate = memory::estimate(&header, &options).unwrap();
            assert_parts(&estimate, model, setting, &what);
            let (range, measured) = (estimate.compute.unwrap(), setting["compute_bytes"].as_u64().unwrap());
            assert!(range.high <= 3 * range.low, "{what}: {range:?}");
            settings_seen += 1;
            if (range.low..=range.high).contains(&measured) {
                in_range += 1;
            } else {
                println!("{what}: {measured} is not in {range:?}");
            }
        }
    }
    println!("{in_range} of {settings_seen} compute buffers are in the estimated range");
    assert!(settings_seen > 1000);
    assert!(f64::from(in_range) >= LEAST_IN_RANGE * f64::from(settings_seen), "{in_range} of {settings_seen}");
}

fn assert_parts(estimate: &MemoryEstimate, model: &Value, setting: &Value, what: &str) {
    let number = |value: &Value| value.as_u64().unwrap();
    let printed = &setting["printed"];
    assert_eq!(estimate.context_length, Some(number(&printed["n_ctx"])), "{what}");
    assert_eq!(estimate.weights.as_ref().unwrap().total, number(&model["model_bytes"]), "{what}");
    let cache = |cache: &Cache| {
        [cache.cells, cache.layer_indices.len() as u64, cache.streams, cache.key_bytes, cache.value_bytes]
    };
    let expected_cache =
        |cache: &Value| ["cells", "layers", "streams", "k_bytes", "v_bytes"].map(|member| number(&cache[member]));
    let caches: Vec<_> = estimate.caches.as_ref().unwrap().iter().map(cache).collect();
    let expected: Vec<_> = setting["kv"].as_array().unwrap().iter().map(expected_cache).collect();
    assert_eq!(caches, expected, "{what}");
    let state = estimate
        .state
        .iter()
        .map(|state| [state.cells, state.layer_indices.len() as u64, state.input_bytes, state.state_bytes]);
    let expected_state = |state: &Value| ["cells", "layers", "r_bytes", "s_bytes"].map(|member| number(&state[member]));
    let expected: Vec<_> = setting["recurrent"].as_array().unwrap().iter().map(expected_state).collect();
    assert_eq!(state.collect::<Vec<_>>(), expected, "{what}");
    assert_eq!(estimate.output_bytes, Some(number(&setting["output_bytes"])), "{what}");
}

/// The options of a setting. All of the model is on the CPU, as in llama.cpp's run.
pub fn options_of(setting: &Value) -> MemoryOptions {
    let number = |member: &str| u32::try_from(setting[member].as_u64().unwrap()).unwrap();
    let is_set = |member: &str| setting[member].as_bool().unwrap();
    let mut options = MemoryOptions::default();
    options.context_length = Some(number("n_ctx").into());
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

fn cache_type(name: &str) -> GgmlType {
    let found = gguf_wasm::format::GGML_TYPES.iter().find(|info| info.name.eq_ignore_ascii_case(name));
    GgmlType(found.unwrap_or_else(|| panic!("{name}")).id)
}
