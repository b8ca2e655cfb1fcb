//! A tensor of a new file.

use alloc::vec::Vec;

use super::sizes::Sizes;
use crate::error::{Error, ErrorCode, Result};
use crate::format::ggml_type::{GgmlType, MOST_ELEMENTS};
use crate::write::checks::lossy;

/// The most dimensions of a tensor in ggml: `GGML_MAX_DIMS`.
const MAX_DIMENSIONS: usize = 4;

/// The stored part of a [`NewTensor`].
pub(super) struct Tensor {
    pub dimensions: Vec<u64>,
    pub ggml_type: GgmlType,
    /// The offset from the start of the data section.
    pub offset: u64,
    pub byte_length: u64,
}

/// A tensor of a new file.
#[derive(Clone, Copy)]
pub struct NewTensor<'a> {
    pub(super) index: usize,
    pub(super) name: &'a [u8],
    pub(super) tensor: &'a Tensor,
    /// The sizes of the parts of the file.
    pub(super) sizes: Sizes,
}

impl<'a> NewTensor<'a> {
    /// The position of the tensor in the file's list.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name.
    pub fn name(&self) -> &'a [u8] {
        self.name
    }

    /// The dimensions in elements, the fastest first.
    pub fn dimensions(&self) -> &'a [u64] {
        &self.tensor.dimensions
    }

    /// The type of the elements.
    pub fn ggml_type(&self) -> GgmlType {
        self.tensor.ggml_type
    }

    /// The size of the data in bytes.
    pub fn byte_length(&self) -> u64 {
        self.tensor.byte_length
    }

    /// The size in bytes of the data and of the zeros after it, up to the data of the next tensor or the end of the file.
    pub fn padded_length(&self) -> u64 {
        self.byte_length().next_multiple_of(self.sizes.alignment)
    }

    /// The offset of the data, in bytes from the start of the data section.
    pub fn offset(&self) -> u64 {
        self.tensor.offset
    }

    /// The offset of the data, in bytes from the start of the file.
    pub fn position(&self) -> u64 {
        self.sizes.data_offset() + self.offset()
    }
}

/// The size in bytes of the data of a tensor.
///
/// # Errors
///
/// `unknown-type`, `limit-exceeded`, `does-not-fit`: see [`Writer::add_tensor`](crate::write::Writer::add_tensor).
#[doc(hidden)]
pub fn byte_length(name: &[u8], dimensions: &[u64], ggml_type: GgmlType) -> Result<u64> {
    let refuse =
        |kind, found: &str| Err(Error::new(kind, format!("cannot add the tensor \"{}\": {found}", lossy(name))));
    let Some(info) = ggml_type.info().filter(|info| !info.is_removed()) else {
        return refuse(ErrorCode::UnknownType, &format!("ggml has no type {ggml_type}"));
    };
    let count = dimensions.len();
    if count > MAX_DIMENSIONS {
        let found = format!("it has {count} dimensions; ggml has at most {MAX_DIMENSIONS}");
        return refuse(ErrorCode::LimitExceeded, &found);
    }
    let (row_length, block_size) = (dimensions.first().copied().unwrap_or(1), info.block_size);
    if !row_length.is_multiple_of(block_size.into()) {
        let found = format!(
            "a row has {row_length} elements, which is no multiple of the {block_size} elements of a {ggml_type} block"
        );
        return refuse(ErrorCode::DoesNotFit, &found);
    }
    // Readers multiply all dimensions, so the product of the others must not overflow even if one dimension is 0.
    let product = dimensions.iter().try_fold(1_u64, |product, extent| product.checked_mul((*extent).max(1)));
    let bytes = product
        .filter(|product| *product < MOST_ELEMENTS)
        .and_then(|product| ggml_type.byte_length(if dimensions.contains(&0) { 0 } else { product }, row_length));
    match bytes {
        Some(bytes) => Ok(bytes),
        None => refuse(ErrorCode::LimitExceeded, &format!("ggml accepts fewer than {MOST_ELEMENTS} elements")),
    }
}
