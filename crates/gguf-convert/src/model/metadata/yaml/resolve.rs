//! The types of scalars in YAML 1.1.

use alloc::string::String;

use gguf_format::decimal::float64;
use serde_json::Value;

use super::reader::Read;

pub(super) const OTHER_TAG: &str = "a tag is unknown, or does not fit its value";

/// The name of a type of YAML. Empty if the tag is of another kind.
pub(super) fn type_of_tag(tag: &str) -> &str {
    let name = tag.strip_prefix("!<tag:yaml.org,2002:").and_then(|rest| rest.strip_suffix('>'));
    match (tag, name.or_else(|| tag.strip_prefix("!!"))) {
        ("!", _) => tag,
        (_, None | Some("!")) => "",
        (_, Some(name)) => name,
    }
}

/// The value of a text. `is_plain` tells whether its type follows from its text.
pub(super) fn scalar(text: String, is_plain: bool, tag: Option<&str>) -> Read<Value> {
    match tag.map(type_of_tag) {
        None if is_plain => plain(text),
        Some("!") => plain(text),
        None | Some("str") => Ok(Value::String(text)),
        Some("null") => Ok(Value::Null),
        Some("bool") => answer(&text.to_ascii_lowercase()).map(Value::Bool).ok_or(OTHER_TAG),
        Some("int" | "float") if is_number(&text) => Ok(number(&text)),
        Some(_) => Err(OTHER_TAG),
    }
}

fn plain(text: String) -> Read<Value> {
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => Ok(Value::Null),
        "<<" | "=" => Err("<< and = are no values: quote the text"),
        found if is_number(found) => Ok(number(found)),
        found => Ok(answer(found).map_or_else(|| Value::String(text.clone()), Value::Bool)),
    }
}

fn answer(text: &str) -> Option<bool> {
    match text {
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

/// The value of a number. No entry takes one, so that it is a number is what counts: it is 0 in other bases than 10.
fn number(text: &str) -> Value {
    let digits = text.replace('_', "");
    let integer = digits.parse::<i64>().ok().map(Value::from);
    integer.or_else(|| float64(&digits).map(Value::from)).unwrap_or_else(|| 0.into())
}

fn is_number(text: &str) -> bool {
    let text = text.as_bytes();
    let unsigned = text.strip_prefix(b"+").or_else(|| text.strip_prefix(b"-")).unwrap_or(text);
    match unsigned {
        b".inf" | b".Inf" | b".INF" => true,
        [b'0', b'b', digits @ ..] => {
            !digits.is_empty() && after(digits, |byte| matches!(byte, b'0' | b'1' | b'_')).is_empty()
        }
        [b'0', b'x', digits @ ..] => {
            !digits.is_empty() && after(digits, |byte| byte.is_ascii_hexdigit() || byte == b'_').is_empty()
        }
        // No sign stands before the point.
        [b'.', ..] => match text {
            b".nan" | b".NaN" | b".NAN" => true,
            [b'.', b'0'..=b'9', fraction @ ..] => is_exponent(after(fraction, is_place)),
            _ => false,
        },
        [first @ b'0'..=b'9', ..] => match after(unsigned, is_place) {
            // A number with 8 or 9 that begins with 0 is no octal number.
            [] => *first != b'0' || after(unsigned, |byte| matches!(byte, b'0'..=b'7' | b'_')).is_empty(),
            [b'.', fraction @ ..] => is_exponent(after(fraction, is_place)),
            // Base 60: `1:30`.
            rest => match after_places(rest) {
                Some([]) => *first != b'0',
                Some([b'.', fraction @ ..]) => after(fraction, is_place).is_empty(),
                _ => false,
            },
        },
        _ => false,
    }
}

/// What follows after the places of a number in base 60, each from 0 to 59 behind a colon.
fn after_places(mut text: &[u8]) -> Option<&[u8]> {
    while let [b':', rest @ ..] = text {
        text = match rest {
            [b'0'..=b'5', b'0'..=b'9', rest @ ..] | [b'0'..=b'9', rest @ ..] => rest,
            _ => return None,
        };
    }
    Some(text)
}

/// Whether a text is empty, or the exponent of a number.
fn is_exponent(text: &[u8]) -> bool {
    match text {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] => {
            !digits.is_empty() && after(digits, |byte| byte.is_ascii_digit()).is_empty()
        }
        _ => false,
    }
}

fn is_place(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'_'
}

/// The text from its first byte on that is not of a kind.
fn after(text: &[u8], is_of_kind: fn(u8) -> bool) -> &[u8] {
    let length = text.iter().position(|byte| !is_of_kind(*byte)).unwrap_or(text.len());
    &text[length..]
}
