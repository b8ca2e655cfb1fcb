//! Every run of the reference converter: the same keys, the same tensors, the same bytes.

use std::path::Path;

use gguf_format::io::{Source, block_on};
use gguf_format::{Header, Value};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::folder::{index, plan};

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A value as the index writes it. The elements of arrays are hashed if there are more than 32 of them.
fn shown(value: &Value<'_>, is_any_order: bool) -> String {
    match value {
        Value::Float32(number) => format!("FLOAT32 {:08x}", number.to_bits()),
        Value::String(text) if text.to_bytes().len() > 400 => {
            format!("STRING {} {}", text.to_bytes().len(), sha256(&text.to_bytes()))
        }
        Value::String(text) => format!("STRING {}", text.to_string_lossy()),
        Value::Array(array) if array.len() > 32 => {
            let mut bytes = Vec::new();
            for element in array.iter() {
                match element {
                    Value::String(text) => {
                        bytes.extend_from_slice(&(text.to_bytes().len() as u64).to_le_bytes());
                        bytes.extend_from_slice(&text.to_bytes());
                    }
                    Value::Float32(number) => bytes.extend_from_slice(&number.to_le_bytes()),
                    Value::Int32(number) => bytes.extend_from_slice(&number.to_le_bytes()),
                    Value::Uint8(number) => bytes.push(number),
                    other => panic!("an array of {:?}", other.value_type()),
                }
            }
            format!("ARRAY {} {} {}", array.element_type().name(), array.len(), sha256(&bytes))
        }
        Value::Array(array) => {
            let mut elements: Vec<String> = array.iter().map(|element| shown(&element, false)).collect();
            if is_any_order {
                elements.sort();
            }
            format!("ARRAY {} {elements:?}", array.element_type().name())
        }
        Value::Bool(value) => format!("BOOL {value}"),
        Value::Int32(value) => format!("INT32 {value}"),
        other => {
            format!("{} {}", other.value_type().name(), other.as_u64().map_or_else(|| "?".into(), |n| n.to_string()))
        }
    }
}

/// An entry of the index in the same form.
fn expected(entry: &Json, is_any_order: bool) -> String {
    let text = |value: &Json| match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    match (entry["type"].as_str().unwrap(), entry["sha256"].as_str()) {
        ("FLOAT32", _) => format!("FLOAT32 {}", entry["bits"].as_str().unwrap().trim_start_matches("0x")),
        ("ARRAY", Some(hash)) => format!("ARRAY {} {} {hash}", entry["elem"].as_str().unwrap(), entry["len"]),
        ("ARRAY", None) => {
            let name = entry["elem"].as_str().unwrap();
            let values = entry["values"].as_array().unwrap().iter();
            let number = |value: &Json| format!("{:08x}", (value.as_f64().unwrap() as f32).to_bits());
            let element = |value: &Json| if name == "FLOAT32" { number(value) } else { text(value) };
            let mut elements: Vec<String> = values.map(|value| format!("{name} {}", element(value))).collect();
            if is_any_order {
                elements.sort();
            }
            format!("ARRAY {name} {elements:?}")
        }
        (name, Some(hash)) => format!("{name} {} {hash}", entry["len"]),
        (name, None) => format!("{name} {}", text(&entry["value"])),
    }
}

/// What may differ from the reference.
struct Allowed<'a> {
    /// The keys whose elements may come in any order.
    any_order: Vec<&'a str>,
    /// The names, with `*`, of tensors whose values torch does not round correctly: see the README of the corpus.
    tensors: Vec<&'a str>,
}

