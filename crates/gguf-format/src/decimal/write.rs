//! The decimal digits of a float.

use alloc::{string::String, vec::Vec};

use super::integer::Integer;

/// A decimal number without its sign: the digits with a point after the first one, times a power of 10.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits {
    /// The digits as ASCII. There is at least one.
    pub digits: Vec<u8>,
    /// The exponent of 10.
    pub exponent: i32,
}

/// The fewest digits that are read as the same f32, and of several the nearest to it. The f32 is finite.
pub fn shortest32(float: f32) -> Digits {
    Digits::shortest(float.into(), f32::MANTISSA_DIGITS, -149)
}

/// The fewest digits that are read as the same f64, and of several the nearest to it. The f64 is finite.
pub fn shortest64(float: f64) -> Digits {
    Digits::shortest(float, f64::MANTISSA_DIGITS, -1074)
}

/// A float with a number of decimals, rounded half to even, as the standard library writes it.
pub fn fixed(float: f64, decimals: usize) -> String {
    if let Some(name) = named(float) {
        return name.into();
    }
    let (mut digits, is_more) = all_digits(float, decimals as i32 + 1);
    round(&mut digits, is_more, 1);
    let missing = (decimals + 1).saturating_sub(digits.len());
    digits.splice(0..0, core::iter::repeat_n(b'0', missing));
    let whole = digits.len() - decimals;
    if decimals > 0 {
        digits.insert(whole, b'.');
    }
    [sign(float), &ascii(&digits)].concat()
}

/// A float with its shortest digits and without an exponent, as the standard library writes it.
pub fn plain(float: f64) -> String {
    named(float).map_or_else(|| [sign(float), &shortest64(float).plain()].concat(), Into::into)
}

/// A float with an exponent, as the standard library writes it: with a number of significant digits, rounded half to even, or with its
/// shortest digits.
pub fn scientific(float: f64, count: Option<usize>) -> String {
    if let Some(name) = named(float) {
        return name.into();
    }
    let digits = count.map_or_else(|| shortest64(float), |count| Digits::rounded(float, count));
    format!("{}{}e{}", sign(float), digits.mantissa(), digits.exponent)
}

/// The name of a float that is not finite.
fn named(float: f64) -> Option<&'static str> {
    match float {
        _ if float.is_nan() => Some("NaN"),
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("-inf"),
        _ => None,
    }
}

fn sign(float: f64) -> &'static str {
    if float.is_sign_negative() { "-" } else { "" }
}

impl Digits {
    /// The digits of a float without its sign, rounded half to even to `count` significant ones. The float is finite.
    pub fn rounded(float: f64, count: usize) -> Self {
        if float == 0.0 {
            return Self { digits: vec![b'0'; count], exponent: 0 };
        }
        let scale = count as i32 - magnitude(float);
        let (mut digits, is_more) = all_digits(float, scale);
        let (length, exponent) = (digits.len(), digits.len() as i32 - 1 - scale);
        round(&mut digits, is_more, length - count);
        let is_longer = digits.len() > count;
        digits.truncate(count);
        Self { digits, exponent: exponent + i32::from(is_longer) }
    }

