//! Changes to the elements of arrays.

use alloc::vec::Vec;
use core::ops::Range;

use super::change::Change;
use super::history::Edit;
use super::selector::EntrySelector;
use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;
use crate::write::checks::{check_readable, lossy};
use crate::write::encode::OwnedValue;
use crate::write::new_value::NewValue;

impl Edit {
    /// Sets the element of an array at `index`. The other elements do not change.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`. `does-not-fit` if the entry is not an array, or if the value does not have its
    /// element type.
    pub fn set_element<'k>(
        &mut self,
        entry: impl Into<EntrySelector<'k>>,
        index: u64,
        value: &OwnedValue,
    ) -> Result<()> {
        let values = OwnedValue::Array { element_type: value.value_type(), elements: Vec::from([value.clone()]) };
        self.splice(entry.into(), index..index.saturating_add(1), Some(NewValue::new(&values)?))
    }

    /// Inserts the elements of an array before the element at `index`, or at the end if `index` is the length.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `limit-exceeded`. `does-not-fit` if the entry or `values` is not an array, or if
    /// their element types differ.
    pub fn insert_elements<'k>(
        &mut self,
        entry: impl Into<EntrySelector<'k>>,
        index: u64,
        values: &OwnedValue,
    ) -> Result<()> {
        self.splice(entry.into(), index..index, Some(NewValue::new(values)?))
    }

    /// Removes elements of an array.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`. `does-not-fit` if the entry is not an array.
    pub fn remove_elements<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, elements: Range<u64>) -> Result<()> {
        self.splice(entry.into(), elements, None)
    }

    /// Replaces elements of an array with the elements of the array `inserted`. `None` removes them.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `limit-exceeded`. `does-not-fit` if the entry or `inserted` is not an array, or if
    /// their element types differ.
    pub fn splice(&mut self, entry: EntrySelector<'_>, elements: Range<u64>, inserted: Option<NewValue>) -> Result<()> {
        let change = self.check_splice(entry, elements, inserted)?;
        self.record(change)
    }

    pub(super) fn check_splice(
        &self,
        entry: EntrySelector<'_>,
        elements: Range<u64>,
        inserted: Option<NewValue>,
    ) -> Result<Change> {
        let position = self.find(entry)?;
        let entry = &self.edited.entries[position];
        let key = entry.key(&self.header);
        let refuse = |kind, found: &str| {
            Err(Error::new(kind, format!("cannot change elements of \"{}\": {found}", lossy(&key))))
        };
        let Some((element_type, length)) = entry.array(&self.header) else {
            let found = format!("the value is {}; only an ARRAY has elements", entry.value_type(&self.header).name());
            return refuse(ErrorCode::DoesNotFit, &found);
        };
        let (given_type, inserted_length) = match inserted.as_ref().map(NewValue::value) {
            None => (element_type, 0),
            Some(value) => match value.as_array() {
                Some(array) => (array.element_type(), array.len()),
                None => return refuse(ErrorCode::DoesNotFit, "the new elements must be given as an ARRAY"),
            },
        };
        let Range { start, end } = elements;
        if start > end || end > length {
            let found = format!("the range {start}..{end} is not in the array, which has {length} elements");
            return refuse(ErrorCode::OutOfRange, &found);
        }
        if given_type != element_type {
            let found = format!("the elements are {}, not {}", element_type.name(), given_type.name());
            return refuse(ErrorCode::DoesNotFit, &found);
        }
        if let Some(inserted) = &inserted {
            check_readable(&key, inserted.value(), self.edited.format.version)?;
        }
        let (new_length, max_length) = (length - (end - start) + inserted_length, Limits::default().array_length);
        if new_length > max_length {
            let found = format!("the array would have {new_length} elements; readers accept at most {max_length}");
            return refuse(ErrorCode::LimitExceeded, &found);
        }
        Ok(Change::Splice { entry: position, elements: start..end, inserted })
    }
}
