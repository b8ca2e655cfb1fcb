//! Checks of keys, names, values and sizes, for changes of a file and for new files.

use alloc::{borrow::Cow, string::String};

use crate::error::{Error, Result, error};
use crate::format::value::{Value, ValueType};
use crate::format::version::{self, LONGEST_KEY};
use crate::limits::Limits;

/// The smallest alignment that the specification allows.
const MIN_ALIGNMENT: u64 = 8;

/// The key of the alignment.
#[doc(hidden)]
pub const ALIGNMENT: &[u8] = version::ALIGNMENT.as_bytes();

/// The length in bytes of the longest tensor name that ggml can hold.
const MAX_NAME_LENGTH: usize = version::LONGEST_NAME as usize - 1;

/// Text for messages, with U+FFFD for bytes that are not UTF-8.
#[doc(hidden)]
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Checks the length of a key.
#[doc(hidden)]
pub fn check_key(key: &[u8]) -> Result<()> {
    if (1..=LONGEST_KEY).contains(&key.len()) {
        return Ok(());
    }
    let (text, length) = (lossy(&key[..key.len().min(40)]), key.len());
    Err(error!(BadKey: "cannot use the key \"{text}\": it has {length} bytes; a key has 1 to {LONGEST_KEY} bytes"))
}

#[cold]
#[doc(hidden)]
pub fn key_taken(key: &[u8]) -> Error {
    error!(KeyTaken: "cannot use the key \"{}\": another entry has it; rename or remove that entry first", lossy(key))
}

/// Checks that ggml can hold the name of a tensor.
#[doc(hidden)]
pub fn check_tensor_name(name: &[u8]) -> Result<()> {
    if name.len() <= MAX_NAME_LENGTH && !name.contains(&0) {
        return Ok(());
    }
    let (text, length) = (lossy(name), name.len());
    Err(error!(BadName:
        "cannot use the tensor name \"{text}\": it has {length} bytes; a name has at most {MAX_NAME_LENGTH} bytes, and \
         none of them is 0"))
}

#[cold]
pub(crate) fn name_taken(name: &[u8]) -> Error {
    error!(NameTaken:
        "cannot use the tensor name \"{}\": another tensor has it; rename or remove that tensor first", lossy(name))
}

/// Checks that an item, an entry or a tensor, can be added to `count` others.
#[doc(hidden)]
pub fn check_count(item: &str, name: &[u8], count: usize, max: u64) -> Result<()> {
    if (count as u64) < max {
        return Ok(());
    }
    Err(error!(LimitExceeded:
        "cannot add the {item} \"{}\": the file has {count}; readers accept at most {max}", lossy(name)))
}

/// Checks that readers accept a header of `size` bytes.
#[doc(hidden)]
pub fn check_header_size(size: u64) -> Result<()> {
    let max = Limits::default().header_bytes;
    if size <= max {
        return Ok(());
    }
    Err(error!(LimitExceeded: "cannot write the header: it would have {size} bytes; readers accept at most {max}"))
}

/// Checks that readers of a version of the format can read a value: that the version has the types in the value, and that
/// arrays are not nested too deeply.
#[doc(hidden)]
pub fn check_readable(key: &[u8], value: Value<'_>, version: u32) -> Result<()> {
    check_nested(key, value, version, Limits::default().array_depth)
}

/// Checks a value in which arrays can be nested `depth` levels deep.
fn check_nested(key: &[u8], value: Value<'_>, version: u32, depth: u64) -> Result<()> {
    let mut value_type = value.value_type();
    if let Value::Array(array) = value {
        if depth == 0 {
            return Err(nested_too_deeply());
        }
        value_type = array.element_type();
        if value_type == ValueType::Array {
            return array.iter().try_for_each(|element| check_nested(key, element, version, depth - 1));
        }
    }
    // ARRAY is the last type of version 1.
    if version > 1 || value_type.id() <= ValueType::Array.id() {
        return Ok(());
    }
    Err(error!(DoesNotFit:
        "cannot store {} values in \"{}\": version {version} of the format does not have this type; use version 3",
        value_type.name(), lossy(key)))
}

#[cold]
#[doc(hidden)]
pub fn nested_too_deeply() -> Error {
    let max = Limits::default().array_depth;
    error!(LimitExceeded: "cannot use the value: readers accept at most {max} levels of nested arrays")
}

/// Checks the value of an entry if its key is `general.alignment`.
#[doc(hidden)]
pub fn check_alignment(key: &[u8], value: Option<Value<'_>>) -> Result<()> {
    let is_alignment = |alignment: u32| alignment.is_power_of_two() && u64::from(alignment) >= MIN_ALIGNMENT;
    let found = match value {
        _ if key != ALIGNMENT => return Ok(()),
        Some(Value::Uint32(alignment)) if is_alignment(alignment) => return Ok(()),
        Some(value) => match value.as_u64() {
            Some(number) => format!("{} {number}", value.value_type().name()),
            None => value.value_type().name().into(),
        },
        None => ValueType::Array.name().into(),
    };
    Err(bad_alignment(&found))
}

#[cold]
#[doc(hidden)]
pub fn bad_alignment(found: &str) -> Error {
    error!(BadAlignment:
        "cannot set \"{}\" to {found}: an alignment is a UINT32 and a power of two from {MIN_ALIGNMENT} to 2^31",
        version::ALIGNMENT)
}
