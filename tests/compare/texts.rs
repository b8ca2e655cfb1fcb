//! Small files, and differences as short texts.

use gguf_files::compare::{Comparison, EntryDifference, TensorDifference};
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, Header, parse};

use crate::gguf_bytes::GgufBytes;

pub const F32: u32 = 0;
pub const F16: u32 = 1;

/// A tensor of one dimension: its name, type and number of elements.
pub type Tensor<'a> = (&'a str, u32, u64);

/// A header with these entries and tensors.
pub fn header_of(format: Format, entries: &[(&str, OwnedValue)], tensors: &[Tensor<'_>]) -> Header {
    let mut file = GgufBytes::new(format);
    file.header(tensors.len() as u64, entries.len() as u64);
    for (key, value) in entries {
        file.entry(key.as_bytes(), value);
    }
    for (index, (name, ggml_type, count)) in tensors.iter().enumerate() {
        file.tensor(name.as_bytes(), &[*count], *ggml_type, index as u64 * 32);
    }
    parse(file.as_bytes()).unwrap()
}

/// A header with these entries and no tensors.
pub fn entries_only(entries: &[(&str, OwnedValue)]) -> Header {
    header_of(Format::default(), entries, &[])
}

/// An array of texts.
pub fn texts(texts: &[&str]) -> OwnedValue {
    let elements = texts.iter().map(|text| OwnedValue::String(text.as_bytes().to_vec())).collect();
    OwnedValue::Array { element_type: gguf_format::ValueType::String, elements }
}

/// The differences of the metadata: `changed general.name`, with `*` for moved ones.
pub fn entry_texts(comparison: &Comparison, a: &Header, b: &Header) -> Vec<String> {
    let text = |difference: &EntryDifference| {
        let key = |header: &Header, index: Option<usize>| {
            index.map(|index| header.metadata_at(index).unwrap().key().to_string_lossy().into_owned())
        };
        let (key_a, key_b) = (key(a, difference.a), key(b, difference.b));
        assert!(key_a.is_none() || key_b.is_none() || key_a == key_b);
        let star = if difference.is_moved { "*" } else { "" };
        format!("{}{star} {}", difference.change.name(), key_a.or(key_b).unwrap())
    };
    comparison.entries().iter().map(text).collect()
}

/// The differences of the tensors, in the same form.
pub fn tensor_texts(comparison: &Comparison, a: &Header, b: &Header) -> Vec<String> {
    let text = |difference: &TensorDifference| {
        let name = |header: &Header, index: Option<usize>| {
            index.map(|index| header.tensor_at(index).unwrap().name().to_string_lossy().into_owned())
        };
        let star = if difference.is_moved { "*" } else { "" };
        let name = name(a, difference.a).or_else(|| name(b, difference.b)).unwrap();
        format!("{}{star} {name}", difference.change.name())
    };
    comparison.tensors().iter().map(text).collect()
}
