//! Exact conversion between binary floats and decimals, with whole numbers of any size.
//!
//! Core has faster code for both directions. With its tables it would take 20 kB of the gzipped main module, and only the
//! conversion of values to text and back needs it. This takes 3 kB. The tests compare the two.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A binary format of floats.
pub(super) struct BinaryFormat {
    /// The number of bits of a mantissa, with the first one, which is not stored.
    precision: u32,
    /// The binary exponent of the least positive number.
    least_exponent: i32,
    /// The bits of infinity.
    infinity: u64,
}

pub(super) const FLOAT32: BinaryFormat =
    BinaryFormat { precision: 24, least_exponent: -149, infinity: f32::INFINITY.to_bits() as u64 };

pub(super) const FLOAT64: BinaryFormat =
    BinaryFormat { precision: 53, least_exponent: -1074, infinity: f64::INFINITY.to_bits() };

/// The decimal exponents that matter for a text of up to 1,100 digits: beyond them every number is 0 or infinity.
const EXPONENTS: (i32, i32) = (-2000, 400);

impl BinaryFormat {
    /// The bits of the float that is nearest to a decimal, such as `12`, `.5` or `1e-3`; infinity if the number is too large.
    /// Of two floats that are equally near, it is the even one. `None` if the text is no decimal without a sign.
    pub fn parse(&self, text: &str) -> Option<u64> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut number = Whole::new(0);
        for byte in [whole, decimals].concat().bytes() {
            if !byte.is_ascii_digit() {
                return None;
            }
            number.multiply_add(10, (byte - b'0').into());
        }
        if whole.is_empty() && decimals.is_empty() {
            return None;
        }
        let exponent = exponent.saturating_sub(decimals.len() as i32).clamp(EXPONENTS.0, EXPONENTS.1);
        let mut divisor = Whole::new(1);
        let scaled = if exponent < 0 { &mut divisor } else { &mut number };
        scaled.multiply_by_power_of_ten(exponent.unsigned_abs());
        Some(self.quotient(number, divisor))
    }

    /// The bits of the float that is nearest to a quotient.
    fn quotient(&self, mut number: Whole, mut divisor: Whole) -> u64 {
        if number.bit_length() == 0 {
            return 0;
        }
        // The quotient becomes 1 to 2, times a power of two.
        let mut exponent = number.bit_length() as i32 - divisor.bit_length() as i32;
        let scaled = if exponent < 0 { &mut number } else { &mut divisor };
        scaled.shift_left(exponent.unsigned_abs());
        if number.cmp(&divisor) == Ordering::Less {
            number.shift_left(1);
            exponent -= 1;
        }
        // The last bit of the mantissa stands for two to the power of `unit`.
        let unit = (exponent + 1 - self.precision as i32).max(self.least_exponent);
        if exponent + 1 < unit {
            return 0;
        }
        let mut mantissa = 0;
        for _ in unit..=exponent {
            mantissa *= 2;
            if number.cmp(&divisor) != Ordering::Less {
                number.subtract(&divisor);
                mantissa += 1;
            }
            number.shift_left(1);
        }
        mantissa += match number.cmp(&divisor) {
            Ordering::Less => 0,
            Ordering::Equal => mantissa & 1,
            Ordering::Greater => 1,
        };
        // The first bit of the mantissa of a normal number adds 1 to the stored exponent.
        let stored_exponent = (unit - self.least_exponent) as u64;
        ((stored_exponent << (self.precision - 1)) + mantissa).min(self.infinity)
    }

    /// The shortest decimal that is parsed as a positive float, and of these the nearest: its digits, and the exponent of the
    /// first digit. The digits of 0.25 are `25`, the exponent is -1.
    ///
    /// This is the algorithm of G. L. Steele and J. L. White, "How to Print Floating-Point Numbers Accurately" (1990).
    pub fn shortest(&self, bits: u64) -> (String, i32) {
        let first_bit = 1 << (self.precision - 1);
        let stored_exponent = (bits / first_bit) as i32;
        let mantissa = bits % first_bit + if stored_exponent > 0 { first_bit } else { 0 };
        let unit = self.least_exponent + (stored_exponent - 1).max(0);
        // The float is `rest` / `divisor`. The numbers that are parsed as it reach from `below` before it to `above` after it.
        // Before a power of two, the next float is only half as far away.
        let is_power_of_two = mantissa == first_bit && stored_exponent > 1;
        let (mut rest, mut divisor) = (Whole::new(4 * mantissa), Whole::new(4));
        let (mut below, mut above) = (Whole::new(if is_power_of_two { 1 } else { 2 }), Whole::new(2));
        if unit < 0 {
            divisor.shift_left(unit.unsigned_abs());
        } else {
            for number in [&mut rest, &mut below, &mut above] {
                number.shift_left(unit.unsigned_abs());
            }
        }
        // A number in the middle of two floats is parsed as the even one.
        let has_bounds = mantissa.is_multiple_of(2);
        let reaches = |rest: &Whole, above: &Whole, divisor: &Whole| {
            let mut end = rest.clone();
            end.add(above);
            end.cmp(divisor).is_gt() || has_bounds && end.cmp(divisor).is_eq()
        };
        // 1233 / 4096 is the logarithm of 2 to the base 10. The loop below makes an exponent that is too small larger.
        let mut exponent = (((unit + mantissa.ilog2() as i32) * 1233) >> 12) - 1;
        if exponent < 0 {
            for number in [&mut rest, &mut below, &mut above] {
                number.multiply_by_power_of_ten(exponent.unsigned_abs());
            }
        } else {
            divisor.multiply_by_power_of_ten(exponent.unsigned_abs());
        }
        while reaches(&rest, &above, &divisor) {
            divisor.multiply_add(10, 0);
            exponent += 1;
        }
        let mut digits = String::new();
        loop {
            for number in [&mut rest, &mut below, &mut above] {
                number.multiply_add(10, 0);
            }
            let mut digit = b'0';
            while rest.cmp(&divisor).is_ge() {
                rest.subtract(&divisor);
                digit += 1;
            }
            let can_stay = rest.cmp(&below).is_lt() || has_bounds && rest.cmp(&below).is_eq();
            let can_round_up = reaches(&rest, &above, &divisor);
            if can_round_up {
                rest.shift_left(1);
                let is_nearer = rest.cmp(&divisor).is_ge();
                digit += u8::from(!can_stay || is_nearer);
            }
            digits.push(digit.into());
            if can_stay || can_round_up {
                return (digits, exponent - 1);
            }
        }
    }
}

