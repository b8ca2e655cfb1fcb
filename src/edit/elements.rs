//! Changes to elements of arrays.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::{Change, Edit, EntrySelector};
use crate::error::ErrorCode;
use crate::limits::Limits;
use crate::write::encode::OwnedValue;
use crate::write::error::{EditError, Result};
use crate::write::new_value::NewValue;

impl Edit {
    /// Gives an element of an array another value; the others are not touched.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `does-not-fit` if the entry is no array or the value not of its elements' type.
    pub fn set_element<'k>(
        &mut self,
        entry: impl Into<EntrySelector<'k>>,
        index: u64,
        value: &OwnedValue,
    ) -> Result<()> {
        let values = OwnedValue::Array { element_type: value.value_type(), elements: Vec::from([value.clone()]) };
        self.splice(entry.into(), index..index.saturating_add(1), Some(NewValue::new(&values)?))
    }

    /// Puts the elements of an array in before the one at `index`, or at the end.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `limit-exceeded`, `does-not-fit` if either is no array, or not of the same type.
    pub fn insert_elements<'k>(
        &mut self,
        entry: impl Into<EntrySelector<'k>>,
        index: u64,
        values: &OwnedValue,
    ) -> Result<()> {
        self.splice(entry.into(), index..index, Some(NewValue::new(values)?))
    }

    /// Takes elements out of an array.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `does-not-fit` if the entry is no array.
    pub fn remove_elements<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, elements: Range<u64>) -> Result<()> {
        self.splice(entry.into(), elements, None)
    }

    /// Puts the elements of an array in the place of some of an entry's.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `limit-exceeded`, `does-not-fit` if either is no array, or not of the same type.
    pub fn splice(&mut self, entry: EntrySelector<'_>, elements: Range<u64>, inserted: Option<NewValue>) -> Result<()> {
        let position = self.find(entry)?;
        let draft = &self.draft.entries[position];
        let key = draft.key(&self.header);
        let refuse = |kind, why: fmt::Arguments<'_>| Err(EditError::of(&key, kind, why));
        let array = draft.array(&self.header);
        let given = inserted.as_ref().map(|inserted| inserted.value().as_array());
        // What is put in is an array of the same type, if anything is.
        let given = given.map_or(array.map(|(element_type, _)| (element_type, 0)), |given| {
            given.map(|given| (given.element_type(), given.len()))
        });
        let (Some((element_type, length)), Some((given_type, more))) = (array, given) else {
            return refuse(ErrorCode::DoesNotFit, format_args!("only arrays have elements"));
        };
        let Range { start, end } = elements;
        if start > end || end > length {
            return refuse(ErrorCode::OutOfRange, format_args!("there are {length} elements, not {start} to {end}"));
        }
        if given_type != element_type {
            let (expected, found) = (element_type.name(), given_type.name());
            return refuse(ErrorCode::DoesNotFit, format_args!("elements are {expected}, not {found}"));
        }
        if let Some(inserted) = &inserted {
            self.check_version(&key, inserted.value())?;
        }
        let most = Limits::default().array_length;
        if length - (end - start) + more > most {
            return refuse(ErrorCode::LimitExceeded, format_args!("readers take up to {most} elements of an array"));
        }
        self.change(Change::Splice { entry: position, elements: start..end, inserted })
    }
}
