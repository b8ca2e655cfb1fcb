//! The stored tensors as a GGUF file, so that everything that works on an opened file works on them: values, previews, statistics.

use alloc::vec::Vec;

use super::file::{ConvertedFile, TensorData};
use super::plan::HubModel;
use super::tensors::content::{Content, Operation, Values};
use super::tensors::encoding::Encoding;
use super::tensors::input::{Input, Inputs, is_readable};
use super::tensors::view::View;
use crate::safetensors::StoredTensor;
use gguf_format::error::Result;
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::version::Format;
use gguf_format::io::Source;
use gguf_format::write::encode::{Encoder, OwnedValue};

/// The alignment of the tensors.
const ALIGNMENT: u64 = 32;

/// The GGUF type that shows a stored tensor: the type with the same elements, else F32 if it has the same values. `None` if neither exists,
/// or if the tensor has no elements.
pub(super) fn view_type(tensor: &StoredTensor) -> Option<GgmlType> {
    let data_type = tensor.data_type;
    let same = data_type.ggml_type();
    same.or_else(|| is_readable(data_type).then_some(GgmlType::F32)).filter(|_| tensor.element_count() > 0)
}

/// The stored tensors as a GGUF file that is computed when it is read, under their own names. Its only entry is `general.name`.
///
/// Types that GGUF does not have become F32, which has the same values: 8-bit floats, without their scales, truth values and
/// unsigned bytes. Tensors of other types, and tensors without elements, are left out.
///
/// # Errors
///
/// `too-large` if the memory for the header cannot be allocated.
pub(super) fn stored_file<S: Source>(model: &HubModel<S>) -> Result<ConvertedFile<S>> {
    let shown: Vec<(usize, &StoredTensor, GgmlType)> =
        model.tensors.tensors().filter_map(|(part, tensor)| Some((part, tensor, view_type(tensor)?))).collect();
    let mut header = Encoder::new(Format::default());
    header.header(shown.len() as u64, 1);
    header.kv(b"general.name", &OwnedValue::String(model.folder.as_bytes().to_vec()));
    let (mut list, mut places, mut offset) = (Vec::new(), Vec::new(), 0_u64);
    for (part, tensor, ggml_type) in shown {
        // A tensor without dimensions has one element.
        let shape = if tensor.shape.is_empty() { vec![1] } else { tensor.shape.clone() };
        let dimensions: Vec<u64> = shape.iter().rev().copied().collect();
        header.tensor_info(tensor.name.as_bytes(), &dimensions, ggml_type.0, offset);
        let view = View::whole(list.len(), &shape);
        let content = match tensor.data_type.ggml_type() {
            Some(_) => Content::Stored(view),
            None => Content::Values(Values { views: vec![view], operation: Operation::Keep }),
        };
        let elements = tensor.element_count();
        let length = ggml_type.byte_length(elements, 1).unwrap_or(0);
        places.push((offset..offset + length, ggml_type, shape.clone(), content));
        offset = (offset + length).next_multiple_of(ALIGNMENT);
        list.push(Input {
            part,
            range: tensor.range.clone(),
            data_type: tensor.data_type,
            shape,
            encoding: Encoding::Plain,
        });
    }
    header.pad_to(ALIGNMENT);
    let header = header.into_bytes();
    let start = header.len() as u64;
    let size = places.last().map_or(start, |(range, ..)| start + range.end);
    let data = places.into_iter().map(|(range, ggml_type, shape, content)| {
        TensorData::new(start + range.start..start + range.end, ggml_type, &shape, content)
    });
    let inputs = Inputs { model: model.tensors.clone(), list };
    ConvertedFile::new(inputs, header, data.collect(), size)
}