/// The number after `e`.
fn parse_exponent(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut exponent = 0;
    for byte in digits.bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        exponent = (exponent * 10 + i32::from(byte - b'0')).min(1_000_000);
    }
    let exponent = if text.starts_with('-') { -exponent } else { exponent };
    Some(exponent).filter(|_| !digits.is_empty())
}

/// A whole number of any size.
#[derive(Clone)]
struct Whole {
    /// The digits to the base 2^32, the lowest first. The highest is not 0.
    digits: Vec<u32>,
}

impl Whole {
    fn new(number: u64) -> Self {
        let mut digits = vec![number as u32, (number >> 32) as u32];
        drop_zeros(&mut digits);
        Self { digits }
    }

    fn bit_length(&self) -> u32 {
        let highest = self.digits.last().map_or(0, |digit| digit.leading_zeros());
        self.digits.len() as u32 * u32::BITS - highest
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.digits.len().cmp(&other.digits.len());
        by_length.then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
    }

    fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for digit in &mut self.digits {
            carry += u64::from(*digit) * u64::from(factor);
            *digit = carry as u32;
            carry >>= u32::BITS;
        }
        if carry > 0 {
            self.digits.push(carry as u32);
        }
    }

    fn multiply_by_power_of_ten(&mut self, exponent: u32) {
        for _ in 0..exponent / 9 {
            self.multiply_add(1_000_000_000, 0);
        }
        self.multiply_add(10_u32.pow(exponent % 9), 0);
    }

    fn shift_left(&mut self, bits: u32) {
        self.multiply_add(1 << (bits % u32::BITS), 0);
        if bits >= u32::BITS {
            self.digits = [vec![0; (bits / u32::BITS) as usize], core::mem::take(&mut self.digits)].concat();
        }
    }

    fn add(&mut self, other: &Self) {
        let count = self.digits.len().max(other.digits.len()) + 1;
        self.digits.resize(count, 0);
        let mut carry = 0;
        for (index, digit) in self.digits.iter_mut().enumerate() {
            carry += u64::from(*digit) + u64::from(other.digits.get(index).copied().unwrap_or(0));
            *digit = carry as u32;
            carry >>= u32::BITS;
        }
        drop_zeros(&mut self.digits);
    }

    /// Subtracts a number that is not larger.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        for (index, digit) in self.digits.iter_mut().enumerate() {
            let (difference, is_below) = digit.overflowing_sub(other.digits.get(index).copied().unwrap_or(0));
            let (difference, is_still_below) = difference.overflowing_sub(borrow.into());
            borrow = is_below || is_still_below;
            *digit = difference;
        }
        drop_zeros(&mut self.digits);
    }
}

