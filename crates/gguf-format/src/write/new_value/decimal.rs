//! The float of a decimal number, with integers of any length.
//!
//! The standard library has a table of 10 kB for this, which no compression makes smaller, and more code: with it, the editor is 13 kB
//! larger. It is ten times as fast, but only edits parse numbers, and this takes less than a microsecond for most of them. A test
//! holds both equal.

use alloc::vec::Vec;

/// The powers of 10 between which the floats lie: numbers below are 0, and those above are infinite.
const POWERS: core::ops::Range<i64> = -340..320;

/// The nearest float to the number of a text, in the syntax of the standard library: a sign, digits with at most one point, and an
/// exponent, or `inf`, `infinity` and `nan` in upper or lower case. Ties go to the float whose last bit is 0.
///
/// `digits` is the number of binary digits of the type: 24 for an f32, 53 for an f64. `least` is the exponent of its least float:
/// -149 or -1074. The result is a float of that type, or infinite if its exponent is too large for an f64.
#[doc(hidden)]
pub fn parse(text: &str, digits: u32, least: i32) -> Option<f64> {
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

/// A decimal number: `integer × 10^exponent`.
struct Decimal {
    integer: Integer,
    exponent: i64,
}

impl Decimal {
    fn parse(text: &[u8]) -> Option<Self> {
        let mut number = Self { integer: Integer(Vec::new()), exponent: 0 };
        let at = text.iter().position(|byte| byte.eq_ignore_ascii_case(&b'e'));
        let (mantissa, exponent) = at.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
        let (mut has_digits, mut has_point) = (false, false);
        for byte in mantissa {
            match byte {
                b'0'..=b'9' => {
                    has_digits = true;
                    number.integer.multiply(10, u32::from(byte - b'0'));
                    number.exponent -= i64::from(has_point);
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
    let Decimal { mut integer, exponent } = number;
    // A digit has 3.3 bits.
    let power = exponent + i64::from(integer.bits()) * 3 / 10;
    if integer.bits() == 0 || power < POWERS.start {
        return 0.0;
    }
    if power >= POWERS.end {
        return f64::INFINITY;
    }
    // The number is `integer × 2^binary`, and a little more if there is a rest.
    let (mut binary, mut has_rest) = (0, false);
    if exponent < 0 {
        // The quotient keeps enough bits: 10 has fewer than 4.
        let words = (exponent.unsigned_abs() as usize * 4 + 64) / 32 + 1;
        integer.0.splice(0..0, core::iter::repeat_n(0, words));
        binary = -32 * words as i32;
    }
    let mut zeros = exponent.unsigned_abs() as u32;
    while zeros > 0 {
        let at_once = zeros.min(9);
        match exponent < 0 {
            true => has_rest |= integer.divide(10u32.pow(at_once)) != 0,
            false => integer.multiply(10u32.pow(at_once), 0),
        }
        zeros -= at_once;
    }
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

/// A natural number: its digits to the base 2^32, the lowest first.
struct Integer(Vec<u32>);

impl Integer {
    /// Multiplies it by a number, and adds another one.
    fn multiply(&mut self, factor: u32, added: u32) {
        let mut carry = u64::from(added);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Divides it by a number. Returns the remainder.
    fn divide(&mut self, divisor: u32) -> u32 {
        let mut remainder = 0;
        for word in self.0.iter_mut().rev() {
            let dividend = remainder << 32 | u64::from(*word);
            *word = (dividend / u64::from(divisor)) as u32;
            remainder = dividend % u64::from(divisor);
        }
        remainder as u32
    }

    /// The number of bits, without zeros before the first one.
    fn bits(&self) -> u32 {
        let last = self.0.iter().rposition(|word| *word != 0);
        last.map_or(0, |last| last as u32 * 32 + (32 - self.0[last].leading_zeros()))
    }

    fn bit(&self, at: i32) -> bool {
        self.0.get(at as usize / 32).is_some_and(|word| word >> (at % 32) & 1 == 1)
    }

    /// The number without its lowest `cut` bits. A negative `cut` appends zeros. The result fits in 64 bits.
    fn bits_from(&self, cut: i32) -> u64 {
        let end = self.bits() as i32;
        (cut..end).rev().fold(0, |bits, at| bits << 1 | u64::from(at >= 0 && self.bit(at)))
    }
}
