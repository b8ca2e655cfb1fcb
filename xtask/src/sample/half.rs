//! The two 16-bit floating-point formats, rounded to nearest, ties to even.

/// The bits of the `F16` nearest to a finite number.
pub fn f16(value: f32) -> u16 {
    let sign = ((value.to_bits() >> 16) & 0x8000) as u16;
    let magnitude = value.to_bits() & 0x7fff_ffff;
    let rounded = if magnitude < 0x3880_0000 {
        // Below 2^-14, the smallest normal number, what is stored counts steps of 2^-24.
        (f32::from_bits(magnitude) * 16_777_216.0).round_ties_even() as u16
    } else {
        // 13 bits of the fraction go, and the exponent's bias falls from 127 to 15.
        let rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
        ((rounded - 0x3800_0000) >> 13).min(0x7c00) as u16
    };
    sign | rounded
}

/// The number that an `F16` stores.
pub fn from_f16(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = u32::from(bits >> 10) & 0x1f;
    let fraction = u32::from(bits & 0x3ff);
    sign * match exponent {
        0 => fraction as f32 / 16_777_216.0,
        0x1f => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    }
}

/// The bits of the `BF16` nearest to a finite number.
pub fn bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f16_of_known_numbers() {
        for (value, bits) in [
            (0.0, 0),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65520.0, 0x7c00),
            (6.103_515_6e-5, 0x0400),
            (5.960_464_5e-8, 0x0001),
            (0.333_333_34, 0x3555),
            (1.000_488_3, 0x3c00), // halfway: to the even neighbour
            (1.001_464_8, 0x3c02),
        ] {
            assert_eq!(f16(value), bits, "{value}");
        }
    }

    #[test]
    fn every_finite_f16_survives() {
        for bits in (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00) {
            assert_eq!(f16(from_f16(bits)), bits);
        }
    }

    #[test]
    fn bf16_of_known_numbers() {
        assert_eq!(bf16(1.0), 0x3f80);
        assert_eq!(bf16(f32::from_bits(0x3f80_8000)), 0x3f80);
        assert_eq!(bf16(f32::from_bits(0x3f81_8000)), 0x3f82);
        assert_eq!(bf16(-3.25), 0xc050);
    }
}
