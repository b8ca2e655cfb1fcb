//! The header of a tensor in a file before GGUF.
//!
//! ```text
//! dimension count  u32
//! name length      u32
//! type             u32
//! dimensions       u32 each, fastest first
//! name             bytes
//! padding          zeros up to the alignment of the container, counted from the start of the file
//! data
//! ```

use alloc::vec::Vec;

use super::container::BlockRules;
use super::family::Layout;
use super::type_numbers::type_of_id;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error, no_memory};
use gguf_format::format::ggml_type::{GgmlType, MOST_ELEMENTS};
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::tensor::block_types::block_type_info;

/// The longest names and tokens, in bytes. llama.cpp's migration script has the same limit.
pub(super) const LONGEST_TEXT: u64 = 4095;

/// A tensor of a file before GGUF.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LegacyTensor {
    /// The name, which should be UTF-8.
    pub name: Vec<u8>,
    /// The number of elements in each dimension, fastest first.
    pub dimensions: Vec<u64>,
    /// The number of the type in the file.
    pub type_id: u32,
    /// The type: one of [`BLOCK_TYPES`](gguf_format::tensor::block_types::BLOCK_TYPES), or of GGUF.
    pub ggml_type: GgmlType,
    /// The position of the tensor's header, in bytes from the start of the file.
    pub header_offset: u64,
    /// The position of the data, in bytes from the start of the file.
    pub offset: u64,
    /// The size of the data in bytes.
    pub byte_length: u64,
}

impl LegacyTensor {
    /// The number of elements.
    pub fn element_count(&self) -> u64 {
        self.dimensions.iter().product()
    }

    /// The position after the data.
    pub fn end(&self) -> u64 {
        self.offset + self.byte_length
    }
}

/// How to read the headers of tensors.
#[derive(Clone, Copy)]
pub(super) struct TensorRules {
    pub layout: Layout,
    pub block_rules: BlockRules,
    pub alignment: u64,
}

/// What bytes are, read as the header of a tensor.
pub(super) enum TensorHeader {
    /// Not all bytes of the header have arrived. It has at least this number of bytes.
    Incomplete(u64),
    Complete(LegacyTensor),
}

impl TensorRules {
    /// Reads the header of a tensor at the position `at` of the file, from the bytes that begin there.
    pub fn read(&self, bytes: &[u8], at: u64) -> Result<TensorHeader> {
        let number =
            |index: usize| bytes.get(4 * index..).and_then(<[u8]>::first_chunk).copied().map(u32::from_le_bytes);
        let (Some(count), Some(name_length), Some(type_id)) = (number(0), number(1), number(2)) else {
            return Ok(TensorHeader::Incomplete(12));
        };
        if count == 0 || count > self.layout.max_dimensions {
            let most = self.layout.max_dimensions;
            return Err(error!(BadStructure:
                "cannot read the tensor at offset {at:#x}: it has {count} dimensions, expected 1 to {most}. {DAMAGED}")
            .at(at));
        }
        if u64::from(name_length) > LONGEST_TEXT {
            return Err(error!(BadStructure:
                "cannot read the tensor at offset {at:#x}: its name has {name_length} bytes, expected at most {LONGEST_TEXT}. {DAMAGED}")
            .at(at + 4));
        }
        let rules = self.block_rules;
        let known = type_of_id(type_id, self.layout.type_numbers, rules);
        let Some((ggml_type, info)) = known.and_then(|known| Some((known, block_type_info(known)?))) else {
            return Err(error!(UnknownType:
                "cannot read the tensor at offset {at:#x}: its type is {type_id}, which files with block rules {} do not have. \
                 {DAMAGED}", rules.name()).at(at + 8));
        };
        let name_start = 12 + 4 * count as usize;
        let name_end = name_start + name_length as usize;
        let Some(name) = bytes.get(name_start..name_end) else { return Ok(TensorHeader::Incomplete(name_end as u64)) };
        let mut dimensions = Vec::new();
        dimensions.extend((3..3 + count as usize).filter_map(number).map(u64::from));
        let refuse = |found: &str| {
            Err(error!(BadStructure: "cannot read the tensor \"{}\" at offset {at:#x}: {found}. {DAMAGED}", Shown(name)).at(at + 12))
        };
        if dimensions.contains(&0) {
            return refuse("a dimension is 0, expected 1 or more");
        }
        let row_length = dimensions[0];
        if !row_length.is_multiple_of(info.block_size.into()) {
            return refuse(&format!(
                "a row has {row_length} elements, expected a multiple of the {} of a block of {}",
                info.block_size, info.name
            ));
        }
        let elements = dimensions.iter().try_fold(1, |product: u64, length| product.checked_mul(*length));
        let elements = elements.filter(|count| *count <= MOST_ELEMENTS);
        let end = at + name_end as u64;
        let offset = end.checked_next_multiple_of(self.alignment);
        let byte_length = elements.and_then(|elements| info.byte_length(elements, row_length));
        let (Some(offset), Some(byte_length)) = (offset, byte_length) else {
            return refuse("it has more elements than can be counted");
        };
        if offset.checked_add(byte_length).is_none_or(|end| end > MAX_FILE_SIZE) {
            return refuse(&format!("its data would have {byte_length} bytes, and end beyond any file"));
        }
        let mut copied = Vec::new();
        copied.try_reserve_exact(name.len()).map_err(|_| no_memory(name.len() as u64))?;
        copied.extend_from_slice(name);
        Ok(TensorHeader::Complete(LegacyTensor {
            name: copied,
            dimensions,
            type_id,
            ggml_type,
            header_offset: at,
            offset,
            byte_length,
        }))
    }
}

/// What to do if the structure of a file contradicts itself.
pub(super) const DAMAGED: &str =
    "The file is damaged, or its header names another version than its content. Download it again.";
