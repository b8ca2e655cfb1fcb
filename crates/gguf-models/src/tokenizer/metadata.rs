//! Reads the entries of a tokenizer, and refuses those that llama.cpp refuses.

use alloc::{borrow::Cow, string::String};
use core::fmt::Write;

use super::error::{TokenizerError, bad};
use gguf_format::format::header::Header;
use gguf_format::format::value::{Array, Str, Value, ValueType};

/// The value of an entry as `read` gives it. `None` if there is no entry.
fn value<'a, T>(
    header: &'a Header,
    key: &str,
    expected: &str,
    read: impl FnOnce(Value<'a>) -> Option<T>,
) -> Result<Option<T>, TokenizerError> {
    let Some(entry) = header.get(key) else { return Ok(None) };
    match read(entry.value()) {
        Some(value) => Ok(Some(value)),
        None => {
            let found = match entry.value().as_array() {
                Some(array) => format!("ARRAY of {}", array.element_type()),
                None => format!("{}", entry.value_type()),
            };
            Err(bad(format!("the value of {key} is of type {found}, expected {expected}.")))
        }
    }
}

pub(super) fn text<'a>(header: &'a Header, key: &str) -> Result<Option<Cow<'a, [u8]>>, TokenizerError> {
    value(header, key, "STRING", |value| value.as_str().map(up_to_nul))
}

pub(super) fn flag(header: &Header, key: &str) -> Result<Option<bool>, TokenizerError> {
    value(header, key, "BOOL", |value| value.as_bool())
}

#[doc(hidden)]
pub fn number(header: &Header, key: &str) -> Result<Option<u32>, TokenizerError> {
    let number = |value| if let Value::Uint32(number) = value { Some(number) } else { None };
    value(header, key, "UINT32", number)
}

/// An array of one of the given types of elements.
pub(super) fn array<'a>(
    header: &'a Header,
    key: &str,
    types: &[ValueType],
) -> Result<Option<Array<'a>>, TokenizerError> {
    let mut expected = String::from("ARRAY of ");
    for (place, element_type) in types.iter().enumerate() {
        let _ = write!(expected, "{}{element_type}", if place > 0 { " or " } else { "" });
    }
    value(header, key, &expected, |value| value.as_array().filter(|array| types.contains(&array.element_type())))
}

/// An array with a number for each token, of one of the given types.
pub(super) fn per_token<'a>(
    header: &'a Header,
    key: &str,
    types: &[ValueType],
    tokens: u32,
) -> Result<Option<Array<'a>>, TokenizerError> {
    let array = array(header, key, types)?;
    match array {
        Some(array) if array.len() < tokens.into() => Err(bad(format!(
            "{key} has {} elements, expected one for each of the {tokens} tokens, and llama.cpp refuses the file.",
            array.len()
        ))),
        _ => Ok(array),
    }
}

/// The bytes of a text up to a NUL, where it ends for llama.cpp.
fn up_to_nul(text: Str<'_>) -> Cow<'_, [u8]> {
    match text.to_bytes() {
        Cow::Borrowed(bytes) => Cow::Borrowed(before_nul(bytes)),
        Cow::Owned(mut bytes) => {
            bytes.truncate(before_nul(&bytes).len());
            Cow::Owned(bytes)
        }
    }
}

/// The bytes before the first NUL, or all bytes.
pub(super) fn before_nul(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|byte| *byte == 0);
    end.map_or(bytes, |end| &bytes[..end])
}
