//! How a caller selects an entry or a tensor, and gives keys, names, positions and types.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::edit::editor::Editor;
use crate::edit::given_value::text_bytes;
use crate::interop::thrown::Thrown;
use crate::interop::{
    argument_type, as_object, describe, failure, failure_with_code, is_position, may_be_lossy, shown_number,
};
use gguf_format::edit::{EntryId, EntrySelector, TensorId, TensorSelector};
use gguf_format::error::ErrorCode;
use gguf_format::write::checks::lossy;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * Selects an entry of an edited file: the first entry with a key, the entry at a position in `entries`, or the entry with an
 * `id`. An object of `entries` selects its entry, also after later changes.
 */
export type EntrySelector = string | number | { readonly id: number };

/**
 * Selects a tensor of an edited file: the first tensor with a name, the tensor at a position in `tensors`, or the tensor with
 * an `id`. An object of `tensors` selects its tensor, also after later changes.
 */
export type TensorSelector = string | number | { readonly id: number };
"#;

argument_type!(GivenEntry: "EntrySelector");
argument_type!(GivenTensor: "TensorSelector");
argument_type!(GivenName: "string | Uint8Array");

impl Editor {
    /// The position of the entry that a caller selects. `None` if no entry has the key.
    pub(super) fn find_if_any(&self, given: &JsValue) -> Result<Option<usize>, Thrown> {
        let Some(key) = given.as_string() else {
            let selector = match id_or_position(given, ErrorCode::UnknownKey, "key")? {
                IdOrPosition::Id(id) => EntrySelector::Id(EntryId(id)),
                IdOrPosition::Position(position) => EntrySelector::Index(position),
            };
            return Ok(Some(self.edit.find(selector)?));
        };
        let has_shown_key =
            |position: &usize| self.edit.entry(*position).is_some_and(|entry| lossy(&entry.key()) == key);
        let found = self.edit.find(key.as_str().into()).ok();
        // A key that is not UTF-8 is shown with U+FFFD, and selected by that text.
        let find_shown = || if may_be_lossy(&key) { (0..self.edit.entry_count()).find(has_shown_key) } else { None };
        Ok(found.or_else(find_shown))
    }

    /// The position of the entry that a caller selects.
    ///
    /// # Errors
    ///
    /// `unknown-key`.
    pub(super) fn find(&self, given: &JsValue) -> Result<usize, Thrown> {
        match self.find_if_any(given)? {
            Some(position) => Ok(position),
            None => Ok(self.edit.find(given.as_string().unwrap_or_default().as_str().into())?),
        }
    }

    /// The position of the tensor that a caller selects.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`.
    pub(super) fn find_tensor(&self, given: &JsValue) -> Result<usize, Thrown> {
        let Some(name) = given.as_string() else {
            let selector = match id_or_position(given, ErrorCode::UnknownTensor, "name")? {
                IdOrPosition::Id(id) => TensorSelector::Id(TensorId(id)),
                IdOrPosition::Position(position) => TensorSelector::Index(position),
            };
            return Ok(self.edit.find_tensor(selector)?);
        };
        let has_shown_name =
            |position: &usize| self.edit.tensor_name(*position).is_some_and(|found| lossy(&found) == name);
        let found = self.edit.find_tensor(name.as_str().into());
        let find_shown = || if may_be_lossy(&name) { (0..self.edit.tensor_count()).find(has_shown_name) } else { None };
        Ok(found.or_else(|error| find_shown().ok_or(error))?)
    }
}

enum IdOrPosition {
    Id(usize),
    Position(usize),
}

/// The `id` of an object, or a position. `term` is the other way to select: "key" or "name".
fn id_or_position(given: &JsValue, code: ErrorCode, term: &str) -> Result<IdOrPosition, Thrown> {
    let integer = |value: &JsValue| value.as_f64().filter(|number| *number as usize as f64 == *number);
    let found = match as_object(given) {
        Some(object) => integer(&object.get("id")?).map(|id| IdOrPosition::Id(id as usize)),
        None => integer(given).map(|position| IdOrPosition::Position(position as usize)),
    };
    found.ok_or_else(|| {
        failure_with_code(
            code,
            format_args!(
                "cannot select by {}: expected a {term}, a position from 0 on, or an object with an id",
                describe(given)
            ),
        )
    })
}

/// The bytes of a key or a name.
///
/// # Errors
///
/// `invalid-argument`.
pub(crate) fn name_bytes(given: &JsValue) -> Result<Vec<u8>, Thrown> {
    text_bytes(given).ok_or_else(|| {
        failure!(InvalidArgument:
            "the key or name is {}, expected a well-formed string or the bytes of one", describe(given))
    })
}

/// A position, an index or a count.
///
/// # Errors
///
/// `out-of-range`.
pub(crate) fn position(term: &str, number: f64) -> Result<u64, Thrown> {
    if is_position(number) {
        return Ok(number as u64);
    }
    Err(failure!(OutOfRange: "the {term} is {}, expected a whole number from 0 on", shown_number(number)))
}
