//! Changes to tensors, and to the layout and the format of the whole file.

use alloc::{borrow::Cow, sync::Arc};

use super::change::Change;
use super::edited_tensor::EditedTensor;
use super::history::Edit;
use super::selector::{EntrySelector, TensorSelector};
use crate::error::{Result, error};
use crate::format::header::TensorInfo;
use crate::format::value::ValueType;
use crate::format::version::{ALIGNMENT, Endian, Format};
use crate::write::checks::{check_tensor_name, name_taken};
use crate::write::new_value::{NewValue, value_too_long};

impl Edit {
    /// The number of tensors in the edited header.
    pub fn tensor_count(&self) -> usize {
        self.edited.tensors.len()
    }

    /// The tensor at a position of the edited header.
    pub fn tensor(&self, position: usize) -> Option<EditedTensor<'_>> {
        Some(EditedTensor::new(&self.header, self.edited.tensors.get(position)?))
    }

    /// The tensors of the edited header, in order.
    pub fn tensors(&self) -> impl ExactSizeIterator<Item = EditedTensor<'_>> {
        self.edited.tensors.iter().map(|tensor| EditedTensor::new(&self.header, tensor))
    }

    /// The tensors that changes have removed, in the order of the original header.
    pub fn removed_tensors(&self) -> impl Iterator<Item = TensorInfo<'_>> {
        self.header.tensors().filter(|tensor| self.edited.position_of_tensor(tensor.index()).is_none())
    }

    /// The position in the original header of the tensor at a position of the edited header.
    pub fn tensor_origin(&self, position: usize) -> Option<usize> {
        Some(self.edited.tensors.get(position)?.origin)
    }

    /// The name of the tensor at a position of the edited header.
    pub fn tensor_name(&self, position: usize) -> Option<Cow<'_, [u8]>> {
        self.edited.tensors.get(position)?.name(&self.header)
    }

    /// Renames a tensor, and the entry with its original shape (`comfy.gguf.orig_shape.NAME`), unless the file has the new key.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`, `name-taken`, `bad-name`.
    pub fn rename_tensor<'k>(&mut self, tensor: impl Into<TensorSelector<'k>>, name: &[u8]) -> Result<()> {
        let change = self.check_rename_tensor(tensor.into(), name.into())?;
        self.record(change)
    }

    pub(super) fn check_rename_tensor(&self, tensor: TensorSelector<'_>, name: Arc<[u8]>) -> Result<Change> {
        let tensor = self.find_tensor(tensor)?;
        check_tensor_name(&name)?;
        if self.edited.find_tensor(&self.header, &name).is_some_and(|other| other != tensor) {
            return Err(name_taken(&name));
        }
        Ok(Change::RenameTensor { tensor, name })
    }

    /// Removes a tensor and its data, and the entry with its original shape (`comfy.gguf.orig_shape.NAME`).
    ///
    /// # Errors
    ///
    /// `unknown-tensor`.
    pub fn remove_tensor<'k>(&mut self, tensor: impl Into<TensorSelector<'k>>) -> Result<()> {
        let change = self.check_remove_tensor(tensor.into())?;
        self.record(change)
    }

    pub(super) fn check_remove_tensor(&self, tensor: TensorSelector<'_>) -> Result<Change> {
        Ok(Change::RemoveTensor { tensor: self.find_tensor(tensor)? })
    }

    /// Packs the data of all tensors: without gaps, in the order of the tensors, as llama.cpp requires.
    pub fn repack(&mut self) {
        self.record_without_value(Change::Repack);
    }

    /// Sets the alignment of the data section in bytes: changes `general.alignment`, or adds it.
    ///
    /// # Errors
    ///
    /// `bad-alignment`.
    pub fn set_alignment(&mut self, alignment: u32) -> Result<()> {
        let mut encoder = NewValue::encoder(ValueType::Uint32);
        encoder.u32(alignment);
        let value = NewValue::encoded(encoder).ok_or_else(value_too_long)?;
        match self.edited.find(&self.header, ALIGNMENT.as_bytes()) {
            Some(entry) => self.set_new(EntrySelector::Index(entry), value),
            None => self.add_new(None, ALIGNMENT.as_bytes(), value),
        }
    }

    /// Converts the file to version 3 of the format.
    ///
    /// # Errors
    ///
    /// `unsupported-version` if `version` is neither 3 nor the version of the file.
    pub fn set_version(&mut self, version: u32) -> Result<()> {
        let change = self.check_version(version)?;
        self.record(change)
    }

    pub(super) fn check_version(&self, version: u32) -> Result<Change> {
        let current = self.edited.format.version;
        if version != 3 && version != current {
            return Err(error!(UnsupportedVersion:
                "cannot convert the file from version {current} to version {version}: use version 3"));
        }
        Ok(Change::Version(version))
    }

    /// Converts every number of the file to another byte order, including the data of the tensors.
    ///
    /// [`plan`](Self::plan) fails with `no-byte-order` if the data of a tensor cannot be converted.
    pub fn set_byte_order(&mut self, endian: Endian) {
        self.record_without_value(Change::ByteOrder(endian));
    }

    /// Makes a change without a value. It keeps no bytes in memory, so it cannot be refused.
    fn record_without_value(&mut self, change: Change) {
        let _ = self.record(change);
    }

    /// The version and the byte order of the edited file.
    pub fn format(&self) -> Format {
        self.edited.format
    }

    /// The alignment of the data section of the edited file, in bytes.
    pub fn alignment(&self) -> u64 {
        self.edited.alignment(&self.header)
    }

    /// The position of a tensor in the edited header.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`.
    pub fn find_tensor(&self, tensor: TensorSelector<'_>) -> Result<usize> {
        let found = match tensor {
            TensorSelector::Name(name) => self.edited.find_tensor(&self.header, name),
            TensorSelector::Index(index) => Some(index).filter(|index| *index < self.edited.tensors.len()),
            TensorSelector::Id(id) => self.edited.position_of_tensor(id.0),
        };
        found.ok_or_else(|| {
            let count = self.edited.tensors.len();
            error!(UnknownTensor:
                "cannot find the tensor: no tensor {tensor} is among the {count} tensors of the header")
        })
    }
}
