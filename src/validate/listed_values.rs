//! Values of keys that have a fixed set of values.

use core::fmt;

use super::check::Check;
use super::findings::{Findings, Subject};
use crate::format::header::MetadataKv;
use crate::format::value::Value;
use crate::know::keys::{EnumValue, KeyInfo, KeyValue, KeyValues};

/// Keys whose values have checks of their own.
const CHECKED_ELSEWHERE: &[&str] = &["{arch}.rope.scaling.type", "tokenizer.ggml.model", "tokenizer.ggml.token_type"];

/// Reports a value that is none of those that the key may have, or has such an element.
pub(super) fn check(entry: &MetadataKv<'_>, info: &KeyInfo, findings: &mut Findings) {
    let Some(KeyValues::Listed(values)) = info.values.filter(|_| !CHECKED_ELSEWHERE.contains(&info.pattern)) else {
        return;
    };
    let is_known = |value: Value<'_>| is_listed(&value, values);
    let are_known = match entry.value() {
        Value::Array(array) => array.iter().all(is_known),
        value => is_known(value),
    };
    if !are_known {
        findings.report(
            Check::UnlistedValue,
            Some(Subject::Entry(entry.index())),
            Some(entry.value_range().start),
            format_args!("readers do not know this value. Set it to one of those that they know:{}.", Listed(values)),
        );
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

/// The values that a key may have, with the names of numbers: ` 0 (None), 1 (Mean)`.
struct Listed(&'static [KeyValue]);

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for known in self.0 {
            match known.value {
                EnumValue::Text(text) => write!(f, "{before} {text}")?,
                EnumValue::Number(number) => write!(f, "{before} {number} ({})", known.name)?,
            }
            before = ",";
        }
        Ok(())
    }
}
