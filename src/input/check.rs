//! Whether a key, a name or an alignment can be written: the same for changes to a file and for new ones.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use super::error::{EditError, EditErrorKind, Result};
use crate::limits::Limits;
use crate::value::Value;

/// The longest key that the specification allows, in bytes.
const LONGEST_KEY: usize = 65_535;

/// The longest name of a tensor that ggml can hold: `GGML_MAX_NAME` without its NUL.
const LONGEST_NAME: usize = 63;

/// The smallest alignment that the specification allows.
const LEAST_ALIGNMENT: u64 = 8;

/// The key of the alignment.
pub(crate) const ALIGNMENT: &[u8] = b"general.alignment";

pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Whether an entry can have a key, if no other has.
pub(crate) fn check_key(key: &[u8]) -> Result<()> {
    if (1..=LONGEST_KEY).contains(&key.len()) {
        return Ok(());
    }
    let (text, length) = (lossy(&key[..key.len().min(40)]), key.len());
    let message = format!("the key \"{text}\" has {length} bytes: keys have 1 to {LONGEST_KEY}");
    Err(EditError::new(EditErrorKind::BadKey, message))
}

#[cold]
pub(crate) fn key_taken(key: &[u8]) -> EditError {
    EditError::new(EditErrorKind::KeyTaken, format!("there is an entry \"{}\" already", lossy(key)))
}

/// Whether a tensor can have a name, if no other has.
pub(crate) fn check_tensor_name(name: &[u8]) -> Result<()> {
    if name.len() <= LONGEST_NAME && !name.contains(&0) {
        return Ok(());
    }
    let (text, length) = (lossy(name), name.len());
    let message = format!("\"{text}\" has {length} bytes: a tensor's name has up to {LONGEST_NAME}, and no NUL");
    Err(EditError::new(EditErrorKind::BadName, message))
}

#[cold]
pub(crate) fn name_taken(name: &[u8]) -> EditError {
    EditError::new(EditErrorKind::NameTaken, format!("there is a tensor \"{}\" already", lossy(name)))
}

/// Whether an entry or a tensor can be added to those there are.
pub(crate) fn check_count(name: &[u8], count: usize, most: u64, what: &str) -> Result<()> {
    if (count as u64) < most {
        return Ok(());
    }
    Err(EditError::of(
        name,
        EditErrorKind::LimitExceeded,
        format_args!("there are {most} {what}, which is all that readers take"),
    ))
}

/// Whether readers take a header of so many bytes.
pub(crate) fn check_header_size(size: u64) -> Result<()> {
    let most = Limits::default().header_bytes;
    if size <= most {
        return Ok(());
    }
    let message = format!("the header would have {size} bytes: readers take up to {most}");
    Err(EditError::new(EditErrorKind::LimitExceeded, message))
}

/// Whether a value can be that of `general.alignment`, if it is the key.
pub(crate) fn check_alignment(key: &[u8], value: Option<Value<'_>>) -> Result<()> {
    let is_alignment = |alignment: u32| alignment.is_power_of_two() && u64::from(alignment) >= LEAST_ALIGNMENT;
    let found = match value {
        _ if key != ALIGNMENT => return Ok(()),
        Some(Value::Uint32(alignment)) if is_alignment(alignment) => return Ok(()),
        Some(Value::Uint32(alignment)) => format!("{alignment}"),
        Some(value) => format!("a value of type {}", value.value_type()),
        None => String::from("an array"),
    };
    let message = format!(
        "\"general.alignment\": {found} is no alignment: a power of two from {LEAST_ALIGNMENT} on is, as a UINT32"
    );
    Err(EditError::new(EditErrorKind::BadAlignment, message))
}
