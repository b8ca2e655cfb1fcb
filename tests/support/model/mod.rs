//! A model of a file and of changes to it, written as simply as possible: values are owned, and whole files are in memory. It
//! uses no encoder, plan or edit of the crate. Tests compare the crate with it.

#![allow(dead_code, reason = "not every test uses all of it")]

mod changes;
mod file;

use gguf_format::Format;
use gguf_format::format::GgmlTypeInfo;

use crate::gguf_bytes::GgufBytes;
use crate::model_value::ModelValue;

pub use file::{Expected, OldFile};

pub const ALIGNMENT: &[u8] = b"general.alignment";

/// The allowed codes of the error. Empty if the change is allowed.
pub type Refusal = Vec<&'static str>;

#[derive(Clone, Debug)]
pub struct Entry {
    /// The position in the old file, if the entry is from there.
    pub origin: Option<usize>,
    /// For an added entry: the number of changes before its addition.
    pub addition: Option<usize>,
    pub key: Vec<u8>,
    pub value: ModelValue,
    pub is_key_new: bool,
    pub is_value_new: bool,
    /// The most bytes of the entry that a plan may hold as new bytes.
    pub new_bytes: usize,
}

#[derive(Clone, Debug)]
pub struct Tensor {
    /// The position in the old file.
    pub origin: usize,
    pub name: Vec<u8>,
    pub is_name_new: bool,
    pub dimensions: Vec<u64>,
    pub ggml_type: u32,
    /// What the type means in the old file, as the header says it: the places of all tensors decide.
    pub meaning: Option<&'static GgmlTypeInfo>,
    /// The offset in the old file.
    pub offset: u64,
}

/// The content of a file.
#[derive(Clone, Debug)]
pub struct Model {
    pub format: Format,
    pub entries: Vec<Entry>,
    pub tensors: Vec<Tensor>,
    pub is_repacked: bool,
    pub changes: usize,
}

/// Selects an entry or a tensor by its key or name, or by its position.
#[derive(Clone, Debug)]
pub enum Selector {
    Name(Vec<u8>),
    Index(usize),
}

impl Tensor {
    /// The size of the data in bytes. `None` if the type or the dimensions are invalid or unknown.
    pub fn length(&self) -> Option<u64> {
        let info = self.meaning.filter(|info| info.block_size > 0)?;
        let (block_size, type_size) = (u64::from(info.block_size), u64::from(info.type_size));
        let row = *self.dimensions.first().unwrap_or(&1);
        if !row.is_multiple_of(block_size) {
            return None;
        }
        if self.dimensions.contains(&0) {
            return Some(0);
        }
        let elements = self.dimensions.iter().try_fold(1_u64, |product, extent| product.checked_mul(*extent))?;
        if info.owner.is_some() {
            return info.byte_length(elements, row);
        }
        (elements / block_size).checked_mul(type_size)
    }

    pub fn is_convertible(&self) -> bool {
        self.length().is_some() && self.meaning.is_some_and(|info| info.is_convertible)
    }
}

impl Model {
    pub fn alignment(&self) -> u64 {
        let first = self.entries.iter().find(|entry| entry.key == ALIGNMENT);
        let integer = first.and_then(|entry| entry.value.integer());
        integer.filter(|alignment| (1..1 << 32).contains(alignment)).map_or(32, |alignment| alignment as u64)
    }

    /// The bytes of the header. `offsets` are the offsets of the tensors.
    pub fn encoded(&self, offsets: &[u64]) -> Vec<u8> {
        let mut bytes = GgufBytes::new(self.format);
        bytes.header(self.tensors.len() as u64, self.entries.len() as u64);
        for entry in &self.entries {
            bytes.key(&entry.key, entry.value.value_type().id());
            entry.value.write(&mut bytes);
        }
        for (tensor, offset) in self.tensors.iter().zip(offsets) {
            bytes.tensor(&tensor.name, &tensor.dimensions, tensor.ggml_type, *offset);
        }
        bytes.into_bytes()
    }

    pub fn old_offsets(&self) -> Vec<u64> {
        self.tensors.iter().map(|tensor| tensor.offset).collect()
    }

    pub fn find(&self, at: &Selector) -> Option<usize> {
        match at {
            Selector::Name(key) => self.entries.iter().position(|entry| entry.key == *key),
            Selector::Index(index) => Some(*index).filter(|index| *index < self.entries.len()),
        }
    }

    pub fn find_tensor(&self, at: &Selector) -> Option<usize> {
        match at {
            Selector::Name(name) => self.tensors.iter().position(|tensor| tensor.name == *name),
            Selector::Index(index) => Some(*index).filter(|index| *index < self.tensors.len()),
        }
    }
}
