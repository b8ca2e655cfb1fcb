//! The sample: a small generated model file, for the app and for tests.
//!
//! It has the metadata, the vocabulary and the tensors of a model of the Llama family, and uses nearly all tensor types. Its weights mean
//! something: [`circuits`] says what the model computes. The bytes are the same on every machine.

mod circuits;
mod embedding;
mod metadata;
mod random;
#[cfg(test)]
mod running;
mod shape;
mod tensors;
mod vocabulary;
mod weights;
pub mod words;

use std::path::Path;
use std::{fs, io};

use gguf_format::write::Writer;
use gguf_format::{Error, Format};

use vocabulary::Vocabulary;

/// Writes the sample, and creates its folder if it is missing.
pub fn write(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes().map_err(io::Error::other)?)
}

/// The whole file.
fn bytes() -> Result<Vec<u8>, Error> {
    let vocabulary = Vocabulary::generate();
    let tensors = tensors::all(&vocabulary.tokens);
    let parameters = tensors.iter().map(tensors::Tensor::parameters).sum();

    let mut writer = Writer::new(Format::default())?;
    for (key, value) in &metadata::entries(parameters, &vocabulary) {
        writer.add(key.as_bytes(), value)?;
    }
    for tensor in &tensors {
        writer.add_tensor(tensor.name.as_bytes(), &tensor.dimensions, tensor.ggml_type)?;
    }
    let mut file = writer.header()?;
    for (seed, (tensor, place)) in tensors.iter().zip(writer.tensors()).enumerate() {
        file.extend(tensor.data(seed as u64)?);
        file.resize((place.position() + place.padded_length()) as usize, 0);
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_what_llama_cpp_demands() {
        let file = bytes().unwrap();
        let header = gguf_format::parse(&file).unwrap();
        let alignment = header.alignment();
        let mut keys: Vec<_> = header.metadata().map(|entry| entry.key().to_string()).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len() as u64, header.metadata_count());

        // The tensors follow one another without gaps, and the file ends with the padding of the last tensor.
        let mut offset = 0;
        for tensor in header.tensors() {
            assert_eq!(tensor.offset(), offset, "{}", tensor.name());
            offset += tensor.byte_length().unwrap().next_multiple_of(alignment);
        }
        assert_eq!(header.data_offset() + offset, file.len() as u64);
        assert_eq!(header.tensor_count(), 48);
        assert!((3_000_000..6_500_000).contains(&file.len()), "{}", file.len());
    }
}
