//! Whether `validate` says what llama.cpp says: single changes of tiny models, of which llama.cpp's own loader took some and
//! refused others.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use gguf_format::{Format, GgmlType, Header};
use gguf_models::validate::{Check, LoadAnswer, Severity, loads, validate};
use serde_json::Value as Json;

use crate::corpus::{folder, json, read};
use crate::gguf_bytes::GgufBytes;
use crate::long::in_long;

/// A file, as lists that a change is made in.
#[derive(Clone)]
struct File {
    /// The keys, with the bytes of the types and values.
    entries: Vec<(Vec<u8>, Vec<u8>)>,
    tensors: Vec<Tensor>,
}

#[derive(Clone)]
struct Tensor {
    name: String,
    dimensions: Vec<u64>,
    ggml_type: u32,
}

impl File {
    fn of(header: &Header, bytes: &[u8]) -> Self {
        let entry = |entry: gguf_format::MetadataKv<'_>| {
            let range = entry.value_range();
            (entry.key().to_bytes().into_owned(), bytes[range.start as usize - 4..range.end as usize].to_vec())
        };
        let tensor = |tensor: gguf_format::TensorInfo<'_>| Tensor {
            name: tensor.name().to_string_lossy().into_owned(),
            dimensions: tensor.dimensions().collect(),
            ggml_type: tensor.ggml_type().0,
        };
        Self { entries: header.metadata().map(entry).collect(), tensors: header.tensors().map(tensor).collect() }
    }

    fn change(&mut self, change: &Json) {
        let text = |name: &str| change[name].as_str().unwrap_or_else(|| panic!("{change} has no {name}"));
        let tensor = || text(if change["tensor"].is_string() { "tensor" } else { "name" }).to_owned();
        let dimensions =
            || change["dimensions"].as_array().unwrap().iter().map(|length| length.as_u64().unwrap()).collect();
        let place = |file: &Self| file.entries.iter().position(|(key, _)| *key == text("key").as_bytes());
        match text("op") {
            "remove" => {
                self.entries.remove(place(self).unwrap());
            }
            "set" => {
                let value = value_bytes(text("type"), &change["value"]);
                match place(self) {
                    Some(place) => self.entries[place].1 = value,
                    None => self.entries.push((text("key").into(), value)),
                }
            }
            "shorten" => {
                let place = place(self).unwrap();
                shorten(&mut self.entries[place].1);
            }
            "dropTensor" => self.tensors.retain(|own| own.name != tensor()),
            "renameTensor" => self.tensor_mut(&tensor()).name = text("to").into(),
            "shapeTensor" => self.tensor_mut(&tensor()).dimensions = dimensions(),
            "addTensor" => {
                assert_eq!(text("type"), "F32");
                self.tensors.push(Tensor { name: tensor(), dimensions: dimensions(), ggml_type: GgmlType::F32.0 });
            }
            other => panic!("there is no change {other}"),
        }
    }

    fn tensor_mut(&mut self, name: &str) -> &mut Tensor {
        self.tensors.iter_mut().find(|tensor| tensor.name == name).unwrap_or_else(|| panic!("no tensor {name}"))
    }

    /// The header, and the size of the whole file.
    fn encode(&self) -> (Vec<u8>, u64) {
        let mut bytes = GgufBytes::new(Format::default());
        bytes.header(self.tensors.len() as u64, self.entries.len() as u64);
        for (key, value) in &self.entries {
            bytes.string(key).bytes(value);
        }
        let mut offset = 0u64;
        for tensor in &self.tensors {
            bytes.string(tensor.name.as_bytes()).u32(tensor.dimensions.len() as u32);
            for length in &tensor.dimensions {
                bytes.count(*length);
            }
            bytes.u32(tensor.ggml_type).number(&offset.to_le_bytes());
            let info = GgmlType(tensor.ggml_type).info().unwrap();
            let elements: u64 = tensor.dimensions.iter().product();
            offset += (elements / u64::from(info.block_size) * u64::from(info.type_size)).next_multiple_of(32);
        }
        let size = bytes.len().next_multiple_of(32) + offset;
        (bytes.into_bytes(), size)
    }
}

