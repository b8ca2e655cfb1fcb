//! JSON files of a model.

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::budget::Budget;
use super::web_page::is_web_page;
use gguf_format::error::{Error, Result, error, no_memory};

// What values count in the budget: their sizes on hosts with 64 bits.
/// An element of an array.
pub(crate) const ELEMENT: u64 = 72;
/// An object, and each of its members beside the text of its name.
const OBJECT: u64 = 64;
pub(crate) const MEMBER: u64 = 128;
/// A text beside its bytes.
pub(crate) const TEXT: u64 = 24;

/// Parses a JSON file. Members keep their order. If a member occurs twice, the last value counts, as in Python.
///
/// `NaN`, `Infinity` and `-Infinity`, which Python writes and reads, become texts: they are true, and refused where a number is needed.
///
/// `file` is the name of the file, for messages. Values that are nested deeper than 127 levels are refused.
///
/// # Errors
///
/// `bad-json` with the offset. `too-large` if the values take more memory than there is, or than the small files of a folder may take.
#[doc(hidden)]
pub fn parse(file: &str, text: &[u8]) -> Result<Value> {
    parse_within(file, text, &Budget::default())
}

/// As [`parse`], for one of several files that share a budget.
pub(crate) fn parse_within(file: &str, text: &[u8], budget: &Budget) -> Result<Value> {
    // The parser may copy a text with escapes while it grows.
    budget.expect(3 * text.len() as u64)?;
    let refusal = Cell::new(None);
    let read = |text: &[u8]| {
        let mut parser = serde_json::Deserializer::from_slice(text);
        let value = Values { budget, refusal: &refusal }.deserialize(&mut parser)?;
        parser.end().map(|()| value)
    };
    let left = budget.bytes_left();
    let mut value = read(text);
    if let Err(cause) = &value
        && let Some(quoted) = with_quoted_numbers(text, offset_of(text, cause.line(), cause.column()) as usize)?
    {
        budget.give_back(left - budget.bytes_left());
        budget.expect(4 * text.len() as u64)?;
        value = read(&quoted);
    }
    value.map_err(|cause| refusal.take().map_or_else(|| bad_json(file, text, &cause), |error| error.about(file)))
}

/// The text in which quotes take the places of the first and the last characters of all `NaN`, `Infinity` and `-Infinity` outside of
/// texts, so that everything else keeps its offset. `None` if none of them is at the offset of an error.
fn with_quoted_numbers(text: &[u8], error: usize) -> Result<Option<Vec<u8>>> {
    const NAMES: [&[u8]; 3] = [b"NaN", b"Infinity", b"-Infinity"];
    let name_at = |at: usize| NAMES.into_iter().find(|name| text[at..].starts_with(name));
    // The offset of an error is that of the sign that was not expected, which the minus is.
    if ![error, error.saturating_sub(1)].into_iter().any(|at| name_at(at).is_some()) {
        return Ok(None);
    }
    let mut quoted = Vec::new();
    quoted.try_reserve_exact(text.len()).map_err(|_| no_memory(text.len() as u64))?;
    quoted.extend_from_slice(text);
    let (mut at, mut is_in_text) = (0, false);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => is_in_text = !is_in_text,
            b'\\' if is_in_text => at += 1,
            b'N' | b'I' | b'-' if !is_in_text => {
                if let Some(name) = name_at(at) {
                    quoted[at] = b'"';
                    at += name.len() - 1;
                    quoted[at] = b'"';
                }
            }
            _ => {}
        }
        at += 1;
    }
    Ok(Some(quoted))
}

/// Makes values, and counts them.
#[derive(Clone, Copy)]
struct Values<'a> {
    budget: &'a Budget,
    /// Why no more values are made.
    refusal: &'a Cell<Option<Error>>,
}

impl Values<'_> {
    /// An error of this crate as one of the parser, which cannot have it.
    fn checked<T, E: de::Error>(self, result: Result<T>) -> core::result::Result<T, E> {
        result.map_err(|error| {
            self.refusal.set(Some(error));
            E::custom("too large")
        })
    }

    /// Makes room in a list for one element more. Elements count `size` bytes.
    fn grow<T>(self, list: &mut Vec<T>, size: u64) -> Result<()> {
        if list.len() < list.capacity() {
            return Ok(());
        }
        let more = list.len().max(1);
        let bytes = more as u64 * size;
        self.budget.take(bytes)?;
        list.try_reserve_exact(more).map_err(|_| no_memory(bytes))
    }
}

