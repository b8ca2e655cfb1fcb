//! The float of a decimal number.

use alloc::vec::Vec;

use super::integer::Integer;

/// The words of an integer with more digits than a number that lies halfway between two floats: those have at most 767. Of the digits
/// that follow, it only counts whether one is not 0. So long texts take linear time.
const MOST_WORDS: usize = 80;

/// The powers of 10 between which the floats lie: numbers below are 0, and those above are infinite.
const POWERS: core::ops::Range<i64> = -340..320;

/// The nearest f32 to the number of a text. It is infinite if the number is rounded to 2^128.
pub fn float32(text: &str) -> Option<f32> {
    parse(text, f32::MANTISSA_DIGITS, -149).map(|float| float as f32)
}

/// The nearest f64 to the number of a text, in the syntax of the standard library: a sign, digits with at most one point, and an
/// exponent, or `inf`, `infinity` and `nan` in upper or lower case. Ties go to the float whose last bit is 0.
pub fn float64(text: &str) -> Option<f64> {
    parse(text, f64::MANTISSA_DIGITS, -1074)
}

/// The nearest float to the number of a text.
///
/// `digits` is the number of binary digits of the type: 24 for an f32, 53 for an f64. `least` is the exponent of its least float:
/// -149 or -1074. The result is a float of that type, or infinite if its exponent is too large for an f64.
fn parse(text: &str, digits: u32, least: i32) -> Option<f64> {
    let (is_negative, text) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    let is_named = |name: &[u8]| text.eq_ignore_ascii_case(name);
    let magnitude = match () {
        () if is_named(b"inf") || is_named(b"infinity") => f64::INFINITY,
        () if is_named(b"nan") => f64::NAN,
        () => nearest(Decimal::parse(text)?, digits, least),
    };
    Some(if is_negative { -magnitude } else { magnitude })
}

/// A decimal number: `integer × 10^exponent`, and a little more if there is a rest.
struct Decimal {
    integer: Integer,
    exponent: i64,
    has_rest: bool,
}

impl Decimal {
    fn parse(text: &[u8]) -> Option<Self> {
        let mut number = Self { integer: Integer(Vec::new()), exponent: 0, has_rest: false };
        let at = text.iter().position(|byte| byte.eq_ignore_ascii_case(&b'e'));
        let (mantissa, exponent) = at.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
        let (mut has_digits, mut has_point) = (false, false);
        for byte in mantissa {
            match byte {
                b'0'..=b'9' => {
                    has_digits = true;
                    if number.integer.0.len() > MOST_WORDS {
                        number.has_rest |= *byte != b'0';
                        number.exponent += i64::from(!has_point);
                    } else {
                        number.integer.multiply(10, u32::from(byte - b'0'));
                        number.exponent -= i64::from(has_point);
                    }
                }
                b'.' if !has_point => has_point = true,
                _ => return None,
            }
        }
        if let Some(exponent) = exponent {
            let (sign, digits) = match exponent {
                [b'-', rest @ ..] => (-1, rest),
                [b'+', rest @ ..] => (1, rest),
                all => (1, all),
            };
            let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
            let value = digits.iter().fold(0i64, |value, byte| (value * 10 + i64::from(*byte & 15)).min(1 << 32));
            number.exponent += is_number.then_some(sign * value)?;
        }
        has_digits.then_some(number)
    }
}

/// The nearest float to a number.
fn nearest(number: Decimal, digits: u32, least: i32) -> f64 {
    let Decimal { mut integer, exponent, mut has_rest } = number;
    // A digit has 3.3 bits.
    let power = exponent + i64::from(integer.bits()) * 3 / 10;
    if integer.bits() == 0 || power < POWERS.start {
        return 0.0;
    }
    if power >= POWERS.end {
        return f64::INFINITY;
    }
    // The number is `integer × 2^binary`, and a little more if there is a rest.
    let mut binary = 0;
    if exponent < 0 {
        // The quotient keeps enough bits: 10 has fewer than 4.
        let words = (exponent.unsigned_abs() as usize * 4 + 64) / 32 + 1;
        integer.0.splice(0..0, core::iter::repeat_n(0, words));
        binary = -32 * words as i32;
    }
    has_rest |= integer.scale_by_ten(exponent as i32);
    // The first `digits` bits are kept, but no bit below that of the least float.
    let cut = (integer.bits() as i32 - digits as i32).max(least - binary);
    let (mut kept, half) = (integer.bits_from(cut), cut > 0 && integer.bit(cut - 1));
    let is_above_half = has_rest || (0..cut - 1).any(|at| integer.bit(at));
    if half && (is_above_half || kept & 1 == 1) {
        kept += 1;
    }
    scaled(kept as f64, binary + cut)
}

