//! Numbers and titles as Python writes them, because gguf-dump is a Python program.

use alloc::string::{String, ToString};

use gguf_format::decimal::{Digits, shortest32, shortest64};
use gguf_format::format::value::Value;

/// A scalar as NumPy 2.4 writes it: `True`, `1e-05`, `10000.0`. A string as it is. Arrays have no such text: it is empty.
pub(super) fn scalar(value: Value<'_>) -> String {
    match value {
        Value::Bool(value) => if value { "True" } else { "False" }.into(),
        // NumPy writes an f32 of seven digits before the point with an exponent, and an f64 from 17 digits on.
        Value::Float32(value) => float(value.into(), || shortest32(value), 1e6),
        Value::Float64(value) => float(value, || shortest64(value), 1e16),
        Value::Uint8(value) => value.to_string(),
        Value::Int8(value) => value.to_string(),
        Value::Uint16(value) => value.to_string(),
        Value::Int16(value) => value.to_string(),
        Value::Uint32(value) => value.to_string(),
        Value::Int32(value) => value.to_string(),
        Value::Uint64(value) => value.to_string(),
        Value::Int64(value) => value.to_string(),
        Value::String(text) => text.to_string(),
        Value::Array(_) => String::new(),
    }
}

/// The text of a float. `shortest` gives its digits. From the number `large` on, and below 0.0001, it gets an
/// exponent.
fn float(value: f64, shortest: impl Fn() -> Digits, large: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "nan"
        } else if value < 0.0 {
            "-inf"
        } else {
            "inf"
        }
        .into();
    }
    let digits = shortest();
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value != 0.0 && !(1e-4..large).contains(&value.abs()) {
        return format!("{sign}{}e{:+03}", digits.mantissa(), digits.exponent);
    }
    let text = digits.plain();
    let end = if text.contains('.') { "" } else { ".0" };
    [sign, &text, end].concat()
}

/// A count as gguf-dump rounds it: `~7B`. Halves are rounded to even numbers, as Python does it.
pub(super) fn rounded_count(count: u64) -> String {
    let scales = [(1e15, 1e-15, 'Q'), (1e12, 1e-12, 'T'), (1e9, 1e-9, 'B'), (1e6, 1e-6, 'M'), (1e3, 1e-3, 'K')];
    let exact = count as f64;
    match scales.iter().find(|(above, ..)| exact > *above) {
        None => count.to_string(),
        Some((_, factor, suffix)) => format!("~{}{suffix}", round_to_even(exact * factor)),
    }
}

fn round_to_even(number: f64) -> u64 {
    let whole = number as u64;
    let rest = number - whole as f64;
    whole + u64::from(rest > 0.5 || (rest == 0.5 && whole % 2 == 1))
}

/// A text with a capital at the start of each run of letters, and small letters after it: Python's `str.title()`. Only letters
/// of ASCII change: all names of tensors that tools write are ASCII, and the tables of Unicode take 20 kB.
pub(super) fn title(text: &str) -> String {
    let mut is_inside = false;
    let cased = |character: char| {
        let result = if is_inside { character.to_ascii_lowercase() } else { character.to_ascii_uppercase() };
        is_inside = character.is_ascii_alphabetic() || !character.is_ascii();
        result
    };
    text.chars().map(cased).collect()
}

#[cfg(test)]
mod tests {
    use super::{rounded_count, scalar, title};
    use gguf_format::format::value::Value;

    #[test]
    fn floats_are_those_of_numpy() {
        let expected = [
            (0.0, "0.0", "0.0"),
            (-0.0, "-0.0", "-0.0"),
            (1.0, "1.0", "1.0"),
            (0.1, "0.1", "0.1"),
            (1e-4, "1e-04", "0.0001"),
            (1e-5, "1e-05", "1e-05"),
            (0.00012, "0.00012", "0.00012"),
            (-0.001, "-0.001", "-0.001"),
            (12345.678, "12345.678", "12345.678"),
            (500_000.0, "500000.0", "500000.0"),
            (1e6, "1e+06", "1000000.0"),
            (123_456_789.0, "1.2345679e+08", "123456789.0"),
            (1e16, "1e+16", "1e+16"),
            (3.4e38, "3.4e+38", "3.4e+38"),
            (f64::INFINITY, "inf", "inf"),
            (f64::NEG_INFINITY, "-inf", "-inf"),
            (f64::NAN, "nan", "nan"),
        ];
        for (value, single, double) in expected {
            assert_eq!(scalar(Value::Float32(value as f32)), single);
            assert_eq!(scalar(Value::Float64(value)), double);
        }
        assert_eq!(scalar(Value::Float64(1e-300)), "1e-300");
        assert_eq!(scalar(Value::Bool(true)), "True");
        assert_eq!(scalar(Value::Int8(-5)), "-5");
        assert_eq!(scalar(Value::Uint64(u64::MAX)), "18446744073709551615");
    }

    #[test]
    fn counts_are_rounded_half_to_even() {
        let expected = [
            (0, "0"),
            (1000, "1000"),
            (1001, "~1K"),
            (1500, "~2K"),
            (2500, "~2K"),
            (2501, "~3K"),
            (999_999, "~1000K"),
            (1_000_000, "~1000K"),
            (1_000_001, "~1M"),
            (6_738_415_616, "~7B"),
            (1_000_000_000_001, "~1T"),
            (2_000_000_000_000_000, "~2Q"),
        ];
        for (count, text) in expected {
            assert_eq!(rounded_count(count), text);
        }
    }

    #[test]
    fn titles_begin_at_each_run_of_letters() {
        assert_eq!(title("blk"), "Blk");
        assert_eq!(title("attn_QKV.(w)"), "Attn_Qkv.(W)");
        assert_eq!(title("Feed-forward network \"up\""), "Feed-Forward Network \"Up\"");
        assert_eq!(title("they're 2nd"), "They'Re 2Nd");
        assert_eq!(title("straße éa"), "Straße éa");
    }
}