/// The bytes of a type and a value.
fn value_bytes(value_type: &str, value: &Json) -> Vec<u8> {
    const NAMES: [&str; 13] = [
        "UINT8", "INT8", "UINT16", "INT16", "UINT32", "INT32", "FLOAT32", "BOOL", "STRING", "ARRAY", "UINT64", "INT64",
        "FLOAT64",
    ];
    let id = |name: &str| NAMES.iter().position(|own| *own == name).unwrap_or_else(|| panic!("{name}")) as u32;
    let mut bytes = id(value_type).to_le_bytes().to_vec();
    if value_type == "ARRAY" {
        let (element, values) = (value["element"].as_str().unwrap(), value["values"].as_array().unwrap());
        bytes.extend(id(element).to_le_bytes());
        bytes.extend((values.len() as u64).to_le_bytes());
        values.iter().for_each(|value| element_bytes(element, value, &mut bytes));
    } else {
        element_bytes(value_type, value, &mut bytes);
    }
    bytes
}

fn element_bytes(value_type: &str, value: &Json, bytes: &mut Vec<u8>) {
    let number =
        || value.as_i64().unwrap_or_else(|| value.as_u64().map_or(value.as_f64().unwrap_or(0.0) as i64, |n| n as i64));
    match value_type {
        "UINT8" | "INT8" => bytes.extend((number() as u8).to_le_bytes()),
        "BOOL" => bytes.push(u8::from(value.as_bool().unwrap_or_else(|| number() != 0))),
        "UINT16" | "INT16" => bytes.extend((number() as u16).to_le_bytes()),
        "UINT32" | "INT32" => bytes.extend((number() as u32).to_le_bytes()),
        "FLOAT32" => bytes.extend((value.as_f64().unwrap() as f32).to_le_bytes()),
        "STRING" => {
            let text = value.as_str().unwrap();
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        "UINT64" | "INT64" => bytes.extend(number().to_le_bytes()),
        "FLOAT64" => bytes.extend(value.as_f64().unwrap().to_le_bytes()),
        other => panic!("{other}"),
    }
}

/// Removes the last element of an array.
fn shorten(bytes: &mut Vec<u8>) {
    let element = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
    let length = u64::from_le_bytes(bytes[8..16].try_into().unwrap());
    let end = match element {
        8 => {
            let mut end = 16;
            for _ in 1..length {
                end += 8 + u64::from_le_bytes(bytes[end..end + 8].try_into().unwrap()) as usize;
            }
            end
        }
        _ => bytes.len() - [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8][element as usize],
    };
    bytes.truncate(end);
    bytes[8..16].copy_from_slice(&(length - 1).to_le_bytes());
}

/// What `validate` says: the first error, if there is one. `loads` says the same.
fn error_of(file: &[u8], size: u64) -> Option<String> {
    let header = match gguf_format::parse(file) {
        Ok(header) => header,
        Err(error) => return Some(error.to_string()),
    };
    let findings = validate(&header, Some(size));
    let first = findings.into_iter().find(|finding| finding.check.severity() == Severity::Error);
    let loads = loads(&header, Some(size));
    assert_eq!(loads.answer == LoadAnswer::No, first.is_some(), "{first:?} {loads:?}");
    let unknown =
        [Check::UnknownArchitecture, Check::UnknownTokenizer, Check::UnknownPreTokenizer, Check::UnknownTensorType];
    // What is unknown may be newer than this llama.cpp, so the answer is not `no`. This one refuses it.
    let newer = loads.reason.filter(|reason| loads.answer == LoadAnswer::Unknown && unknown.contains(&reason.check));
    let first = first.or(newer)?;
    Some(format!("{} {}", first.check.code(), first.message))
}

#[derive(Default)]
struct Tally {
    refused: usize,
    missed: usize,
    loaded: usize,
    false_alarms: usize,
}

/// The models and their changes, with the folder of each: those of August, with the answers that changed until October, and those of
/// October.
fn models() -> Option<Vec<(PathBuf, Json)>> {
    let folder = folder()?;
    let [august, october] = ["08", "10"].map(|month| folder.join(format!("llama-cpp-2026-{month}/loader")));
    let lines = |loader: &PathBuf| -> Vec<(PathBuf, Json)> {
        let index = String::from_utf8(read(&loader.join("index.jsonl"))).unwrap();
        index.lines().map(|line| (loader.join("bases"), serde_json::from_str(line).unwrap())).collect()
    };
    let mut models = lines(&august);
    for changed in json(&october.join("changed.json"))["models"].as_array().unwrap() {
        let (_, model) = models.iter_mut().find(|(_, model)| model["file"] == changed["file"]).unwrap();
        for change in changed["changed"].as_array().unwrap() {
            let index = change["index"].as_u64().unwrap() as usize;
            model["mutations"][index]["result"] = change["result"].clone();
        }
    }
    models.extend(lines(&october));
    for mut model in json(&october.join("bases-only.json")).as_array().unwrap().clone() {
        assert_eq!(model["result"], "loads");
        model["mutations"] = Json::Array(Vec::new());
        models.push((october.join("bases"), model));
    }
    Some(models)
}

#[test]
fn it_refuses_what_llama_cpp_refuses() {
    let Some(models) = models() else { return };
    let (mut by_kind, mut by_model) = (BTreeMap::<String, Tally>::new(), BTreeMap::<String, Tally>::new());
    let mut total = Tally::default();
    let mut details = String::new();
    for (bases, base) in models {
        let name = base["file"].as_str().unwrap();
        let bytes = read(&bases.join(name));
        let header = gguf_format::parse(&bytes).unwrap();
        let original = File::of(&header, &bytes);
        let size = base["file_size"].as_u64().unwrap();
        if let Some(error) = error_of(&bytes, size) {
            writeln!(details, "{name} {error}").unwrap();
            total.false_alarms += 1000;
            continue;
        }
        let changes = base["mutations"].as_array().unwrap();
        for change in changes.iter().step_by(in_long(1, 11)) {
            let result = change["result"].as_str().unwrap();
            if result == "crashes" {
                continue;
            }
            let mut file = original.clone();
            file.change(change);
            let (bytes, size) = file.encode();
            let error = error_of(&bytes, size);
            let is_refused = result == "refused";
            let kind = change["op"].as_str().unwrap().to_owned();
            for tally in [&mut total, by_kind.entry(kind).or_default(), by_model.entry(name.into()).or_default()] {
                *(if is_refused { &mut tally.refused } else { &mut tally.loaded }) += 1;
                tally.missed += usize::from(is_refused && error.is_none());
                tally.false_alarms += usize::from(!is_refused && error.is_some());
            }
            if is_refused != error.is_some() {
                writeln!(details, "{name} {change} {}", error.unwrap_or_default()).unwrap();
            }
        }
    }
    let mut table = String::new();
    for (name, tally) in by_kind.iter().chain(&by_model).chain([(&"all".to_owned(), &total)]) {
        let Tally { refused, missed, loaded, false_alarms } = tally;
        writeln!(
            table,
            "{name}: {missed} of {refused} refused are missed, {false_alarms} of {loaded} loaded are false alarms"
        )
        .unwrap();
    }
    if let Some(path) = std::env::var_os("GGUF_LOADER_REPORT") {
        std::fs::write(path, format!("{table}\n{details}")).unwrap();
    }
    assert!(total.missed * 100 <= total.refused, "{table}");
    assert!(total.false_alarms * 500 <= total.loaded + total.refused, "{table}");
}

/// Headers that llama.cpp loaded, of nearly every architecture.
#[test]
fn it_accepts_what_llama_cpp_loads() {
    let Some(folder) = folder() else { return };
    let memory = folder.join("llama-cpp-2026-08/memory");
    let index = json(&memory.join("index.json"));
    let models = index["models"].as_array().unwrap();
    assert!(models.len() > 100, "{}", models.len());
    for model in models {
        let name = model["file"].as_str().unwrap();
        assert_eq!(error_of(&read(&memory.join(name)), model["file_size"].as_u64().unwrap()), None, "{name}");
    }
}
