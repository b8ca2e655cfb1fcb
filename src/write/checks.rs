//! Whether a key, a name or an alignment can be written: the same for changes to a file and for new ones.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use crate::error::ErrorCode;
use crate::format::value::{Value, ValueType};
use crate::format::version::{self, LONGEST_KEY};
use crate::limits::Limits;
use crate::write::error::{EditError, Result};

/// The smallest alignment that the specification allows.
const LEAST_ALIGNMENT: u64 = 8;

/// The key of the alignment.
pub(crate) const ALIGNMENT: &[u8] = version::ALIGNMENT.as_bytes();

/// The longest name of a tensor that ggml can hold.
const LONGEST_NAME: usize = version::LONGEST_NAME as usize - 1;

pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Whether an entry can have a key, if no other has.
pub(crate) fn check_key(key: &[u8]) -> Result<()> {
    if (1..=LONGEST_KEY).contains(&key.len()) {
        return Ok(());
    }
    let (text, length) = (lossy(&key[..key.len().min(40)]), key.len());
    let message = format!("\"{text}\" has {length} bytes: a key has 1 to {LONGEST_KEY}");
    Err(EditError::new(ErrorCode::BadKey, message))
}

#[cold]
pub(crate) fn key_taken(key: &[u8]) -> EditError {
    EditError::new(ErrorCode::KeyTaken, format!("there is an entry \"{}\" already", lossy(key)))
}

/// Whether a tensor can have a name, if no other has.
pub(crate) fn check_tensor_name(name: &[u8]) -> Result<()> {
    if name.len() <= LONGEST_NAME && !name.contains(&0) {
        return Ok(());
    }
    let (text, length) = (lossy(name), name.len());
    let message = format!("\"{text}\" has {length} bytes: a tensor's name has up to {LONGEST_NAME}, and no NUL");
    Err(EditError::new(ErrorCode::BadName, message))
}

#[cold]
pub(crate) fn name_taken(name: &[u8]) -> EditError {
    EditError::new(ErrorCode::NameTaken, format!("there is a tensor \"{}\" already", lossy(name)))
}

/// Whether an entry or a tensor can be added to those there are.
pub(crate) fn check_count(name: &[u8], count: usize, most: u64, what: &str) -> Result<()> {
    if (count as u64) < most {
        return Ok(());
    }
    Err(EditError::of(
        name,
        ErrorCode::LimitExceeded,
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
    Err(EditError::new(ErrorCode::LimitExceeded, message))
}

/// Whether readers of a version follow the arrays that are inside one another in a value, of which `depth` may be, and have
/// the types in it.
pub(crate) fn check_inside(key: &[u8], value: Value<'_>, version: u32, depth: u64) -> Result<()> {
    let mut value_type = value.value_type();
    if let Value::Array(array) = value {
        if depth == 0 {
            return Err(too_deep());
        }
        value_type = array.element_type();
        if value_type == ValueType::Array {
            return array.iter().try_for_each(|element| check_inside(key, element, version, depth - 1));
        }
    }
    // Version 1 ends with `ARRAY`.
    if version > 1 || value_type.id() <= ValueType::Array.id() {
        return Ok(());
    }
    Err(EditError::of(key, ErrorCode::DoesNotFit, format_args!("version 1 has no {}", value_type.name())))
}

#[cold]
pub(crate) fn too_deep() -> EditError {
    let most = Limits::default().array_depth;
    EditError::new(ErrorCode::LimitExceeded, format!("readers take up to {most} levels of nested arrays"))
}

/// Whether a value can be that of `general.alignment`, if it is the key.
pub(crate) fn check_alignment(key: &[u8], value: Option<Value<'_>>) -> Result<()> {
    let is_alignment = |alignment: u32| alignment.is_power_of_two() && u64::from(alignment) >= LEAST_ALIGNMENT;
    let (value_type, number) = match value {
        _ if key != ALIGNMENT => return Ok(()),
        Some(Value::Uint32(alignment)) if is_alignment(alignment) => return Ok(()),
        Some(value) => (value.value_type(), value.as_u64()),
        None => (ValueType::Array, None),
    };
    let (value_type, number) = (value_type.name(), number.unwrap_or(0));
    Err(EditError::of(
        key,
        ErrorCode::BadAlignment,
        format_args!("{value_type} {number}: an alignment is a power of two from {LEAST_ALIGNMENT} on, as a UINT32"),
    ))
}
