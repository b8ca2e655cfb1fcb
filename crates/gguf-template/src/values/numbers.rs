//! How llama.cpp reads and writes numbers: as `printf` with `%f` and `%g`, `strtol` and `strtod` of C.
//!
//! The digits are exact: they are computed with integers of any size, so no table of powers is needed.

use alloc::string::String;
use alloc::vec::Vec;

use super::ascii::is_space;
use super::escaped::Out;
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

/// The mantissa of a float as an integer, and the power of two that it is multiplied with.
fn parts(number: f64) -> (u64, i32) {
    let bits = number.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7FF) as i32);
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
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
                true => self.multiply_and_add(factor, 0),
                false => is_more |= self.divide(factor) != 0,
            }
            left -= left.min(most);
        }
        is_more
    }

    fn multiply_and_add(&mut self, factor: u32, added: u32) {
        let mut carry = u64::from(added);
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

/// The integer at the start of a text. `None` if there is none, or if it has more than 32 bits, as for `stoi` of C++.
pub(crate) fn read_int(text: &[u8], mut base: u32) -> Option<i32> {
    let mut rest = without_spaces(text);
    let is_negative = rest.first() == Some(&b'-');
    if matches!(rest.first(), Some(b'-' | b'+')) {
        rest = &rest[1..];
    }
    let has_prefix = matches!(rest, [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit());
    if base == 0 {
        base = if has_prefix {
            16
        } else if rest.first() == Some(&b'0') {
            8
        } else {
            10
        };
    }
    if base == 16 && has_prefix {
        rest = &rest[2..];
    }
    let count = rest.iter().take_while(|byte| (**byte as char).is_digit(base)).count();
    if count == 0 {
        return None;
    }
    let mut number: i64 = 0;
    for byte in &rest[..count] {
        number = (number * i64::from(base) + i64::from((*byte as char).to_digit(base)?)).min(1 << 40);
    }
    i32::try_from(if is_negative { -number } else { number }).ok()
}

/// The float at the start of a text, as `stod` of C++ reads it. `None` if there is none, or if it is out of range.
pub(crate) fn read_float(text: &[u8]) -> Option<f64> {
    let mut rest = without_spaces(text);
    let is_negative = rest.first() == Some(&b'-');
    if matches!(rest.first(), Some(b'-' | b'+')) {
        rest = &rest[1..];
    }
    let starts = |word: &[u8]| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word);
    let number = if starts(b"inf") {
        f64::INFINITY
    } else if starts(b"nan") {
        f64::NAN.abs()
    } else if starts(b"0x") && rest.len() > 2 && (rest[2].is_ascii_hexdigit() || rest[2] == b'.') {
        read_hex(&rest[2..])?
    } else {
        read_decimal(rest)?
    };
    Some(if is_negative { -number } else { number })
}

fn read_decimal(text: &[u8]) -> Option<f64> {
    let (number, has_digit) = decimal(text)?;
    let is_out_of_range = number.is_infinite() || has_digit && number < f64::MIN_POSITIVE;
    (!is_out_of_range).then_some(number)
}

/// Digits after these do not change the float, except that they decide a tie.
const DIGITS: usize = 800;

/// The float at the start of a text without a sign, infinite if it is too large, and whether it has a digit that is not zero. `None` if
/// there is no number.
pub(crate) fn decimal(text: &[u8]) -> Option<(f64, bool)> {
    let mut big = Big(Vec::new());
    let mut exponent: i64 = 0;
    let (mut position, mut count, mut digits) = (0, 0, 0);
    let (mut is_fraction, mut is_more) = (false, false);
    while let Some(byte) = text.get(position) {
        match byte {
            b'.' if !is_fraction => is_fraction = true,
            b'0'..=b'9' => {
                count += 1;
                digits += usize::from(digits > 0 || *byte != b'0');
                if digits <= DIGITS {
                    big.multiply_and_add(10, u32::from(byte - b'0'));
                    exponent -= i64::from(is_fraction);
                } else {
                    is_more |= *byte != b'0';
                    exponent += i64::from(!is_fraction);
                }
            }
            _ => break,
        }
        position += 1;
    }
    if count == 0 {
        return None;
    }
    if let [b'e' | b'E', rest @ ..] = &text[position..] {
        let (is_negative, rest) = match rest {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let written = rest.iter().take_while(|byte| byte.is_ascii_digit());
        let written = written.fold(0, |value: i64, byte| (value * 10 + i64::from(byte - b'0')).min(1 << 40));
        exponent += if is_negative { -written } else { written };
    }
    let number = match exponent {
        _ if digits == 0 => 0.0,
        400.. => f64::INFINITY,
        // Less than half of the smallest float. A short text must not take long.
        _ if digits.min(DIGITS) as i64 + exponent < -330 => 0.0,
        _ => scaled(big, exponent as i32, is_more),
    };
    Some((number, digits > 0))
}

/// A natural number times a power of ten, rounded to a float, half to even.
fn scaled(mut big: Big, exponent: i32, mut is_more: bool) -> f64 {
    big.scale(10, 9, exponent.max(0));
    // Enough bits for the quotient: ten has less than 3.33 bits.
    let words = if exponent < 0 { (-exponent as usize * 10 / 3 + 128) / 32 } else { 2 };
    big.0.splice(0..0, core::iter::repeat_n(0, words));
    is_more |= big.scale(10, 9, exponent.min(0));
    // Three words have 65 bits at least, unless the number is small and exact.
    let low = big.0.len().saturating_sub(3);
    is_more |= big.0[..low].iter().any(|word| *word != 0);
    let value = big.0[low..].iter().rev().fold(0, |value: u128, word| value << 32 | u128::from(*word));
    let unit = 32 * (low as i32 - words as i32);
    let bits = 128 - value.leading_zeros() as i32;
    let scale = unit + bits;
    if scale > 1024 {
        return f64::INFINITY;
    }
    // A float has 53 bits, and fewer below the smallest normal one.
    let kept = 53.min(scale + 1074);
    if kept < 0 {
        return 0.0;
    }
    let dropped = (bits - kept).max(0);
    let (mut mantissa, rest) = ((value >> dropped) as u64, value & ((1 << dropped) - 1));
    let half = 1 << dropped >> 1;
    if dropped > 0 && (rest > half || rest == half && (is_more || mantissa & 1 == 1)) {
        mantissa += 1;
    }
    power_of_two(mantissa as f64, unit + dropped)
}

/// The power of two of the first bit of a positive float.
pub(crate) fn exponent(number: f64) -> i32 {
    let (mantissa, exponent) = parts(number);
    exponent + 63 - mantissa.leading_zeros() as i32
}

/// A float times a power of two. The result is exact, unless it is too large.
pub(crate) fn power_of_two(mut number: f64, mut exponent: i32) -> f64 {
    while exponent != 0 {
        let step = exponent.clamp(-1000, 1000);
        number *= f64::from_bits(((step + 1023) as u64) << 52);
        exponent -= step;
    }
    number
}

/// A hexadecimal float, such as `1.8p3`.
fn read_hex(text: &[u8]) -> Option<f64> {
    let mut number = 0.0;
    let mut scale = 0;
    let mut is_fraction = false;
    let mut position = 0;
    while let Some(byte) = text.get(position) {
        match (*byte as char).to_digit(16) {
            Some(digit) => {
                number = number * 16.0 + f64::from(digit);
                scale -= if is_fraction { 4 } else { 0 };
            }
            None if *byte == b'.' && !is_fraction => is_fraction = true,
            None => break,
        }
        position += 1;
    }
    if matches!(text.get(position), Some(b'p' | b'P')) {
        let rest = core::str::from_utf8(&text[position + 1..]).unwrap_or("");
        let end = rest.char_indices().find(|(at, c)| !(c.is_ascii_digit() || *at == 0 && matches!(c, '-' | '+')));
        scale += rest[..end.map_or(rest.len(), |(at, _)| at)].parse::<i32>().unwrap_or(0).clamp(-5000, 5000);
    }
    let factor = if scale < 0 { 0.5 } else { 2.0 };
    (0..scale.unsigned_abs()).for_each(|_| number *= factor);
    (number.is_finite() && (number == 0.0 || number >= f64::MIN_POSITIVE)).then_some(number)
}

fn without_spaces(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|byte| is_space(**byte)).count()..]
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{decimal, shortest, write_fixed, write_general};

    fn text(write: impl Fn(&mut String)) -> String {
        let mut text = String::new();
        write(&mut text);
        text
    }

    /// Floats with all exponents and changing mantissas.
    fn floats() -> impl Iterator<Item = f64> {
        let mut state = 1_u64;
        (0..2_000_u64).map(move |index| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mantissa = if index % 3 == 0 { state >> 40 << 28 } else { state >> 12 };
            f64::from_bits((index * 2047 / 2_000) << 52 | mantissa & ((1 << 52) - 1))
        })
    }

    #[test]
    fn floats_are_read_as_by_the_standard_library() {
        for float in floats() {
            for written in [format!("{float:?}"), format!("{float}"), format!("{float:.25e}"), format!("{float:.2e}")] {
                let expected: f64 = written.parse().unwrap();
                assert_eq!(decimal(written.as_bytes()).unwrap().0.to_bits(), expected.to_bits(), "{written}");
            }
        }
        for written in [
            "0",
            "0.0",
            "1e400",
            "1e-400",
            "2.2250738585072014e-308",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "9007199254740993",
            "9007199254740993.00000000000000000000000000000001",
            "123456789012345678901234567890",
        ] {
            let expected: f64 = written.parse().unwrap();
            assert_eq!(decimal(written.as_bytes()).unwrap().0.to_bits(), expected.to_bits(), "{written}");
        }
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
