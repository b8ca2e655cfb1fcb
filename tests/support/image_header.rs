//! Headers of image models: an entry, if there is one, and tensors one after the other.

use gguf_format::write::encode::Encoder;
use gguf_format::{Format, GgmlType, Header, parse};

/// A header with one entry, a text, and tensors of a type: a name, and dimensions. A tensor without dimensions has 64 × 2 elements.
pub fn image_header<'a>(
    entry: Option<(&str, &str)>,
    ggml_type: GgmlType,
    tensors: impl ExactSizeIterator<Item = (&'a str, &'a [u64])>,
) -> Header {
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, u64::from(entry.is_some()));
    if let Some((key, value)) = entry {
        file.kv(key.as_bytes(), &value.into());
    }
    let mut offset = 0;
    for (name, dimensions) in tensors {
        let dimensions = if dimensions.is_empty() { &[64, 2] } else { dimensions };
        file.tensor_info(name.as_bytes(), dimensions, ggml_type.0, offset);
        offset += ggml_type.byte_length(dimensions.iter().product(), dimensions[0]).unwrap().next_multiple_of(32);
    }
    parse(file.as_bytes()).unwrap()
}

/// The entry with an architecture. `None` if it is empty.
pub fn architecture(name: &str) -> Option<(&str, &str)> {
    (!name.is_empty()).then_some(("general.architecture", name))
}
