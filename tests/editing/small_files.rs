//! Small files for the tests of edits.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, ValueType};

use crate::gguf_bytes::GgufBytes;

/// A file with these tensors (name, dimensions, type, offset) and this number of bytes of data.
pub fn file_with_tensors(tensors: &[(&str, &[u64], u32, u64)], data: usize) -> Vec<u8> {
    let mut file = GgufBytes::new(Format::default());
    file.header(tensors.len() as u64, 0);
    for (name, dimensions, ggml_type, offset) in tensors {
        file.tensor(name.as_bytes(), dimensions, *ggml_type, *offset);
    }
    file.pad_to(32).bytes(&vec![7; data]);
    file.into_bytes()
}

/// A file with three entries and a tensor.
pub fn small_file() -> GgufBytes {
    let mut file = GgufBytes::new(Format::default());
    file.header(1, 3)
        .entry(b"number", &7u32.into())
        .entry(b"text", &"text".into())
        .entry(b"list", &OwnedValue::array(ValueType::String, ["a", "b", "c"]))
        .tensor(b"t", &[8], 0, 0)
        .pad_to(32)
        .bytes(&[1; 32]);
    file
}
