//! How llama.cpp reads numbers in texts: as `strtol` and `strtod` of C.

use gguf_format::decimal::float64;

use super::ascii::is_space;

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

/// The float at the start of a text without a sign, infinite if it is too large, and whether it has a digit that is not zero. `None` if
/// there is no number.
pub(crate) fn decimal(text: &[u8]) -> Option<(f64, bool)> {
    let mut end = digits(text);
    if text.get(end) == Some(&b'.') {
        end += 1 + digits(&text[end + 1..]);
    }
    let has_digit = text[..end].iter().any(|byte| matches!(byte, b'1'..=b'9'));
    if let [b'e' | b'E', rest @ ..] = &text[end..] {
        let sign = usize::from(matches!(rest, [b'-' | b'+', ..]));
        let count = digits(&rest[sign..]);
        end += if count == 0 { 0 } else { 1 + sign + count };
    }
    let number = float64(core::str::from_utf8(&text[..end]).ok()?)?;
    Some((number, has_digit))
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
        let rest = &text[position + 1..];
        let sign = usize::from(matches!(rest, [b'-' | b'+', ..]));
        let count = digits(&rest[sign..]);
        let most = if rest.starts_with(b"-") { -5000 } else { 5000 };
        // An exponent of more than 64 bits is out of range like a shorter one. Without digits there is none.
        let exponent = if count == 0 { 0 } else { signed(&rest[..sign + count]).unwrap_or(most) };
        scale += exponent.clamp(-5000, 5000) as i32;
    }
    let factor = if scale < 0 { 0.5 } else { 2.0 };
    (0..scale.unsigned_abs()).for_each(|_| number *= factor);
    (number.is_finite() && (number == 0.0 || number >= f64::MIN_POSITIVE)).then_some(number)
}

/// The integer of a text that consists of digits, and perhaps a sign. `None` if it has more than 64 bits.
pub(crate) fn signed(text: &[u8]) -> Option<i64> {
    match text {
        [b'-', digits @ ..] => 0_i64.checked_sub_unsigned(whole(digits)?),
        [b'+', digits @ ..] | digits => whole(digits)?.try_into().ok(),
    }
}

/// The integer of a text that consists of digits.
pub(crate) fn whole(text: &[u8]) -> Option<u64> {
    if text.is_empty() || digits(text) < text.len() {
        return None;
    }
    text.iter().try_fold(0_u64, |number, digit| number.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}

/// How many digits a text begins with.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn without_spaces(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|byte| is_space(**byte)).count()..]
}

#[cfg(test)]
mod tests {
    use super::decimal;
    use crate::values::floats::tests::floats;

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
}
