//! The exponent of a float.

use gguf_format::decimal::parts;

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

#[cfg(test)]
pub(super) mod tests {
    /// Floats with all exponents and changing mantissas.
    pub(in crate::values) fn floats() -> impl Iterator<Item = f64> {
        let mut state = 1_u64;
        (0..2_000_u64).map(move |index| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mantissa = if index % 3 == 0 { state >> 40 << 28 } else { state >> 12 };
            f64::from_bits((index * 2047 / 2_000) << 52 | mantissa & ((1 << 52) - 1))
        })
    }
}