fn drop_zeros(digits: &mut Vec<u32>) {
    while digits.last() == Some(&0) {
        digits.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::{BinaryFormat, FLOAT32, FLOAT64};
    use std::format;
    use std::string::String;

    /// Numbers whose bits look random, with all exponents.
    fn random(seed: u64) -> u64 {
        let mixed = (seed ^ seed >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    fn scientific((digits, exponent): (String, i32)) -> String {
        let (first, rest) = digits.split_at(1);
        format!("{first}{}{rest}e{exponent}", if rest.is_empty() { "" } else { "." })
    }

    /// Compares the shortest decimal of a float, and what is parsed from it, with those of core.
    fn check_float64(bits: u64) {
        let float = f64::from_bits(bits);
        let text = scientific(FLOAT64.shortest(bits));
        assert_eq!(text, format!("{float:e}"), "{bits:#x}");
        assert_eq!(FLOAT64.parse(&text), Some(bits), "{text}");
    }

    fn check_float32(bits: u32) {
        let float = f32::from_bits(bits);
        let text = scientific(FLOAT32.shortest(bits.into()));
        assert_eq!(text, format!("{float:e}"), "{bits:#x}");
        assert_eq!(FLOAT32.parse(&text), Some(bits.into()), "{text}");
    }

    #[test]
    fn decimals_are_as_short_as_those_of_core() {
        for seed in 1..50_000 {
            check_float64(random(seed) % FLOAT64.infinity.max(2));
            check_float32(random(seed) as u32 % f32::INFINITY.to_bits());
        }
    }

    #[test]
    fn decimals_at_the_ends_of_each_exponent_are_as_short_as_those_of_core() {
        for exponent in 0..0x7ff_u64 {
            for bits in [exponent << 52, exponent << 52 | 1, ((exponent + 1) << 52) - 1] {
                if bits > 0 {
                    check_float64(bits);
                }
            }
        }
        for exponent in 0..0xff_u32 {
            for bits in [exponent << 23, exponent << 23 | 1, ((exponent + 1) << 23) - 1] {
                if bits > 0 {
                    check_float32(bits);
                }
            }
        }
    }

    /// Compares a parsed text with core, in both formats.
    fn check_text(text: &str) {
        let bits64 = text.parse().ok().map(f64::to_bits);
        assert_eq!(FLOAT64.parse(text), bits64, "{text}");
        let bits32 = text.parse().ok().map(|float: f32| u64::from(float.to_bits()));
        assert_eq!(FLOAT32.parse(text), bits32, "{text}");
    }

    #[test]
    fn texts_are_parsed_as_core_parses_them() {
        for text in
            ["0", "00.0e9", "1", ".5", "5.", "1e5", "1E+5", "1e-5", "1e999999999999", "1e-999999999999", "0e999"]
        {
            check_text(text);
        }
        for text in ["", ".", "e5", "1e", "1e+", "1e-", "1.2.3", "1,5", "1e5.0", " 1", "1 ", "0x1", "1e5e5", "1_000"] {
            assert_eq!((text.parse::<f64>().ok(), FLOAT64.parse(text)), (None, None), "{text}");
        }
        for seed in 1..50_000 {
            let (digits, more) = (random(seed), random(!seed));
            check_text(&format!("{digits}e{}", (more % 700) as i32 - 360));
            check_text(&format!("{}.{}e{}", digits % 100_000, more, (digits % 90) as i32 - 60));
        }
    }

    /// The numbers in the middle of two floats, written out in full, and the nearest numbers to them.
    #[test]
    fn a_number_in_the_middle_of_two_floats_is_parsed_as_the_even_one() {
        for seed in 1..2_000 {
            let float = f64::from_bits(random(seed) % f64::INFINITY.to_bits());
            let middle = format!("{:.1080}", f64::from(f32::from_bits(random(seed) as u32 >> 2)));
            for text in [format!("{float:.1080}"), middle.clone() + "1", middle] {
                check_text(&text);
            }
        }
        // Half of the least number of each format is 0, and the next larger decimal is the least number.
        let half = |format: &BinaryFormat| std::format!("{:.1100}", 2_f64.powi(format.least_exponent.max(-1073) - 1));
        check_text(&half(&FLOAT32));
        check_text(&(half(&FLOAT32) + "1"));
        check_text("2.4703282292062327208e-324");
        check_text("2.4703282292062328e-324");
        check_text("2.47032822920623272e-324");
        check_text(
            "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
        );
        check_text(
            "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042879",
        );
    }
}