impl<'a> Allowed<'a> {
    fn of(index: &'a Json, model: &'a Json) -> Self {
        let any_order = index["any_order"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
        let rules = model["tolerance"].as_array().into_iter().flatten();
        let tensors = rules.map(|rule| rule["tensor"].as_str().unwrap()).collect();
        Self { any_order, tensors }
    }

    /// Whether the values of a tensor may differ.
    fn is_tolerated(&self, name: &str) -> bool {
        self.tensors.iter().any(|pattern| {
            let mut parts = pattern.split('*');
            let start = parts.next().unwrap_or_default();
            let rest = name.strip_prefix(start);
            parts
                .fold(rest, |rest, part| rest.and_then(|rest| rest.find(part).map(|at| &rest[at + part.len()..])))
                .is_some()
        })
    }
}

/// Whether the numbers of two tensors of F32 are at most one unit in the last place apart. Where the index has no values, whatever
/// the numbers are.
fn is_close(data: &[u8], wanted: &Json) -> bool {
    let Some(hex) = wanted["hex"].as_str() else { return true };
    let wanted: Vec<u8> =
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
    let bits = |bytes: &[u8]| -> Vec<i64> {
        bytes.chunks(4).map(|word| i64::from(u32::from_le_bytes(word.try_into().unwrap()))).collect()
    };
    let (own, wanted) = (bits(data), bits(&wanted));
    own.len() == wanted.len() && own.iter().zip(&wanted).all(|(a, b)| (a - b).abs() <= 1)
}

/// What differs from a recorded output.
fn differences(header: &Header, file: &[u8], output: &Json, allowed: &Allowed<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let own: Vec<(String, String)> = header
        .metadata()
        .map(|entry| {
            let key = entry.key().to_string_lossy().into_owned();
            let value = shown(&entry.value(), allowed.any_order.contains(&&*key));
            (key, value)
        })
        .collect();
    let entries = output["kv"].as_array().unwrap().iter();
    let wanted: Vec<(String, String)> = entries
        .map(|entry| {
            let key = entry["key"].as_str().unwrap();
            (key.into(), expected(entry, allowed.any_order.contains(&key)))
        })
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
        let is_equal = sha256(data) == wanted["sha256"].as_str().unwrap();
        if !(is_equal || allowed.is_tolerated(name) && is_close(data, wanted)) {
            found.push(format!("{name}: other data ({ggml_type} {dims:?})"));
        }
    }
    found
}

/// Makes the files of the accepted runs that are chosen, and compares them with the recorded ones. Returns how many there were.
pub fn assert_runs(folder: &Path, index: &Json, is_chosen: impl Fn(&Json, &Json) -> bool) -> usize {
    let (mut failures, mut count, mut equal_files) = (Vec::new(), 0, 0);
    for model in index["models"].as_array().unwrap() {
        let allowed = Allowed::of(index, model);
        let runs = model["runs"].as_array().unwrap().iter();
        for run in runs.filter(|run| run["exit"] == 0 && is_chosen(model, run)) {
            count += 1;
            let id = run["id"].as_str().unwrap();
            let plan = match plan(folder, model, run) {
                Ok(plan) => plan,
                Err(error) => {
                    failures.push(format!("{id}: {}: {error}", error.code()));
                    continue;
                }
            };
            let file = block_on(plan.file().read(0..plan.size())).unwrap();
            let file = file.as_slice();
            if sha256(file) == run["output"]["sha256"].as_str().unwrap() {
                equal_files += 1;
                continue;
            }
            let header = gguf_format::parse(file).unwrap();
            let found = differences(&header, file, &run["output"], &allowed);
            let is_allowed =
                !allowed.tensors.is_empty() || allowed.any_order.iter().any(|key| header.get(key).is_some());
            if found.is_empty() && !is_allowed {
                failures.push(format!("{id}: other bytes between the tensors"));
            }
            println!("{id} has other bytes");
            failures.extend(found.into_iter().take(3).map(|difference| format!("{id}: {difference}")));
        }
    }
    println!("{equal_files} of {count} files have the bytes of the reference");
    assert!(failures.is_empty(), "{} differences in {count} runs:\n{}", failures.len(), failures.join("\n"));
    count
}

#[test]
fn every_accepted_run_gives_the_file_of_the_reference() {
    let Some((folder, index)) = index() else { return };
    let count = assert_runs(&folder, &index, |_, _| true);
    assert!(count > 90, "the corpus is not whole: {count} runs");
}
