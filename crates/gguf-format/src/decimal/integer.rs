//! Natural numbers of any length.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// A natural number: its digits to the base 2^32, the lowest first.
#[derive(Clone)]
pub(super) struct Integer(pub Vec<u32>);

impl Integer {
    pub fn new(number: u64) -> Self {
        Self(vec![number as u32, (number >> 32) as u32])
    }

    /// Multiplies it by a number, and adds another one.
    pub fn multiply(&mut self, factor: u32, added: u32) {
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
    pub fn divide(&mut self, divisor: u32) -> u32 {
        let mut remainder = 0;
        for word in self.0.iter_mut().rev() {
            let dividend = remainder << 32 | u64::from(*word);
            *word = (dividend / u64::from(divisor)) as u32;
            remainder = dividend % u64::from(divisor);
        }
        remainder as u32
    }

    /// Multiplies it by a power of 10, or divides it by one. Returns whether there was a remainder.
    pub fn scale_by_ten(&mut self, exponent: i32) -> bool {
        let mut left = exponent.unsigned_abs();
        let mut has_rest = false;
        while left > 0 {
            let at_once = left.min(9);
            let factor = 10u32.pow(at_once);
            match exponent > 0 {
                true => self.multiply(factor, 0),
                false => has_rest |= self.divide(factor) != 0,
            }
            left -= at_once;
        }
        has_rest
    }

    /// Multiplies it by `2^count`.
    pub fn shift_left(&mut self, count: u32) {
        self.multiply(1 << (count % 32), 0);
        self.0.splice(0..0, core::iter::repeat_n(0, count as usize / 32));
    }

    /// Divides it by `2^count`. Returns whether there was a remainder.
    pub fn shift_right(&mut self, count: u32) -> bool {
        let words = (count as usize / 32).min(self.0.len());
        let has_rest = self.0.drain(..words).any(|word| word != 0);
        self.divide(1 << (count % 32)) != 0 || has_rest
    }

    pub fn add(&mut self, other: &Self) {
        let mut carry = 0;
        let length = self.0.len().max(other.0.len());
        self.0.resize(length + 1, 0);
        for (at, word) in self.0.iter_mut().enumerate() {
            carry += u64::from(*word) + u64::from(other.0.get(at).copied().unwrap_or(0));
            *word = carry as u32;
            carry >>= 32;
        }
    }

    /// Subtracts a number that is not larger.
    pub fn subtract(&mut self, other: &Self) {
        let mut borrow = 0;
        for (at, word) in self.0.iter_mut().enumerate() {
            let rest = i64::from(*word) - i64::from(other.0.get(at).copied().unwrap_or(0)) - borrow;
            *word = rest as u32;
            borrow = i64::from(rest < 0);
        }
    }

    pub fn compare(&self, other: &Self) -> Ordering {
        let word = |number: &Self, at: usize| number.0.get(at).copied().unwrap_or(0);
        let length = self.0.len().max(other.0.len());
        let differs = (0..length).rev().map(|at| word(self, at).cmp(&word(other, at))).find(|order| order.is_ne());
        differs.unwrap_or(Ordering::Equal)
    }

    /// The number of bits, without zeros before the first one.
    pub fn bits(&self) -> u32 {
        let last = self.0.iter().rposition(|word| *word != 0);
        last.map_or(0, |last| last as u32 * 32 + (32 - self.0[last].leading_zeros()))
    }

    pub fn bit(&self, at: i32) -> bool {
        self.0.get(at as usize / 32).is_some_and(|word| word >> (at % 32) & 1 == 1)
    }

    /// The number without its lowest `cut` bits. A negative `cut` appends zeros. The result fits in 64 bits.
    pub fn bits_from(&self, cut: i32) -> u64 {
        let end = self.bits() as i32;
        (cut..end).rev().fold(0, |bits, at| bits << 1 | u64::from(at >= 0 && self.bit(at)))
    }
}
