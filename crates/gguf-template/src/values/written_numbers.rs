//! How llama.cpp writes numbers: as `printf` of C with `%f` and `%g`, and as its JSON library.
//!
//! The digits are exact: they are computed with integers of any size, so no table of powers is needed.

use alloc::string::String;
use alloc::vec::Vec;

use super::escaped::Out;
use super::floats::{exponent, parts};
use super::read_numbers::decimal;
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
    let mut text = match special(number) {
        Some(text) => return out(text.as_bytes()),
        None => sign(number),
    };
    let (mut digits, is_more) = decimals(number, 7);
    round(&mut digits, is_more, 1);
    let whole = digits.len().saturating_sub(6);
    push_digits(&mut text, if whole == 0 { b"0" } else { &digits[..whole] });
    text.push('.');
    (digits.len()..6).for_each(|_| text.push('0'));
    push_digits(&mut text, &digits[whole..]);
    text.truncate(text.trim_end_matches('0').len());
    if text.ends_with('.') {
        text.push('0');
    }
    finish(number, &text, out)
}

/// Writes a float with six significant digits, as JSON of llama.cpp has it.
pub(crate) fn write_general(number: f64, out: Out) -> Outcome<()> {
    let mut text = match special(number) {
        Some(text) => return out(text.as_bytes()),
        None => sign(number),
    };
    let (digits, exponent) = significant(number, 6);
    let digits = without_zeros(&digits);
    if (-4..6).contains(&exponent) {
        plain(&mut text, digits, exponent)
    } else {
        scientific(&mut text, digits, exponent)
    }
    finish(number, &text, out)
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
    let mut text = match special(number) {
        // JSON has neither infinity nor NaN.
        Some(_) => return "null".into(),
        None => sign(number),
    };
    let (mut digits, mut exponent) = (Vec::new(), 0);
    for count in 1..=17 {
        (digits, exponent) = significant(number, count);
        let mut form = String::new();
        scientific(&mut form, &digits, exponent);
        if decimal(form.as_bytes()).is_some_and(|(read, _)| read == number.abs()) {
            break;
        }
    }
    let digits = without_zeros(&digits);
    if (-4..15).contains(&exponent) {
        plain(&mut text, digits, exponent);
        if !text.contains('.') {
            text.push_str(".0");
        }
    } else {
        scientific(&mut text, digits, exponent);
    }
    text
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

fn sign(number: f64) -> String {
    if number.is_sign_negative() { "-".into() } else { String::new() }
}

fn push_digits(text: &mut String, digits: &[u8]) {
    text.extend(digits.iter().map(|digit| *digit as char));
}

fn without_zeros(digits: &[u8]) -> &[u8] {
    let end = digits.iter().rposition(|digit| *digit != b'0').map_or(1, |last| last + 1);
    &digits[..end.min(digits.len())]
}

/// Digits as a number without exponent.
fn plain(text: &mut String, digits: &[u8], exponent: i32) {
    if exponent < 0 {
        text.push_str("0.");
        (1..-exponent).for_each(|_| text.push('0'));
        push_digits(text, digits);
        return;
    }
    let whole = exponent as usize + 1;
    push_digits(text, &digits[..whole.min(digits.len())]);
    (digits.len()..whole).for_each(|_| text.push('0'));
    if digits.len() > whole {
        text.push('.');
        push_digits(text, &digits[whole..]);
    }
}

/// Digits as a number with an exponent of two digits at least.
fn scientific(text: &mut String, digits: &[u8], exponent: i32) {
    push_digits(text, &digits[..1]);
    if digits.len() > 1 {
        text.push('.');
        push_digits(text, &digits[1..]);
    }
    text.push_str(if exponent < 0 { "e-" } else { "e+" });
    let exponent = exponent.unsigned_abs();
    if exponent >= 100 {
        text.push((b'0' + (exponent / 100) as u8) as char);
    }
    text.push((b'0' + (exponent / 10 % 10) as u8) as char);
    text.push((b'0' + (exponent % 10) as u8) as char);
}

/// A number of significant digits, rounded half to even, and the exponent of the first one.
fn significant(number: f64, count: usize) -> (Vec<u8>, i32) {
    if number == 0.0 {
        return (vec![b'0'; count], 0);
    }
    let (mantissa, exponent) = parts(number);
    let bits = exponent + 63 - mantissa.leading_zeros() as i32;
    // The logarithm of 2 is 0.30103. The guess is at most one too large.
    let guess = bits * 30103 / 100_000 + i32::from(bits > 0);
    let scale = count as i32 + 1 - guess;
    let (mut digits, is_more) = decimals(number, scale);
    let dropped = digits.len() - count;
    let exponent = digits.len() as i32 - 1 - scale;
    let before = digits.len() - dropped;
    round(&mut digits, is_more, dropped);
    if digits.len() > before {
        digits.pop();
        return (digits, exponent + 1);
    }
    (digits, exponent)
}

/// The digits of the float times a power of ten, without its fraction, and whether there was a fraction.
fn decimals(number: f64, scale: i32) -> (Vec<u8>, bool) {
    let (mantissa, exponent) = parts(number);
    let mut big = Big(vec![mantissa as u32, (mantissa >> 32) as u32]);
    // First what makes the number larger, so that nothing is lost before it.
    big.scale(10, 9, scale.max(0));
    let mut is_more = big.scale(2, 31, exponent);
    is_more |= big.scale(10, 9, scale.min(0));
    let mut digits = Vec::new();
    while !big.0.is_empty() {
        let mut rest = big.divide(1_000_000_000);
        for _ in 0..9 {
            digits.push(b'0' + (rest % 10) as u8);
            rest /= 10;
        }
    }
    let zeros = digits.iter().rev().take_while(|digit| **digit == b'0').count();
    digits.truncate(digits.len() - zeros);
    digits.reverse();
    (digits, is_more)
}

/// Drops digits at the end, rounding half to even. The result can have one digit more than is left.
fn round(digits: &mut Vec<u8>, is_more: bool, dropped: usize) {
    // Digits before the first one are zeros.
    while digits.len() < dropped {
        digits.insert(0, b'0');
    }
    let rest = digits.split_off(digits.len() - dropped);
    let Some((first, others)) = rest.split_first() else { return };
    let is_odd = digits.last().is_some_and(|digit| digit % 2 == 1);
    let is_above = is_more || others.iter().any(|digit| *digit != b'0');
    if *first < b'5' || *first == b'5' && !is_above && !is_odd {
        return;
    }
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
    digits.insert(0, b'1');
}

/// A natural number, the low digits first, without zeros at the end.
struct Big(Vec<u32>);

impl Big {
    /// Multiplies with a power of a base, or divides by it. `most` is how many factors are taken at a time. Returns whether there was a remainder.
    fn scale(&mut self, base: u32, most: u32, exponent: i32) -> bool {
        let mut left = exponent.unsigned_abs();
        let mut is_more = false;
        while left > 0 {
            let factor = base.pow(left.min(most));
            match exponent > 0 {
                true => self.multiply(factor),
                false => is_more |= self.divide(factor) != 0,
            }
            left -= left.min(most);
        }
        is_more
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for digit in &mut self.0 {
            let product = u64::from(*digit) * u64::from(factor) + carry;
            *digit = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Divides, and returns the remainder.
    fn divide(&mut self, divisor: u32) -> u32 {
        let mut rest = 0;
        for digit in self.0.iter_mut().rev() {
            let value = rest << 32 | u64::from(*digit);
            *digit = (value / u64::from(divisor)) as u32;
            rest = value % u64::from(divisor);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        rest as u32
    }
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
