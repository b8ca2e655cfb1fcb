//! Numbers and texts that callers pass as arguments.
//!
//! Generated code would convert a `BigInt` or a `Symbol` to a number itself, and throw a `TypeError` without a code.

use alloc::{string::String, vec::Vec};
use core::hint::black_box;
use core::ops::Range;

use js_sys::JsString;
use wasm_bindgen::prelude::*;

use crate::interop::describe::{describe, shown_number};
use crate::interop::error::failure;
use crate::interop::numbers::is_position;
use crate::interop::thrown::Thrown;

#[wasm_bindgen]
extern "C" {
    /// A number, as the types say; at run time a caller can pass any value.
    #[wasm_bindgen(typescript_type = "number")]
    pub type NumberArgument;
    /// A text, as the types say; at run time a caller can pass any value.
    #[wasm_bindgen(typescript_type = "string")]
    pub type TextArgument;
}

/// The number that is passed as the argument `name`.
///
/// # Errors
///
/// `invalid-argument` if the value is not a number.
pub(crate) fn number(name: &str, value: &NumberArgument) -> Result<f64, Thrown> {
    value
        .as_f64()
        .ok_or_else(|| failure!(InvalidArgument: "the argument {name} is {}, expected a number", describe(value)))
}

/// The range of bytes from `start` up to, but not including, `end`.
///
/// # Errors
///
/// `out-of-range`.
pub(crate) fn range(start: &NumberArgument, end: &NumberArgument) -> Result<Range<u64>, Thrown> {
    let (start, end) = (number("start", start)?, number("end", end)?);
    if is_position(start) && is_position(end) && start <= end {
        return Ok(start as u64..end as u64);
    }
    Err(failure!(OutOfRange:
        "cannot read from {} to {}: expected whole numbers with 0 <= start <= end", shown_number(start), shown_number(end)))
}

/// The number that is passed as the argument `name`, if one is passed.
///
/// # Errors
///
/// `invalid-argument` if the value is neither a number nor absent.
pub(crate) fn optional_number(name: &str, value: Option<&NumberArgument>) -> Result<Option<f64>, Thrown> {
    value.map(|value| number(name, value)).transpose()
}

/// The most UTF-16 units of a key or a name. The specification allows keys of 65,535 bytes.
const LONGEST_NAME: u32 = 65_535;

/// The key or the name of a tensor that is passed as the argument `argument`. `None` if it is longer than such a name can
/// be: it is not copied into the memory of the module then.
///
/// # Errors
///
/// `invalid-argument` if the value is not a string.
pub(crate) fn name(argument: &str, value: &TextArgument) -> Result<Option<String>, Thrown> {
    let length = text_length(argument, value)?;
    Ok(if length <= LONGEST_NAME { value.as_string() } else { None })
}

/// The short text that is passed as the argument `argument`.
///
/// # Errors
///
/// `invalid-argument` if the value is not a string, or is longer than any name.
pub(crate) fn short_text(argument: &str, value: &TextArgument) -> Result<String, Thrown> {
    let length = text_length(argument, value)?;
    if length > LONGEST_NAME {
        return Err(failure!(InvalidArgument:
            "the argument {argument} has {length} characters, expected at most {LONGEST_NAME}"));
    }
    Ok(value.as_string().unwrap_or_default())
}

/// The most UTF-16 units of a text that is worked on as a whole.
const LONGEST_TEXT: u32 = 1 << 24;

/// The text of any use that is passed as the argument `argument`.
///
/// # Errors
///
/// `invalid-argument` if the value is not a string. `too-large` if it has more than 16 Mi characters.
pub(crate) fn long_text(argument: &str, value: &TextArgument) -> Result<String, Thrown> {
    let length = text_length(argument, value)?;
    if length > LONGEST_TEXT {
        return Err(failure!(TooLarge:
            "the argument {argument} has {length} characters, expected at most {LONGEST_TEXT}"));
    }
    Ok(value.as_string().unwrap_or_default())
}

/// The bytes of memory that the work on a text takes for each of its characters: the text, its lines and the result.
const WORK_BYTES: u64 = 8;

/// The text of any length that is passed as the argument `argument`. Only the memory is a limit: a work that is linear in the
/// length of the text can have as long a text as the caller can make.
///
/// # Errors
///
/// `invalid-argument` if the value is not a string. `too-large` if there is no memory for the work on it.
pub(crate) fn whole_text(argument: &str, value: &TextArgument) -> Result<String, Thrown> {
    let length = text_length(argument, value)?;
    let bytes = u64::from(length) * WORK_BYTES;
    let mut memory = Vec::<u8>::new();
    if memory.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX)).is_err() {
        return Err(failure!(TooLarge:
            "the argument {argument} has {length} characters, and the work on it needs {bytes} bytes of memory, which \
             are not available"));
    }
    // Without this, the compiler may remove an allocation that is never used.
    black_box(memory.as_ptr());
    drop(memory);
    Ok(value.as_string().unwrap_or_default())
}

/// The number of UTF-16 units of a text that is passed as the argument `argument`.
fn text_length(argument: &str, value: &TextArgument) -> Result<u32, Thrown> {
    if !value.is_string() {
        return Err(failure!(InvalidArgument: "the argument {argument} is {}, expected a string", describe(value)));
    }
    Ok(value.unchecked_ref::<JsString>().length())
}
