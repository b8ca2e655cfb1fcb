//! The text of a number, and the number of a text.
//!
//! The text of a float is the shortest decimal that is parsed as the same float. Its notation is that of JavaScript: the
//! FLOAT32 nearest to a tenth is `0.1`, and 1e21 has an exponent.

use alloc::string::{String, ToString};

use super::number::Number;
use crate::decimal::{Digits, float32, float64, shortest32, shortest64};
use crate::format::value::{Str, Value, ValueType};
use crate::write::encode::Encoder;

/// The length in bytes of the longest text that is parsed as a number. The exact decimal of every number of the format is
/// shorter.
const MAX_TEXT_LENGTH: u64 = 1100;

/// The decimal exponents of the numbers that JavaScript writes without an exponent.
const POSITIONAL: core::ops::Range<i32> = -6..21;

/// The text of a number or a BOOL. `None` for strings and arrays.
pub(super) fn text_of(value: Value<'_>) -> Option<String> {
    Some(match value {
        Value::Float32(float) => float_text(float.into(), || shortest32(float)),
        Value::Float64(float) => float_text(float, || shortest64(float)),
        Value::Bool(flag) => flag.to_string(),
        _ => match Number::of(value)? {
            Number::Integer { is_negative, magnitude } => format!("{}{magnitude}", if is_negative { "-" } else { "" }),
            Number::Float(float) => float_text(float, || shortest64(float)),
        },
    })
}

/// Writes the number of a text as a type. Returns whether the text is a number that the type can hold.
pub(super) fn write_number(text: Str<'_>, value_type: ValueType, encoder: &mut Encoder) -> bool {
    if text.byte_length() > MAX_TEXT_LENGTH {
        return false;
    }
    let Ok(text) = text.to_str() else { return false };
    let text = text.trim_ascii();
    let number = match (value_type, text) {
        (ValueType::Bool, "true") => Some(Value::Bool(true)).and_then(Number::of),
        (ValueType::Bool, "false") => Some(Value::Bool(false)).and_then(Number::of),
        // Parsed as an f32 directly: through an f64 it could be rounded twice.
        (ValueType::Float32, _) => finite_or_named(text, float32(text).map(f64::from)).map(Number::Float),
        (ValueType::Float64, _) => finite_or_named(text, float64(text)).map(Number::Float),
        _ => integer(text).or_else(|| finite_or_named(text, float64(text)).map(Number::Float)),
    };
    number.is_some_and(|number| number.write(value_type, encoder))
}

/// The decimal integer of a text, if its magnitude fits in a `u64`.
fn integer(text: &str) -> Option<Number> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let is_decimal = digits.bytes().all(|digit| digit.is_ascii_digit());
    let magnitude = if is_decimal { digits.parse().ok()? } else { return None };
    Some(Number::Integer { is_negative, magnitude })
}

/// The float, unless the parser rounded a finite number to infinity, because it is too large for the type.
fn finite_or_named(text: &str, float: Option<f64>) -> Option<f64> {
    float.filter(|float| !float.is_infinite() || !text.bytes().any(|byte| byte.is_ascii_digit()))
}

