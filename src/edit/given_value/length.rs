//! The limits of a given value's length, which are checked before the value is copied.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::refusal::Refusal;
use crate::interop::objects;
use gguf_format::write::new_value::MAX_VALUE_BYTES;

/// Checks that a text of `length` bytes fits in a value and in memory.
pub(super) fn check_length(length: f64) -> Result<(), Refusal> {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    let has_memory = || Vec::<u8>::new().try_reserve_exact(3 * length as usize).is_ok();
    if length <= MAX_VALUE_BYTES as f64 && has_memory() { Ok(()) } else { Err(Refusal::too_long()) }
}

/// The length of an array of elements of at least `element_size` bytes. `None` if the object has no length.
pub(super) fn array_length(array: &JsValue, element_size: u64) -> Result<Option<u32>, Refusal> {
    match objects::length(array).map_err(Refusal::thrown)? {
        Some(length) if u64::from(length) * element_size > MAX_VALUE_BYTES as u64 => Err(Refusal::too_long()),
        length => Ok(length),
    }
}
