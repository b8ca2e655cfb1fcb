//! Changes to tensors, and to how the whole file is laid out.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use super::change::{Change, shared};
use super::{Edit, EntrySelector, TensorSelector};
use crate::error::ErrorCode;
use crate::format::value::ValueType;
use crate::format::version::{Endian, Format};
use crate::write::checks::{ALIGNMENT, check_tensor_name, name_taken};
use crate::write::error::{EditError, Result, not_there};
use crate::write::new_value::{NewValue, too_long};

impl Edit {
    /// How many tensors there will be.
    pub fn tensor_count(&self) -> usize {
        self.draft.tensors.len()
    }

    /// The position that the tensor at `position` has in the file as it is.
    pub fn tensor_origin(&self, position: usize) -> Option<usize> {
        Some(self.draft.tensors.get(position)?.origin)
    }

    /// The positions that all tensors have in the file as it is.
    pub(super) fn tensor_origins(&self) -> Vec<usize> {
        self.draft.tensors.iter().map(|tensor| tensor.origin).collect()
    }

    /// The name that the tensor at a position will have.
    pub fn tensor_name(&self, position: usize) -> Option<Cow<'_, [u8]>> {
        self.draft.tensors.get(position)?.name(&self.header)
    }

    /// Gives a tensor another name.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`, `name-taken`, `bad-name`.
    pub fn rename_tensor<'k>(&mut self, tensor: impl Into<TensorSelector<'k>>, name: &[u8]) -> Result<()> {
        let tensor = self.find_tensor(tensor.into())?;
        check_tensor_name(name)?;
        if self.draft.find_tensor(&self.header, name).is_some_and(|other| other != tensor) {
            return Err(name_taken(name));
        }
        self.change(Change::RenameTensor { tensor, name: shared(name) })
    }

    /// Removes a tensor and its data.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`.
    pub fn remove_tensor<'k>(&mut self, tensor: impl Into<TensorSelector<'k>>) -> Result<()> {
        let tensor = self.find_tensor(tensor.into())?;
        self.change(Change::RemoveTensor { tensor })
    }

    /// Places the tensors' data without gaps and in the order of the list, as llama.cpp demands it.
    pub fn repack(&mut self) {
        // Cannot be refused.
        let _ = self.change(Change::Repack);
    }

    /// Aligns the tensors' data to another number of bytes: sets `general.alignment`, or adds it.
    ///
    /// # Errors
    ///
    /// `bad-alignment`.
    pub fn set_alignment(&mut self, alignment: u32) -> Result<()> {
        let mut encoder = NewValue::encoder(ValueType::Uint32);
        encoder.u32(alignment);
        let value = NewValue::encoded(encoder).ok_or_else(too_long)?;
        match self.draft.find(&self.header, ALIGNMENT) {
            Some(entry) => self.set_new(EntrySelector::Index(entry), value),
            None => self.add_new(None, ALIGNMENT, value),
        }
    }

    /// Gives the file version 3.
    ///
    /// # Errors
    ///
    /// `unsupported-version` for another one than that and the one it has.
    pub fn set_version(&mut self, version: u32) -> Result<()> {
        if version != 3 && version != self.draft.format.version {
            let message = format!("version {version}: only 3 can be set");
            return Err(EditError::new(ErrorCode::UnsupportedVersion, message));
        }
        self.change(Change::Version(version))
    }

    /// Turns every number of the file into the other byte order, the tensors' data included.
    pub fn set_byte_order(&mut self, endian: Endian) {
        // Cannot be refused before it is known what tensors are left.
        let _ = self.change(Change::ByteOrder(endian));
    }

    /// The version and the byte order that the file will have.
    pub fn format(&self) -> Format {
        self.draft.format
    }

    /// What the tensors' data will be aligned to, in bytes.
    pub fn alignment(&self) -> u64 {
        self.draft.alignment(&self.header)
    }

    /// The position of a tensor among those as they are now.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`.
    pub fn find_tensor(&self, tensor: TensorSelector<'_>) -> Result<usize> {
        let (found, name) = match tensor {
            TensorSelector::Name(name) => (self.draft.find_tensor(&self.header, name), Ok(name)),
            TensorSelector::Index(index) => (Some(index).filter(|index| *index < self.draft.tensors.len()), Err(index)),
        };
        found.ok_or_else(|| not_there(ErrorCode::UnknownTensor, "tensor", name))
    }
}