/// The text of a float. `shortest` gives its digits.
fn float_text(float: f64, shortest: impl Fn() -> Digits) -> String {
    if !float.is_finite() {
        return match (float.is_nan(), float > 0.0) {
            (true, _) => "NaN".into(),
            (_, true) => "Infinity".into(),
            (_, false) => "-Infinity".into(),
        };
    }
    let digits = shortest();
    let sign = if float.is_sign_negative() { "-" } else { "" };
    match digits.exponent {
        exponent if POSITIONAL.contains(&exponent) => [sign, &digits.plain()].concat(),
        exponent => format!("{sign}{}e{exponent:+}", digits.mantissa()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::encode::OwnedValue;
    use crate::write::new_value::NewValue;
    use crate::write::new_value::convert::convert_value;
    use alloc::vec::Vec;

    /// The bytes of a value after conversion to a type, and its text if it is a string.
    fn retyped(value: &OwnedValue, value_type: ValueType) -> Option<(Vec<u8>, Option<String>)> {
        let value = NewValue::new(value).unwrap();
        let mut encoder = NewValue::encoder(value_type);
        let new =
            convert_value(value.value(), &[value_type], &mut encoder).then(|| NewValue::encoded(encoder).unwrap())?;
        let text = new.value().as_str().map(|text| text.to_str().unwrap().into_owned());
        let bytes = new.entry().value_range();
        Some((new.entry().storage().bytes.pieces(bytes).flatten().copied().collect(), text))
    }

    fn text(value: impl Into<OwnedValue>) -> String {
        retyped(&value.into(), ValueType::String).unwrap().1.unwrap()
    }

    #[test]
    fn a_float_has_the_shortest_text_in_the_notation_of_javascript() {
        assert_eq!(text(0.1f32), "0.1");
        assert_eq!(text(0.1f64), "0.1");
        assert_eq!(text(f64::from(0.1f32)), "0.10000000149011612");
        assert_eq!(text(500_000f32), "500000");
        assert_eq!(text(1e-5f32), "0.00001");
        assert_eq!(text(-12.5f32), "-12.5");
        assert_eq!(text(1e20f64), "100000000000000000000");
        assert_eq!(text(1e21f64), "1e+21");
        assert_eq!(text(1.25e-7f64), "1.25e-7");
        assert_eq!(text(0.000_001f64), "0.000001");
        assert_eq!(text(-0.0f64), "-0");
        assert_eq!(text(f32::MAX), "3.4028235e+38");
        assert_eq!([f32::NAN, f32::INFINITY, f32::NEG_INFINITY].map(text), ["NaN", "Infinity", "-Infinity"]);
    }

    #[test]
    fn integers_and_bools_have_texts() {
        assert_eq!(text(u64::MAX), "18446744073709551615");
        assert_eq!(text(i64::MIN), "-9223372036854775808");
        assert_eq!((text(true), text(0u8), text(-1i8)), ("true".into(), "0".into(), "-1".into()));
    }

    #[test]
    fn a_number_survives_conversion_to_text_and_back() {
        let numbers: Vec<OwnedValue> = [0.1f32, -0.0, 1e-45, f32::MAX, f32::MIN_POSITIVE, 16_777_217.0, f32::INFINITY]
            .into_iter()
            .map(OwnedValue::from)
            .chain([0.1f64, 5e-324, f64::MAX, -0.0, 1e21, 123_456.789].map(OwnedValue::from))
            .chain([u64::MAX, 0].map(OwnedValue::from))
            .chain([i64::MIN, -1].map(OwnedValue::from))
            .chain([true.into(), false.into(), 255u8.into(), i16::MIN.into()])
            .collect();
        for number in numbers {
            let before = retyped(&number, number.value_type()).unwrap().0;
            let back = retyped(&text(number.clone()).as_str().into(), number.value_type()).unwrap().0;
            assert_eq!(back, before, "{number:?}");
        }
    }

    #[test]
    fn a_text_that_is_no_number_of_the_type_is_refused() {
        let refused = |text: &str, value_type| retyped(&text.into(), value_type).is_none();
        for text in ["", "-", "abc", "1 2", "0x10", "--1", "1,000"] {
            for value_type in
                [ValueType::Uint8, ValueType::Int64, ValueType::Float32, ValueType::Float64, ValueType::Bool]
            {
                assert!(refused(text, value_type), "{text:?} as {value_type}");
            }
        }
        assert!(refused("256", ValueType::Uint8));
        assert!(refused("1.5", ValueType::Uint8));
        assert!(refused("1e39", ValueType::Float32));
        assert!(refused("1e309", ValueType::Float64));
        assert!(refused("yes", ValueType::Bool));
        assert!(refused(&"0".repeat(1101), ValueType::Uint8));
        assert!(!refused(" 1e3 ", ValueType::Uint16));
        assert!(!refused("-inf", ValueType::Float32));
    }
}
