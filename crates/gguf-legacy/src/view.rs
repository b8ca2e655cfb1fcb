//! A legacy model as a [`Header`], so that everything that works on an opened file works on it: values, previews, statistics.

use alloc::vec::Vec;

use super::header::{FieldValue, LegacyHeader};
use super::parts::JoinedTensor;
use gguf_format::decode::decoder::decode_known;
use gguf_format::error::Result;
use gguf_format::format::header::Header;
use gguf_format::format::value::ValueType;
use gguf_format::format::version::Format;
use gguf_format::tensor::block_types::BLOCK_TYPES;
use gguf_format::write::encode::Encoder;

/// A header with the hyperparameters, the vocabulary and the tensors, under the names that the file gives them. The offset of
/// a tensor is its position in the file. The entries are
///
/// ```text
/// n_vocab, n_embd, …                 UINT32 or FLOAT32: the hyperparameters
/// tokenizer.ggml.tokens, .scores     the vocabulary, if there is one
/// ```
pub(super) fn header_of(legacy: &LegacyHeader, tensors: &[JoinedTensor]) -> Result<Header> {
    let vocabulary = legacy.vocabulary.as_ref();
    let lists = vocabulary.map_or(0, |vocabulary| 1 + u64::from(vocabulary.has_scores()));
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, legacy.fields.len() as u64 + lists);
    for (name, value) in &legacy.fields {
        match value {
            FieldValue::Integer(value) => file.kv(name.as_bytes(), &(*value).into()),
            FieldValue::Float(value) => file.kv(name.as_bytes(), &(*value).into()),
        };
    }
    if let Some(vocabulary) = vocabulary {
        let count = vocabulary.len() as u64;
        file.key(b"tokenizer.ggml.tokens", ValueType::Array.id()).array(ValueType::String.id(), count);
        for token in vocabulary.tokens() {
            file.string(token.text);
        }
        if vocabulary.has_scores() {
            let scores: Vec<f32> = vocabulary.tokens().filter_map(|token| token.score).collect();
            file.key(b"tokenizer.ggml.scores", ValueType::Array.id())
                .array(ValueType::Float32.id(), count)
                .f32s(&scores);
        }
    }
    for tensor in tensors {
        file.tensor_info(&tensor.name, &tensor.dimensions, tensor.ggml_type.0, tensor.offset);
    }
    let mut header = decode_known(file.len(), &mut core::iter::once(file.as_bytes()))?;
    header.describe_other_file(BLOCK_TYPES);
    Ok(header)
}
