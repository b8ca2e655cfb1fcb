//! The end of a stored value.
//!
//! ```text
//! scalar  1, 2, 4 or 8 bytes
//! string  length (u64, in version 1 u32), bytes
//! array   element type (u32), length (u64, in version 1 u32), elements
//! ```
//!
//! The elements of an array lie one after another. An element that is itself an array has its own element type and length.

use super::value_type::{ValueType, stored_type};
use crate::format::storage::Storage;

/// The file offset of the first element of the array at `offset`.
pub(super) fn elements_start(storage: &Storage, offset: u64) -> u64 {
    offset + 4 + storage.format.length_size()
}

/// The file offset after the value of type `value_type` at `offset`, all of whose bytes have arrived.
#[inline]
pub(super) fn stored_end(storage: &Storage, value_type: ValueType, offset: u64) -> u64 {
    match (value_type.size(), value_type) {
        (Some(size), _) => offset + size,
        (None, ValueType::String) => storage.string_end(offset),
        (None, _) => array_end(storage, offset),
    }
}

/// The file offset after the array at `offset`, all of whose bytes have arrived.
///
/// Arrays in arrays lie one after another. So a count of the arrays that are left takes the place of recursion.
fn array_end(storage: &Storage, offset: u64) -> u64 {
    let mut position = offset;
    let mut arrays = 1;
    while arrays > 0 {
        arrays -= 1;
        let element_type = stored_type(storage, position);
        let len = storage.length(position + 4);
        position = elements_start(storage, position);
        match (element_type.size(), storage.array_index(position)) {
            (Some(size), _) => position += len * size,
            (None, Some(known)) => position = known.end,
            (None, None) if element_type == ValueType::String => {
                position = (0..len).fold(position, |position, _| storage.string_end(position));
            }
            (None, None) => arrays += len,
        }
    }
    position
}