/// `number × 2^exponent`, for a result that is a float.
fn scaled(mut number: f64, exponent: i32) -> f64 {
    // Powers of 2 below 2^-1022 are no normal numbers, so the product is made in steps.
    let step = if exponent < 0 { 0.5 } else { 2.0 };
    for _ in 0..exponent.unsigned_abs() {
        number *= step;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// The texts of numbers, numbers halfway between two floats, and texts that are no numbers.
    fn texts_of_numbers() -> Vec<String> {
        let mut texts: Vec<String> = "0 -0 +0 1 +1 1. .5 -.5 . + - e5 1e 1e+ 1e5 1E5 1e-5 1e+5 00012 1_000 0x1p3 1,5 1e999 -1e999 1e-999 \
            inf -inf +inf INF infinity Infinity -Infinity nan NaN -NaN nanx infx 1f 4.9e-324 2.4703282292062327e-324 \
            2.4703282292062328e-324 1.7976931348623157e308 1.7976931348623159e308 3.4028235677973366e38 3.4028235677973367e38 \
            9007199254740993 9007199254740993.00000000000000000000000000000001 16777217 16777217.0000001 7.0064923216240853e-46"
            .split(' ')
            .map(String::from)
            .collect();
        texts.push(String::new());
        let mut random = 1u64;
        for _ in 0..2_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let (wide, narrow) = (f64::from_bits(random), f32::from_bits(random as u32));
            let halfway = f64::from(narrow) + (f64::from(narrow.next_up()) - f64::from(narrow)) / 2.0;
            texts.extend([format!("{wide:e}"), format!("{narrow}"), format!("{halfway:e}"), format!("{halfway:.60}")]);
            texts.push(format!("{random}.{}e{}", random >> 20, random as i8 as i64 * 2));
            // Halfway between two f64s, and just above and below.
            let odd = u128::from(random >> 10 | 1 << 53 | 1) << (random % 70);
            texts.extend([format!("{odd}"), format!("{odd}.{:050}", 1), format!("{}", odd - 1), format!("{odd}e-30")]);
        }
        // More digits than the integer holds, with and without a rest behind them.
        for number in ["9007199254740993", "0.1", "7.0064923216240853e-46", "2.4703282292062327e-324", "16777217"] {
            let (mantissa, exponent) = number.split_once('e').unwrap_or((number, "0"));
            let point = if mantissa.contains('.') { "" } else { "." };
            for zeros in [600, 800, 5_000] {
                let zeros = "0".repeat(zeros);
                texts.push(format!("{mantissa}{point}{zeros}e{exponent}"));
                texts.push(format!("{mantissa}{point}{zeros}1e{exponent}"));
                texts.push(format!("{mantissa}{point}{zeros}1{zeros}7e{exponent}"));
            }
        }
        for exact in [f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX] {
            let halfway = format!("{exact:.1100}5");
            texts.extend([halfway.clone(), format!("{halfway}{:0900}", 1), format!("{}{halfway}", "0".repeat(2_000))]);
        }
        texts.extend([900, 4_000].map(|digits| "7".repeat(digits)));
        texts.extend([900, 4_000].map(|digits| format!("{}e-{}", "123456789".repeat(digits / 9), digits - 5)));
        texts
    }

    #[test]
    fn floats_are_parsed_as_the_standard_library_parses_them() {
        for text in texts_of_numbers() {
            let bits = |float: Option<f64>| float.map(|float| if float.is_nan() { 0 } else { float.to_bits() });
            assert_eq!(bits(float64(&text)), bits(text.parse().ok()), "{text}");
            assert_eq!(bits(float32(&text).map(f64::from)), bits(text.parse::<f32>().ok().map(f64::from)), "{text}");
        }
    }
}
