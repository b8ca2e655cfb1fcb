//! How ggml's C code rounds, and the square root.

/// The nearest integer; ties go to the even one.
///
/// Computes the same as ggml's `nearest_int`: the sum with 1.5 × 2²³ has the integer in its low bits. A number whose magnitude
/// is 2²² or more gives any integer from -2²² to 2²², as in ggml.
#[inline(always)]
#[doc(hidden)]
pub fn nearest(x: f32) -> i32 {
    ((x + 12_582_912.0).to_bits() & 0x7f_ffff).cast_signed() - 0x40_0000
}

/// The nearest integer; ties go away from zero, as with C's `roundf`. NaN gives 0. A number that is too large gives the nearest
/// `i32`.
#[inline(always)]
pub(super) fn nearest_away_from_zero(x: f32) -> i32 {
    let whole = x as i32;
    let rest = x - whole as f32;
    whole.saturating_add(i32::from(rest >= 0.5) - i32::from(rest <= -0.5))
}

/// The greatest integer that is not above the binary logarithm, as C's `floorf(log2f(x))` computes it for a positive number.
///
/// `log2f` rounds the logarithm of a number just below a power of two up to an integer. There the logarithm is nearly linear.
/// A subnormal number gives -127.
#[inline(always)]
pub(super) fn floor_of_log2(x: f32) -> i32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23).cast_signed() - 127;
    let steps_to_next_power = f64::from((1 << 23) - (bits & 0x7f_ffff));
    let next = f64::from(exponent + 1);
    let logarithm = next - steps_to_next_power * (core::f64::consts::LOG2_E / f64::from(1 << 24));
    if logarithm as f32 == next as f32 { exponent + 1 } else { exponent }
}

/// The square root, rounded as IEEE 754 requires. A negative number gives NaN.
#[inline(always)]
#[cfg(not(target_feature = "simd128"))]
#[doc(hidden)]
pub fn square_root(x: f32) -> f32 {
    if x < 0.0 {
        return f32::NAN;
    }
    // An f64 with an error of less than 2^-51 of its value is never on the wrong side of the middle between two f32s.
    crate::tensor::square_root::square_root(f64::from(x)) as f32
}

/// The square root, by the instruction for vectors: `core` offers no other.
#[inline(always)]
#[cfg(target_feature = "simd128")]
#[doc(hidden)]
pub fn square_root(x: f32) -> f32 {
    use core::arch::wasm32::{f32x4_extract_lane, f32x4_splat, f32x4_sqrt};
    f32x4_extract_lane::<0>(f32x4_sqrt(f32x4_splat(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_integer_is_even_between_two() {
        let cases = [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (-2.4, -2), (4_194_303.0, 4_194_303)];
        assert_eq!(cases.map(|(x, _)| nearest(x)), cases.map(|(_, expected)| expected));
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
            assert!((-0x40_0000..=0x40_0000).contains(&nearest(x)), "{x}");
        }
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let cases = [
            (0.5, 1),
            (-0.5, -1),
            (0.499_999_97, 0),
            (-2.5, -3),
            (f32::NAN, 0),
            (f32::INFINITY, i32::MAX),
            (f32::NEG_INFINITY, i32::MIN),
        ];
        assert_eq!(cases.map(|(x, _)| nearest_away_from_zero(x)), cases.map(|(_, expected)| expected));
    }

    #[test]
    fn logarithms_are_rounded_down_except_just_below_a_power() {
        assert_eq!([1.0, 1.99, 2.0, 0.75, 1e-40].map(floor_of_log2), [0, 0, 1, -1, -127]);
        // The logarithm of the number before 2³ is 3 - 1.4 × 2⁻²⁴, whose nearest f32 is 3. That of the number before 2² is
        // an f32 below 2.
        assert_eq!([8f32, 4.0, 0.25].map(|power| floor_of_log2(power.next_down())), [3, 1, -2]);
    }

    #[test]
    fn square_roots_are_those_of_the_processor() {
        let numbers = (0..200_000u32).map(|i| f32::from_bits(i.wrapping_mul(0x9e37_79b9) >> 1));
        for x in numbers.filter(|x| x.is_finite()).chain([0.0, 1e-45, f32::MAX, f32::INFINITY]) {
            assert_eq!(square_root(x), std::primitive::f32::sqrt(x), "{x:e}");
        }
        assert!(square_root(-1.0).is_nan() && square_root(f32::NAN).is_nan());
    }
}
