//! The sample: a small model file that viewers and tests open, made here from nothing.
//!
//! It has the metadata, the vocabulary and the tensors of a model of the Llama family, over nearly
//! all tensor types, and values that look trained. The bytes are the same on every machine.

mod half;
mod metadata;
mod quantize;
mod random;
mod shape;
mod tensors;
mod vocabulary;
mod weights;
pub mod words;

use std::path::Path;
use std::{fs, io};

use gguf_wasm::Format;
use gguf_wasm::encode::Encoder;

use vocabulary::Vocabulary;

/// What the data section and every tensor in it begin at a multiple of.
const ALIGNMENT: u64 = 32;

/// Writes the sample, and the folder it lies in where that is missing.
pub fn write(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes())
}

/// The whole file.
fn bytes() -> Vec<u8> {
    let tensors = tensors::all();
    let parameters = tensors.iter().map(tensors::Tensor::parameters).sum();
    let entries = metadata::entries(parameters, Vocabulary::generate());

    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, entries.len() as u64);
    for (key, value) in &entries {
        file.kv(key.as_bytes(), value);
    }
    let mut data = Encoder::new(Format::default());
    for (seed, tensor) in tensors.iter().enumerate() {
        file.tensor_info(tensor.name.as_bytes(), &tensor.dimensions, tensor.encoding.ggml_type.0, data.len());
        data.bytes(&tensor.data(seed as u64)).pad_to(ALIGNMENT);
    }
    file.pad_to(ALIGNMENT).bytes(data.as_bytes());
    file.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_what_llama_cpp_demands() {
        let file = bytes();
        let header = gguf_wasm::parse(&file).unwrap();
        let mut keys: Vec<_> = header.metadata().map(|entry| entry.key().to_string()).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len() as u64, header.metadata_count());

        // Tensors follow one another without gaps, and the last one's padding ends the file.
        let mut offset = 0;
        for tensor in header.tensors() {
            assert_eq!(tensor.offset(), offset, "{}", tensor.name());
            offset += tensor.byte_length().unwrap().next_multiple_of(ALIGNMENT);
        }
        assert_eq!(header.data_offset() + offset, file.len() as u64);
        assert_eq!(header.tensor_count(), 48);
        assert!((3_000_000..6_500_000).contains(&file.len()), "{}", file.len());
    }
}
