//! Compares every file of the corpus with the dump of an independent reader.

use std::collections::HashMap;
use std::path::Path;

use gguf_format::{Array, Endian, Header, MetadataKv, TensorInfo, Value};
use serde_json::Value as Json;

use crate::corpus;

#[test]
fn files_match_their_dumps() {
    let Some(folder) = corpus::folder() else { return };
    let index = corpus::json(&folder.join("files/index.json"));
    let files = index["files"].as_array().unwrap();
    assert!(files.len() >= 57, "{} files", files.len());
    for file in files {
        let path = folder.join("files").join(text(&file["file"]));
        check_file(&path, &folder.join("files").join(text(&file["expected"])));
    }
}

#[test]
fn real_model_matches_its_dump() {
    let Some(folder) = corpus::folder() else { return };
    let index = corpus::json(&folder.join("real/index.json"));
    let mut stored = 0;
    for file in index["files"].as_array().unwrap() {
        let path = folder.join("real").join(text(&file["file"]));
        if path.is_file() {
            check_file(&path, &folder.join("real").join(text(&file["expected"])));
            stored += 1;
        }
    }
    assert!(stored > 0, "no model is stored");
}

fn check_file(path: &Path, expected: &Path) {
    println!("{}", path.display());
    let bytes = corpus::read(path);
    let expected = corpus::json(expected);
    assert_eq!(bytes.len() as u64, number(&expected["size"]));
    let header = gguf_format::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    check_header(&header, &expected);
    check_metadata(&header, &bytes, expected["kv"].as_array().unwrap());
    check_tensors(&header, expected["tensors"].as_array().unwrap());
}

fn check_header(header: &Header, expected: &Json) {
    let endian = if expected["endian"] == "little" { Endian::Little } else { Endian::Big };
    assert_eq!(header.format().endian, endian);
    assert_eq!(u64::from(header.format().version), number(&expected["version"]));
    assert_eq!(header.metadata_count(), number(&expected["kv_count"]));
    assert_eq!(header.tensor_count(), number(&expected["tensor_count"]));
    assert_eq!(header.alignment(), number(&expected["alignment"]));
    assert_eq!(header.header_size(), number(&expected["meta_end"]));
    assert_eq!(header.data_offset(), number(&expected["data_offset"]));
}

fn check_metadata(header: &Header, file: &[u8], expected: &[Json]) {
    assert_eq!(header.metadata().len(), expected.len());
    let mut first = HashMap::new();
    for (index, (kv, expected)) in header.metadata().zip(expected).enumerate() {
        check_kv(&kv, file, expected);
        let key = bytes_of(&expected["key"]);
        let first_index = *first.entry(key.clone()).or_insert(index);
        assert_eq!(header.get(&key).map(|kv| kv.index()), Some(first_index), "{kv:?}");
    }
    for missing in missing_names(first.keys()) {
        assert!(header.get(&missing).is_none(), "{missing:?}");
    }
}

fn check_kv(kv: &MetadataKv<'_>, file: &[u8], expected: &Json) {
    assert_eq!(*kv.key().to_bytes(), bytes_of(&expected["key"]));
    assert_eq!(kv.value_type().name(), text(&expected["type"]), "{kv:?}");
    assert_eq!(u64::from(kv.value_type().id()), number(&expected["type_id"]));
    let start = number(&expected["value_offset"]);
    let range = start..start + number(&expected["value_nbytes"]);
    assert_eq!(kv.value_range(), range, "{kv:?}");
    match kv.value() {
        Value::Array(array) => check_array(&array, expected),
        value => check_value(&value, &file[range.start as usize..range.end as usize], &expected["value"], None),
    }
}

/// Every number of a float array is also in `hex`, digit for digit.
fn check_array(array: &Array<'_>, expected: &Json) {
    assert_eq!(array.element_type().name(), text(&expected["subtype"]));
    assert_eq!(u64::from(array.element_type().id()), number(&expected["subtype_id"]));
    assert_eq!(array.len(), number(&expected["len"]));
    let expected_elements = expected["value"].as_array().unwrap();
    assert_eq!(array.iter().len(), expected_elements.len());
    let bytes = array.to_bytes();
    let size = array.element_type().size().unwrap_or(0) as usize;
    for (index, (value, expected_value)) in array.iter().zip(expected_elements).enumerate() {
        let stored = &bytes[index * size..(index + 1) * size];
        let digits = expected["hex"].as_str().map(|hex| &hex[index * 2 * size..(index + 1) * 2 * size]);
        check_value(&value, stored, expected_value, digits);
    }
    // A step of a prime number covers every distance from the stored offsets.
    let step = if array.len() > 4096 { 37 } else { 1 };
    for index in (0..array.len()).step_by(step) {
        let value = array.get(index).unwrap();
        let digits = expected["hex"].as_str().map(|hex| &hex[index as usize * 2 * size..][..2 * size]);
        let stored = &bytes[index as usize * size..][..size];
        check_value(&value, stored, &expected_elements[index as usize], digits);
    }
    assert!(array.get(array.len()).is_none());
}

