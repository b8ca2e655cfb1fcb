//! The shapes of tensors that ComfyUI-GGUF stores as rows of 256 elements.

use alloc::vec::Vec;

use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::{Value, ValueType};
use gguf_format::format::version::ORIGINAL_SHAPE;

/// The name of the tensor whose original shape an entry has. `None` if the entry has another key.
pub(crate) fn tensor_of_key(key: &[u8]) -> Option<&[u8]> {
    key.strip_prefix(ORIGINAL_SHAPE.as_bytes())
}

/// The dimensions that a tensor had before it was stored as rows of 256 elements, in the order of the file: the dimension whose elements
/// are adjacent comes first. `None` if the file says none, or says it wrongly.
///
/// ComfyUI-GGUF (December 2025) stores some tensors of Stable Diffusion 1 and XL so. It is the same data in the same order, so the index of
/// an element is the same in both shapes.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, ValueType, write::encode::{Encoder, OwnedValue}};
/// use gguf_models::image::original_shape;
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 1);
/// let shape = OwnedValue::array(ValueType::Int32, [32_i32, 32, 3, 3]);
/// file.kv(b"comfy.gguf.orig_shape.input_blocks.3.0.op.weight", &shape);
/// file.tensor_info(b"input_blocks.3.0.op.weight", &[256, 36], 1, 0);
///
/// let header = gguf_format::parse(file.as_bytes())?;
/// assert_eq!(original_shape(&header, b"input_blocks.3.0.op.weight"), Some(vec![3, 3, 32, 32]));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn original_shape(header: &Header, tensor: &[u8]) -> Option<Vec<u64>> {
    let shape = stored_shape(&header.get([ORIGINAL_SHAPE.as_bytes(), tensor].concat())?)?;
    let elements = header.tensor(tensor)?.element_count()?;
    (product(&shape) == Some(elements)).then_some(shape)
}

/// The most dimensions of an original shape. Tensors of PyTorch have at most 64.
const MOST_DIMENSIONS: u64 = 64;

/// The shape that an entry has, in the order of the file. `None` if it is no array of `INT32`, or has a negative number.
pub(crate) fn stored_shape(entry: &MetadataKv<'_>) -> Option<Vec<u64>> {
    let Value::Array(array) = entry.value() else { return None };
    if array.element_type() != ValueType::Int32 || array.len() > MOST_DIMENSIONS {
        return None;
    }
    let mut shape = Vec::new();
    for index in (0..array.len()).rev() {
        shape.push(array.get(index)?.as_u64()?);
    }
    Some(shape)
}

/// The number of elements of a shape. `None` if it does not fit in 64 bits.
pub(crate) fn product(shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(1_u64, |product, extent| product.checked_mul(*extent))
}