    /// The algorithm of Steele and White. `count` and `least` are those of the type of the float: the number of its binary digits, and
    /// the exponent of its least float.
    fn shortest(float: f64, count: u32, least: i32) -> Self {
        if float == 0.0 {
            return Self { digits: vec![b'0'], exponent: 0 };
        }
        let (mantissa, power) = parts(float);
        let bits = 64 - mantissa.leading_zeros() as i32;
        // The float is `mantissa × 2^power` in the type.
        let cut = (bits - count as i32).max(least - power);
        let (mantissa, power) = if cut > 0 { (mantissa >> cut, power + cut) } else { (mantissa, power) };
        // The neighbours of a whole number differ by at most 1, so it has no shorter digits. Most scores of tokens are whole.
        if (-63..=0).contains(&power) && mantissa.trailing_zeros() as i32 >= -power {
            let text = format!("{}", mantissa >> -power);
            return Self { exponent: text.len() as i32 - 1, digits: text.into_bytes() }.without_zeros();
        }
        // The float below is only half as far away if the mantissa is the least one.
        let is_narrow = mantissa == 1 << (count - 1) && power > least;
        let is_even = mantissa % 2 == 0;
        // The float is `rest / unit`. Numbers up to `above` over it and `below` under it are read as the same float.
        let mut rest = Integer::new(mantissa << if is_narrow { 2 } else { 1 });
        let mut above = Integer::new(if is_narrow { 2 } else { 1 });
        let mut below = Integer::new(1);
        let mut unit = Integer::new(if is_narrow { 4 } else { 2 });
        for number in [&mut rest, &mut above, &mut below] {
            number.shift_left(power.max(0) as u32);
        }
        unit.shift_left((-power).max(0) as u32);
        let mut exponent = magnitude(float);
        unit.scale_by_ten(exponent.max(0));
        for number in [&mut rest, &mut above, &mut below] {
            number.scale_by_ten((-exponent).max(0));
        }
        // The first digit is that of the largest number that is read as the float.
        let mut ten = unit.clone();
        ten.multiply(10, 0);
        if reaches(&rest, &above, &ten, is_even) {
            exponent += 1;
            unit = ten;
        }
        let mut digits = Vec::new();
        loop {
            let mut digit = b'0';
            while rest.compare(&unit).is_ge() {
                rest.subtract(&unit);
                digit += 1;
            }
            let order = rest.compare(&below);
            let can_end = order.is_lt() || is_even && order.is_eq();
            let can_round_up = reaches(&rest, &above, &unit, is_even);
            if can_end || can_round_up {
                let rounds_up = can_round_up && (!can_end || reaches(&rest, &rest, &unit, true));
                digits.push(digit + u8::from(rounds_up));
                return Self { digits, exponent };
            }
            digits.push(digit);
            for number in [&mut rest, &mut above, &mut below] {
                number.multiply(10, 0);
            }
        }
    }

    /// The number without an exponent: `0.00015`, `1500`, `1.5`.
    pub fn plain(&self) -> String {
        let Self { digits, exponent } = self;
        let mut text = digits.clone();
        match usize::try_from(*exponent) {
            Err(_) => {
                text.splice(0..0, core::iter::repeat_n(b'0', exponent.unsigned_abs() as usize));
                text.insert(1, b'.');
            }
            Ok(exponent) if exponent + 1 < text.len() => text.insert(exponent + 1, b'.'),
            Ok(exponent) => text.resize(exponent + 1, b'0'),
        }
        ascii(&text)
    }

    /// The digits with a point after the first one: `1.5`. A single digit has none.
    pub fn mantissa(&self) -> String {
        Self { digits: self.digits.clone(), exponent: 0 }.plain()
    }

    /// The digits up to the last one that is not 0.
    pub fn without_zeros(mut self) -> Self {
        let end = self.digits.iter().rposition(|digit| *digit != b'0').map_or(1, |last| last + 1);
        self.digits.truncate(end);
        self
    }
}

/// Whether the sum of two numbers is larger than a third, or may be equal and is.
fn reaches(a: &Integer, b: &Integer, limit: &Integer, may_be_equal: bool) -> bool {
    let mut sum = a.clone();
    sum.add(b);
    let order = sum.compare(limit);
    order.is_gt() || may_be_equal && order.is_eq()
}

/// The mantissa of a finite float as an integer, and the power of 2 that it is multiplied with.
pub fn parts(float: f64) -> (u64, i32) {
    let bits = float.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
}