fn check_value(value: &Value<'_>, stored: &[u8], expected: &Json, digits: Option<&str>) {
    match value {
        Value::Float32(number) => assert_eq!(format!("{:08x}", number.to_bits()), digits_of(expected, digits)),
        Value::Float64(number) => assert_eq!(format!("{:016x}", number.to_bits()), digits_of(expected, digits)),
        Value::Bool(truth) => {
            let byte = u64::from(stored[0]);
            match expected {
                Json::Bool(expected) => assert_eq!((*truth, byte), (*expected, u64::from(*expected))),
                other => assert_eq!((*truth, byte), (other["bool"].as_bool().unwrap(), number(&other["byte"]))),
            }
        }
        Value::String(text) => assert_eq!(*text.to_bytes(), bytes_of(expected)),
        Value::Array(array) => check_array(array, expected),
        Value::Uint64(number) => assert_eq!(number.to_string(), integer(expected)),
        integer_value => assert_eq!(integer_value.as_i64().unwrap().to_string(), integer(expected)),
    }
}

fn check_tensors(header: &Header, expected: &[Json]) {
    assert_eq!(header.tensors().len(), expected.len());
    let mut first = HashMap::new();
    for (index, (tensor, expected)) in header.tensors().zip(expected).enumerate() {
        check_tensor(&tensor, expected);
        let name = bytes_of(&expected["name"]);
        let first_index = *first.entry(name.clone()).or_insert(index);
        assert_eq!(header.tensor(&name).map(|tensor| tensor.index()), Some(first_index), "{tensor:?}");
    }
    for missing in missing_names(first.keys()) {
        assert!(header.tensor(&missing).is_none(), "{missing:?}");
    }
}

fn check_tensor(tensor: &TensorInfo<'_>, expected: &Json) {
    assert_eq!(*tensor.name().to_bytes(), bytes_of(&expected["name"]));
    let dimensions: Vec<u64> = expected["dims"].as_array().unwrap().iter().map(number).collect();
    assert!(tensor.dimensions().eq(dimensions.iter().copied()), "{tensor:?}");
    assert_eq!(tensor.dimensions().len() as u64, number(&expected["n_dims"]));
    assert_eq!(tensor.element_count(), Some(number(&expected["n_elements"])), "{tensor:?}");
    assert_eq!(u64::from(tensor.ggml_type().0), number(&expected["type_id"]));
    assert_eq!(tensor.ggml_type().to_string(), text(&expected["type"]));
    let info = tensor.ggml_type().info().unwrap();
    assert_eq!(u64::from(info.block_size), number(&expected["block_size"]), "{tensor:?}");
    assert_eq!(u64::from(info.type_size), number(&expected["type_size"]), "{tensor:?}");
    assert_eq!(tensor.offset(), number(&expected["offset"]), "{tensor:?}");
    assert_eq!(tensor.file_offset(), Some(number(&expected["abs_offset"])), "{tensor:?}");
    assert_eq!(tensor.byte_length(), Some(number(&expected["nbytes"])), "{tensor:?}");
}

/// Missing names that sort before, between and after the names of the file.
fn missing_names<'a>(names: impl Iterator<Item = &'a Vec<u8>> + Clone) -> Vec<Vec<u8>> {
    let present: Vec<&Vec<u8>> = names.clone().collect();
    let longer = names.clone().take(50).map(|name| [name.as_slice(), b"\0"].concat());
    let shorter = names.take(50).filter(|name| name.len() > 1).map(|name| name[..name.len() - 1].to_vec());
    let outermost = [vec![], b"missing".to_vec(), vec![0xff; 9]];
    longer.chain(shorter).chain(outermost).filter(|name| !present.contains(&name)).collect()
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_else(|| panic!("not a string: {json}"))
}

fn number(json: &Json) -> u64 {
    integer(json).parse().unwrap_or_else(|_| panic!("not a number: {json}"))
}

/// The dump has integers beyond 2^53 as strings.
fn integer(json: &Json) -> String {
    json.as_str().map_or_else(|| json.to_string(), str::to_owned)
}

/// The dump has bytes that are not UTF-8 in base64.
fn bytes_of(json: &Json) -> Vec<u8> {
    match json["b64"].as_str() {
        Some(digits) => decode_base64(digits),
        None => text(json).as_bytes().to_vec(),
    }
}

fn digits_of<'a>(json: &'a Json, digits: Option<&'a str>) -> &'a str {
    digits.unwrap_or_else(|| text(&json["hex"]))
}

fn decode_base64(digits: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = digits.trim_end_matches('=').bytes();
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in digits {
        bits = bits << 6 | ALPHABET.iter().position(|&letter| letter == digit).unwrap() as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
