//! Every run of the reference converter: the same keys, the same tensors, the same bytes.

use gguf_wasm::io::{Source, block_on};
use gguf_wasm::{Header, Value, ValueType};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::folder::{arguments, index, plan};

/// The keys that are neither of the model card nor of the vocabulary.
fn is_of_model(key: &str) -> bool {
    let general = ["general.architecture", "general.type", "general.file_type", "general.quantization_version"];
    general.contains(&key) || !key.starts_with("general.") && !key.starts_with("tokenizer.")
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A value as the index writes it.
fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Float32(number) => format!("FLOAT32 {:08x}", number.to_bits()),
        Value::String(text) => format!("STRING {}", text.to_string_lossy()),
        Value::Array(array) => {
            let elements: Vec<String> = array.iter().map(|element| shown(&element)).collect();
            format!("ARRAY {:?} {elements:?}", array.element_type())
        }
        Value::Bool(value) => format!("BOOL {value}"),
        other => {
            format!("{} {}", other.value_type().name(), other.as_u64().map_or_else(|| "?".into(), |n| n.to_string()))
        }
    }
}

/// An entry of the index in the same form.
fn expected(entry: &Json) -> String {
    let text = |value: &Json| match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    match entry["type"].as_str().unwrap() {
        "FLOAT32" => format!("FLOAT32 {}", entry["bits"].as_str().unwrap().trim_start_matches("0x")),
        "ARRAY" => {
            let name = entry["elem"].as_str().unwrap();
            let element_type = ValueType::ALL.iter().find(|value_type| value_type.name() == name).unwrap();
            let values = entry["values"].as_array().unwrap().iter();
            let elements: Vec<String> = values.map(|value| format!("{name} {}", text(value))).collect();
            format!("ARRAY {element_type:?} {elements:?}")
        }
        name => format!("{name} {}", text(&entry["value"])),
    }
}

/// What differs from a recorded output.
fn differences(header: &Header, file: &[u8], output: &Json, tolerance: &Json) -> Vec<String> {
    let mut found = Vec::new();
    let own: Vec<(String, String)> = header
        .metadata()
        .map(|entry| (entry.key().to_string_lossy().into_owned(), shown(&entry.value())))
        .filter(|(key, _)| is_of_model(key))
        .collect();
    let wanted: Vec<(String, String)> = output["kv"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| is_of_model(entry["key"].as_str().unwrap()))
        .map(|entry| (entry["key"].as_str().unwrap().into(), expected(entry)))
        .collect();
    if own != wanted {
        let position = own.iter().zip(&wanted).position(|(a, b)| a != b).unwrap_or(own.len().min(wanted.len()));
        found.push(format!("entry {position}: {:?} instead of {:?}", own.get(position), wanted.get(position)));
    }
    let tensors = output["tensors"].as_array().unwrap();
    let names: Vec<_> = header.tensors().map(|tensor| tensor.name().to_string_lossy().into_owned()).collect();
    let wanted: Vec<_> = tensors.iter().map(|tensor| tensor["name"].as_str().unwrap()).collect();
    if names != wanted {
        let position = names.iter().zip(&wanted).position(|(a, b)| a != b).unwrap_or(names.len().min(wanted.len()));
        found.push(format!("tensor {position}: {:?} instead of {:?}", names.get(position), wanted.get(position)));
        return found;
    }
    for (tensor, wanted) in header.tensors().zip(tensors) {
        let name = wanted["name"].as_str().unwrap();
        let dims: Vec<u64> = wanted["dims"].as_array().unwrap().iter().map(|length| length.as_u64().unwrap()).collect();
        let own_dims: Vec<u64> = tensor.dimensions().collect();
        let ggml_type = tensor.ggml_type().to_string();
        if own_dims != dims || ggml_type != wanted["type"].as_str().unwrap() {
            found.push(format!("{name}: {ggml_type} {own_dims:?} instead of {} {dims:?}", wanted["type"]));
            continue;
        }
        if tensor.offset() != wanted["offset"].as_u64().unwrap() {
            found.push(format!("{name}: offset {}", tensor.offset()));
        }
        let start = (header.data_offset() + tensor.offset()) as usize;
        let data = &file[start..start + tensor.byte_length().unwrap() as usize];
        // Values that torch does not round correctly: see the README of the corpus.
        let is_tolerated = tolerance
            .as_array()
            .into_iter()
            .flatten()
            .any(|rule| name.ends_with(rule["tensor"].as_str().unwrap().trim_start_matches('*')));
        if !is_tolerated && sha256(data) != wanted["sha256"].as_str().unwrap() {
            found.push(format!("{name}: other data ({ggml_type} {dims:?})"));
        }
    }
    found
}

#[test]
fn every_accepted_run_has_the_keys_and_the_tensors_of_the_reference() {
    let Some((folder, index)) = index() else { return };
    let (mut failures, mut count) = (Vec::new(), 0);
    for model in index["models"].as_array().unwrap() {
        let path = folder.join(model["folder"].as_str().unwrap());
        for run in model["runs"].as_array().unwrap().iter().filter(|run| run["exit"] == 0) {
            let arguments = arguments(run);
            if arguments.contains(&"--vocab-only") {
                continue;
            }
            count += 1;
            let id = run["id"].as_str().unwrap();
            let plan = match plan(&path, &arguments) {
                Ok(plan) => plan,
                Err(error) => {
                    failures.push(format!("{id}: {}: {error}", error.code()));
                    continue;
                }
            };
            let file = block_on(plan.file().read(0..plan.size())).unwrap();
            let header = gguf_wasm::parse(file.as_slice()).unwrap();
            let found = differences(&header, file.as_slice(), &run["output"], &model["tolerance"]);
            failures.extend(found.into_iter().take(3).map(|difference| format!("{id}: {difference}")));
        }
    }
    assert!(count > 90, "the corpus is not whole: {count} runs");
    assert!(failures.is_empty(), "{} differences in {count} runs:\n{}", failures.len(), failures.join("\n"));
}
