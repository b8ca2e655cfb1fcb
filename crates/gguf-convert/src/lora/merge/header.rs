//! The header of a model with adapters.

use alloc::vec::Vec;

use gguf_format::error::{Result, no_memory};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::header::Header;
use gguf_format::format::version::Format;
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::write::checks::{check_header_size, check_tensor_name};
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::write::plan::MAX_PADDING;

const FILE_TYPE: &str = "general.file_type";

/// A tensor of the new file.
pub(super) struct NewTensor {
    /// The position of the tensor in the model.
    pub index: usize,
    pub name: Vec<u8>,
    pub dimensions: Vec<u64>,
    pub ggml_type: GgmlType,
    pub byte_length: u64,
    /// The offset in the new file. [`encode`] sets it.
    pub position: u64,
}

/// Places the tensors, and encodes the header with its padding. Returns the size of the file, too. `file_type` is the new value of
/// `general.file_type`, which moves to the end, as in gguf.cpp.
///
/// # Errors
///
/// `limit-exceeded` if the file becomes too large, `too-large` if the memory for the header cannot be allocated.
pub(super) fn encode(model: &Header, tensors: &mut [NewTensor], file_type: Option<u32>) -> Result<(Vec<u8>, u64)> {
    let alignment = model.alignment();
    if alignment > MAX_PADDING {
        return Err(no_memory(alignment));
    }
    let kept = |key: &[u8]| file_type.is_none() || key != FILE_TYPE.as_bytes();
    let entries = || model.metadata().filter(|entry| kept(&entry.key().to_bytes()));
    let mut encoder = Encoder::new(Format { version: 3, endian: model.format().endian });
    // Version 1 has shorter lengths.
    encoder.reserve(model.header_size().saturating_mul(2)).map_err(|_| no_memory(model.header_size()))?;
    encoder.header(tensors.len() as u64, (entries().count() + usize::from(file_type.is_some())) as u64);
    for entry in entries() {
        encoder.key(&entry.key().to_bytes(), entry.value_type().id());
        encoder.copy_values(entry.storage(), entry.value_type(), 1, entry.value_range().start);
    }
    if let Some(file_type) = file_type {
        encoder.kv(FILE_TYPE.as_bytes(), &OwnedValue::Uint32(file_type));
    }
    let mut offset = 0_u64;
    for tensor in &mut *tensors {
        check_tensor_name(&tensor.name)?;
        encoder.tensor_info(&tensor.name, &tensor.dimensions, tensor.ggml_type.0, offset);
        tensor.position = offset;
        let end = offset.checked_add(tensor.byte_length).and_then(|end| end.checked_next_multiple_of(alignment));
        offset = end.filter(|end| *end <= MAX_FILE_SIZE).ok_or_else(
            || gguf_format::error::error!(LimitExceeded: "the new file would have more than {MAX_FILE_SIZE} bytes"),
        )?;
    }
    check_header_size(encoder.len())?;
    encoder.pad_to(alignment);
    for tensor in tensors {
        tensor.position += encoder.len();
    }
    let size = encoder.len() + offset;
    Ok((encoder.into_bytes(), size))
}
