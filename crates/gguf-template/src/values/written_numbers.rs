//! How llama.cpp writes numbers: as `printf` of C with `%f` and `%g`, and as its JSON library.

use alloc::string::String;

use gguf_format::decimal::{Digits, fixed, shortest64};

use super::escaped::Out;
use super::floats::exponent;
use crate::error::Outcome;

/// Writes an integer.
pub(crate) fn write_int(number: i64, out: Out) -> Outcome<()> {
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        start -= 1;
        digits[start] = b'-';
    }
    out(&digits[start..])
}

/// Writes a float with six decimals, without zeros at the end but one.
pub(crate) fn write_fixed(number: f64, out: Out) -> Outcome<()> {
    if let Some(text) = special(number) {
        return out(text.as_bytes());
    }
    let mut text = fixed(number, 6);
    text.truncate(text.trim_end_matches('0').len());
    if text.ends_with('.') {
        text.push('0');
    }
    finish(number, &text, out)
}

/// Writes a float with six significant digits, as JSON of llama.cpp has it.
pub(crate) fn write_general(number: f64, out: Out) -> Outcome<()> {
    if let Some(text) = special(number) {
        return out(text.as_bytes());
    }
    let digits = Digits::rounded(number, 6).without_zeros();
    let text = if (-4..6).contains(&digits.exponent) { digits.plain() } else { scientific(&digits) };
    finish(number, &[sign(number), &text].concat(), out)
}

/// Writes the text of a float. The farther the float is from one, the longer it takes to find its digits, so empty pieces are written before
/// it: each piece counts a step.
fn finish(number: f64, text: &str, out: Out) -> Outcome<()> {
    let count = if number == 0.0 { 0 } else { exponent(number).unsigned_abs() / 32 };
    (0..count).try_for_each(|_| out(&[]))?;
    out(text.as_bytes())
}

/// The shortest text of a float that gives the same float, in the form of the JSON library that llama.cpp uses.
pub(crate) fn shortest(number: f64) -> String {
    // JSON has neither infinity nor NaN.
    if !number.is_finite() {
        return "null".into();
    }
    let digits = shortest64(number);
    if !(-4..15).contains(&digits.exponent) {
        return [sign(number), &scientific(&digits)].concat();
    }
    let text = digits.plain();
    let end = if text.contains('.') { "" } else { ".0" };
    [sign(number), &text, end].concat()
}

fn special(number: f64) -> Option<&'static str> {
    match (number.is_nan(), number.is_infinite(), number.is_sign_negative()) {
        (true, _, false) => Some("nan"),
        (true, _, true) => Some("-nan"),
        (_, true, false) => Some("inf"),
        (_, true, true) => Some("-inf"),
        _ => None,
    }
}

fn sign(number: f64) -> &'static str {
    if number.is_sign_negative() { "-" } else { "" }
}

/// Digits with an exponent of two digits at least.
fn scientific(digits: &Digits) -> String {
    format!("{}e{:+03}", digits.mantissa(), digits.exponent)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{shortest, write_fixed, write_general};
    use crate::values::floats::tests::floats;

    fn text(write: impl Fn(&mut String)) -> String {
        let mut text = String::new();
        write(&mut text);
        text
    }

    #[test]
    fn floats_are_written_as_by_the_standard_library() {
        for float in floats() {
            let mut fixed = format!("{float:.6}");
            fixed.truncate(fixed.trim_end_matches('0').len());
            if fixed.ends_with('.') {
                fixed.push('0');
            }
            let written = text(|text| {
                write_fixed(float, &mut |bytes| {
                    text.push_str(core::str::from_utf8(bytes).unwrap());
                    Ok(())
                })
                .unwrap();
            });
            assert_eq!(written, fixed, "{float:e}");
            let general = text(|text| {
                write_general(float, &mut |bytes| {
                    text.push_str(core::str::from_utf8(bytes).unwrap());
                    Ok(())
                })
                .unwrap();
            });
            let six = format!("{float:.5e}");
            assert_eq!(general.parse::<f64>().unwrap(), six.parse::<f64>().unwrap(), "{float:e}: {general}");
            assert_eq!(shortest(float).parse::<f64>().unwrap().to_bits(), float.to_bits(), "{float:e}");
            assert!(shortest(float).len() <= format!("{float:e}").len() + 4, "{float:e}: {}", shortest(float));
        }
    }

    #[test]
    fn numbers_have_the_form_of_the_reference() {
        let general = [
            (1e20, "1e+20"),
            (0.1 + 0.2, "0.3"),
            (1.0, "1"),
            (1234567.5, "1.23457e+06"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (0.0, "0"),
            (-0.0, "-0"),
            (100000.0, "100000"),
            (999999.5, "1e+06"),
            (1e100, "1e+100"),
        ];
        for (float, expected) in general {
            let written = text(|text| {
                write_general(float, &mut |bytes| {
                    text.push_str(core::str::from_utf8(bytes).unwrap());
                    Ok(())
                })
                .unwrap();
            });
            assert_eq!(written, expected);
        }
        let dumped = [
            (1.0, "1.0"),
            (1e20, "1e+20"),
            (100000.0, "100000.0"),
            (1e16, "1e+16"),
            (1e15, "1e+15"),
            (1e14, "100000000000000.0"),
            (0.1, "0.1"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (-1234.5, "-1234.5"),
            (0.0, "0.0"),
        ];
        for (float, expected) in dumped {
            assert_eq!(shortest(float), expected);
        }
    }
}