/// The exponent of 10 of a float that is not 0, or one less.
fn magnitude(float: f64) -> i32 {
    let (mantissa, power) = parts(float);
    // The logarithm of 2 is 0.30103. No power of 2 that a float can have is so near to a power of 10 that more digits would matter.
    ((power + 63 - mantissa.leading_zeros() as i32) * 30103).div_euclid(100_000)
}

/// The digits of a float times `10^scale`, without its sign and its fraction, and whether there was a fraction. 0 has no digits.
fn all_digits(float: f64, scale: i32) -> (Vec<u8>, bool) {
    let (mantissa, power) = parts(float);
    let mut number = Integer::new(mantissa);
    // First what makes the number larger, so that nothing is lost before it.
    number.scale_by_ten(scale.max(0));
    number.shift_left(power.max(0) as u32);
    let mut is_more = number.shift_right((-power).max(0) as u32);
    is_more |= number.scale_by_ten(scale.min(0));
    let mut digits = Vec::new();
    while number.bits() > 0 {
        let mut rest = number.divide(1_000_000_000);
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
    let missing = dropped.saturating_sub(digits.len());
    digits.splice(0..0, core::iter::repeat_n(b'0', missing));
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

fn ascii(digits: &[u8]) -> String {
    digits.iter().map(|digit| *digit as char).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Floats with all exponents and changing mantissas, all powers of 2, and their neighbours.
    fn floats() -> impl Iterator<Item = f64> {
        let mut state = 1_u64;
        let changing = (0..6_000_u64).map(move |index| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mantissa = if index % 3 == 0 { state >> 40 << 28 } else { state >> 12 };
            f64::from_bits((index * 2047 / 6_000) << 52 | mantissa & ((1 << 52) - 1))
        });
        let powers = (1..2047_u64).map(|exponent| f64::from_bits(exponent << 52));
        let least = (0..52).map(|bit| f64::from_bits(1 << bit));
        let tens = (-320..309).map(|exponent| format!("1e{exponent}").parse().unwrap());
        let simple = (0..3_000).map(|number| f64::from(number) / 8.0);
        changing.chain(powers).chain(least).chain(tens).chain(simple).flat_map(|float| {
            [float, float.next_down().max(0.0), float.next_up()].into_iter().filter(|float| float.is_finite())
        })
    }

    #[test]
    fn floats_have_the_shortest_digits_of_the_standard_library() {
        let text = |digits: &Digits| format!("{}e{}", digits.mantissa(), digits.exponent);
        for wide in floats() {
            let digits = shortest64(wide);
            assert_eq!(text(&digits), format!("{wide:e}"));
            assert_eq!(scientific(-wide, None), format!("{:e}", -wide));
            assert_eq!(plain(-wide), format!("{}", -wide));
            assert_eq!(shortest64(-wide), digits);
            let narrow = wide as f32;
            if narrow.is_finite() {
                for narrow in [narrow, f32::from_bits((wide.to_bits() >> 32) as u32 & 0x7f7f_ffff)] {
                    assert_eq!(text(&shortest32(narrow)), format!("{narrow:e}"));
                }
            }
        }
        for exponent in 0..255_u32 {
            let power = f32::from_bits(exponent << 23);
            for narrow in [power, power.next_up(), power.next_down().max(0.0)] {
                assert_eq!(text(&shortest32(narrow)), format!("{narrow:e}"));
            }
        }
    }

    #[test]
    fn floats_are_rounded_as_the_standard_library_rounds_them() {
        for float in floats() {
            for decimals in [0, 2, 6] {
                assert_eq!(fixed(float, decimals), format!("{float:.decimals$}"));
                assert_eq!(fixed(-float, decimals), format!("{:.decimals$}", -float));
            }
            for count in [1, 4, 17] {
                assert_eq!(scientific(float, Some(count)), format!("{float:.*e}", count - 1));
            }
        }
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|float| fixed(float, 2)), ["NaN", "inf", "-inf"]);
        assert_eq!(scientific(f64::INFINITY, Some(3)), "inf");
    }
}