impl<'de> DeserializeSeed<'de> for Values<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> core::result::Result<Value, D::Error> {
        parser.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> core::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> core::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, number: u64) -> core::result::Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E>(self, number: i64) -> core::result::Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> core::result::Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> core::result::Result<Value, E> {
        self.checked(self.budget.take(text.len() as u64 + TEXT))?;
        Ok(Value::String(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> core::result::Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element_seed(self)? {
            self.checked(self.grow(&mut list, ELEMENT))?;
            list.push(element);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> core::result::Result<Value, A::Error> {
        // A map cannot tell that it is out of memory, so its members are collected first.
        let mut list: Vec<(String, Value)> = Vec::new();
        while let Some(name) = members.next_key_seed(self)? {
            let Value::String(name) = name else { return Err(de::Error::custom("a name that is no text")) };
            let value = members.next_value_seed(self)?;
            self.checked(self.grow(&mut list, MEMBER))?;
            list.push((name, value));
        }
        let bytes = OBJECT + MEMBER * list.len() as u64;
        self.checked(self.budget.take(bytes))?;
        let mut map = Map::with_capacity(list.len());
        let collected = MEMBER * list.capacity() as u64;
        map.extend(list);
        self.budget.give_back(collected);
        Ok(Value::Object(map))
    }
}

/// The error of a file that is not JSON.
#[cold]
pub(crate) fn bad_json(file: &str, text: &[u8], cause: &serde_json::Error) -> Error {
    if is_web_page(text) {
        return error!(BadJson:
            "{file} is not JSON, but a web page, which servers send in place of files that they do not have, or that need a login; check \
             the address, and download the file again");
    }
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
    use super::{Budget, parse, parse_within};
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
    fn numbers_that_are_not_finite_are_texts() {
        let text = br#"{"a \" NaN": [NaN, -Infinity, 1], "Infinity": Infinity, "b": -1, "c": "NaN\\"}"#;
        let value = parse("config.json", text).unwrap();
        let is_text = [&value["a \" NaN"][0], &value["a \" NaN"][1], &value["Infinity"]].map(|value| value.is_string());
        assert_eq!(is_text, [true; 3]);
        assert_eq!((&value["a \" NaN"][2], &value["b"], &value["c"]), (&1.into(), &(-1).into(), &r"NaN\".into()));
        for (text, offset) in
            [(&b"[NaN, nan]"[..], 7), (b"[-Infinity, x]", 12), (b"[NaNx]", 4), (b"[Nan]", 1), (b"[NaN", 3)]
        {
            let error = parse("config.json", text).unwrap_err();
            assert_eq!((error.code().name(), error.offset()), ("bad-json", Some(offset)), "{error}");
        }
    }

    #[test]
    fn what_was_counted_before_a_number_that_is_not_finite_counts_once() {
        let text = alloc::format!("[{}-Infinity]", "0,".repeat(1 << 12));
        assert!(parse_within("config.json", text.as_bytes(), &Budget::new(1 << 20, 0)).is_ok());
        assert!(parse_within("config.json", text.as_bytes(), &Budget::new(1 << 19, 0)).is_err());
    }

    #[test]
    fn a_web_page_is_named() {
        let error = parse("config.json", b"<!doctype html><html>").unwrap_err();
        assert_eq!(error.code().name(), "bad-json");
        assert!(error.to_string().contains("a web page"), "{error}");
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let error = parse("config.json", "[".repeat(100_000).as_bytes()).unwrap_err();
        assert_eq!(error.code(), "bad-json");
    }

    #[test]
    fn values_that_take_much_more_memory_than_their_text_are_an_error() {
        let list = |value: &str, count: usize| alloc::format!("[{}0]", alloc::format!("{value},").repeat(count));
        for value in ["0", "[0]", "{}", "{\"a\":0}", "[[],[]]", "{\"a\":{\"b\":[{}]}}"] {
            let budget = Budget::new(1 << 20, 0);
            assert!(parse_within("config.json", list(value, 100).as_bytes(), &budget).is_ok(), "{value}");
            let error = parse_within("config.json", list(value, 1 << 14).as_bytes(), &budget).unwrap_err();
            assert_eq!(error.code(), "too-large", "{value}");
            assert!(error.to_string().starts_with("config.json: "), "{error}");
        }
    }

    #[test]
    fn numbers_are_read_exactly() {
        let value = parse("config.json", b"[1e-6, 0.7071067811865475, 1.7976931348623157e308]").unwrap();
        let numbers: Vec<_> = value.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
        assert_eq!(numbers, [1e-6, 0.7071067811865475, f64::MAX]);
    }
}
