//! Values of keys that have a fixed set of values.

use core::fmt;

use super::check::Check;
use super::findings::{Findings, Subject};
use crate::error::shown::Shown;
use crate::format::header::MetadataKv;
use crate::format::value::Value;
use crate::know::keys::{EnumValue, KeyInfo, KeyValue, KeyValues};

/// Keys whose values have checks of their own.
const CHECKED_ELSEWHERE: &[&str] = &["{arch}.rope.scaling.type", "tokenizer.ggml.model", "tokenizer.ggml.token_type"];

/// Reports a value that is none of those that the key may have, or the first such element.
pub(super) fn check(entry: &MetadataKv<'_>, info: &KeyInfo, findings: &mut Findings) {
    let Some(KeyValues::Listed(values)) = info.values.filter(|_| !CHECKED_ELSEWHERE.contains(&info.pattern)) else {
        return;
    };
    let unlisted = match entry.value() {
        Value::Array(array) => array.iter().find(|value| !is_listed(value, values)),
        value => Some(value).filter(|value| !is_listed(value, values)),
    };
    let Some(unlisted) = unlisted else { return };
    let mut report = |found: &dyn fmt::Display| {
        findings.report(
            Check::UnlistedValue,
            Some(Subject::Entry(entry.index())),
            Some(entry.value_range().start),
            format_args!("readers do not know the value {found}, expected {}. Correct the value.", Listed(values)),
        );
    };
    match unlisted {
        Value::String(text) => report(&Shown(&text.to_bytes())),
        number => report(&number.as_i64().unwrap_or_default()),
    }
}

/// Whether a value is listed. A value of another type than the listed ones has a finding of its own.
fn is_listed(value: &Value<'_>, values: &[KeyValue]) -> bool {
    values.iter().any(|known| match (known.value, value) {
        (EnumValue::Text(text), Value::String(found)) => *found == text,
        (EnumValue::Number(number), value) => value.as_i64().is_none_or(|found| found == i64::from(number)),
        _ => true,
    })
}

/// The values that a key may have, with the names of numbers: `0 (None), 1 (Mean) or 2 (CLS)`.
struct Listed(&'static [KeyValue]);

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, known) in self.0.iter().enumerate() {
            f.write_str(match index {
                0 => "",
                index if index + 1 == self.0.len() => " or ",
                _ => ", ",
            })?;
            match known.value {
                EnumValue::Text(text) => f.write_str(text)?,
                EnumValue::Number(number) => write!(f, "{number} ({})", known.name)?,
            }
        }
        Ok(())
    }
}
