//! JSON files of a model.

use serde_json::Value;

use crate::error::{Error, Result, error};

/// The most values of a file: a value takes many times the memory of its text. The largest known tokenizers have about 2.5 million.
const MOST_VALUES: usize = 8 << 20;

/// Parses a JSON file. Members keep their order. If a member occurs twice, the last value counts, as in Python.
///
/// `file` is the name of the file, for messages. Numbers such as `NaN`, which are no JSON, are refused, and so are values that are
/// nested deeper than 127 levels.
///
/// # Errors
///
/// `bad-json` with the offset. `limit-exceeded` if the file has more than 8,388,608 values.
pub(crate) fn parse(file: &str, text: &[u8]) -> Result<Value> {
    // Each value but the first comes after one of these bytes. Those in texts count, too, which are few.
    if text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count() > MOST_VALUES {
        return Err(error!(LimitExceeded:
            "{file} has more than {MOST_VALUES} values, the limit for JSON files; check that it belongs to the model, and download it \
             again"));
    }
    serde_json::from_slice(text).map_err(|error| bad_json(file, text, &error))
}

/// The error of a file that is not JSON.
#[cold]
pub(crate) fn bad_json(file: &str, text: &[u8], cause: &serde_json::Error) -> Error {
    let (line, column) = (cause.line(), cause.column());
    let offset = offset_of(text, line, column);
    error!(BadJson: "{file} is not valid JSON at line {line}, column {column}: {}", reason(cause)).at(offset)
}

/// The reason of an error, without its position.
pub(crate) fn reason(cause: &serde_json::Error) -> alloc::string::String {
    let text = alloc::string::ToString::to_string(cause);
    match text.rsplit_once(" at line ") {
        Some((reason, _)) => reason.into(),
        None => text,
    }
}

/// The offset of a position. Lines and columns count from 1, and columns are bytes.
pub(crate) fn offset_of(text: &[u8], line: usize, column: usize) -> u64 {
    let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(offset, _)| offset + 1);
    let start = core::iter::once(0).chain(ends).nth(line.saturating_sub(1)).unwrap_or(text.len());
    (start + column.saturating_sub(1)).min(text.len()) as u64
}

#[cfg(test)]
mod tests {
    use super::parse;
    use alloc::{string::ToString, vec::Vec};

    #[test]
    fn members_keep_their_order_and_the_last_value_counts() {
        let value = parse("config.json", br#"{"b": 1, "a": 2, "b": 3}"#).unwrap();
        let members: Vec<_> =
            value.as_object().unwrap().iter().map(|(name, value)| (name.as_str(), value.as_u64())).collect();
        assert_eq!(members, [("b", Some(3)), ("a", Some(2))]);
    }

    #[test]
    fn an_error_names_the_file_and_the_offset() {
        let error = parse("config.json", b"{\n  \"a\": x}").unwrap_err();
        assert_eq!((error.code().name(), error.offset()), ("bad-json", Some(9)));
        assert!(error.to_string().starts_with("config.json is not valid JSON at line 2, column 8: "), "{error}");
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let error = parse("config.json", "[".repeat(100_000).as_bytes()).unwrap_err();
        assert_eq!(error.code(), "bad-json");
    }

    #[test]
    fn more_values_than_any_model_has_are_an_error() {
        let list = |values: usize| alloc::format!("[{}0]", "0,".repeat(values - 1));
        let error = parse("config.json", list(super::MOST_VALUES + 1).as_bytes()).err();
        assert_eq!(error.expect("it is refused").code(), "limit-exceeded");
        assert!(parse("config.json", list(1 << 20).as_bytes()).is_ok());
    }

    #[test]
    fn numbers_are_read_exactly() {
        let value = parse("config.json", b"[1e-6, 0.7071067811865475, 1.7976931348623157e308]").unwrap();
        let numbers: Vec<_> = value.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
        assert_eq!(numbers, [1e-6, 0.7071067811865475, f64::MAX]);
    }
}
