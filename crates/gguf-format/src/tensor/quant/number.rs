//! Plain numbers, converted by Rust's `as`.
//!
//! ```text
//! F32 F64            IEEE 754. F32 keeps its bits. F64 is rounded to f32; beyond the range of f32 it is ±infinity.
//! I8 I16 I32 I64     two's complement. I32 and I64 are rounded to f32, I64 to f64.
//! ```

macro_rules! conversions {
    ($($name:ident: $from:ty => $to:ty;)*) => {
        $(pub(crate) fn $name(numbers: &[u8], elements: &mut [$to]) {
            for (number, element) in numbers.as_chunks().0.iter().zip(elements) {
                *element = <$from>::from_le_bytes(*number) as $to;
            }
        })*
    };
}

conversions! {
    f32_to_f32: f32 => f32;
    i64_to_f32: i64 => f32;

    f64_to_f64: f64 => f64;
    i32_to_f64: i32 => f64;
    i64_to_f64: i64 => f64;

    i8_to_i64: i8 => i64;
    i16_to_i64: i16 => i64;
    i32_to_i64: i32 => i64;
    i64_to_i64: i64 => i64;
}

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "simd128 converts the last numbers with it"))]
mod scalar {
    conversions! {
        f64_to_f32: f64 => f32;
        i8_to_f32: i8 => f32;
        i16_to_f32: i16 => f32;
        i32_to_f32: i32 => f32;
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::scalar;
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::F32x16;

    pub(crate) fn f64_to_f32(numbers: &[u8], elements: &mut [f32]) {
        in_sixteens(numbers, elements, scalar::f64_to_f32, |[a, b, c, d, e, f, g, h]: &[_; 8]| {
            F32x16::new([
                narrow(load(a), load(b)),
                narrow(load(c), load(d)),
                narrow(load(e), load(f)),
                narrow(load(g), load(h)),
            ])
        });
    }

    pub(crate) fn i8_to_f32(numbers: &[u8], elements: &mut [f32]) {
        in_sixteens(numbers, elements, scalar::i8_to_f32, |[bytes]: &[_; 1]| {
            let bytes = load(bytes);
            floats(i16x8_extend_low_i8x16(bytes), i16x8_extend_high_i8x16(bytes))
        });
    }

    pub(crate) fn i16_to_f32(numbers: &[u8], elements: &mut [f32]) {
        in_sixteens(numbers, elements, scalar::i16_to_f32, |[a, b]: &[_; 2]| floats(load(a), load(b)));
    }

    pub(crate) fn i32_to_f32(numbers: &[u8], elements: &mut [f32]) {
        in_sixteens(numbers, elements, scalar::i32_to_f32, |[a, b, c, d]: &[_; 4]| {
            F32x16::new([load(a), load(b), load(c), load(d)]).map(|integers| f32x4_convert_i32x4(integers))
        });
    }

    /// Converts 16 numbers at a time, which are `N` vectors, and the rest with `rest`.
    #[inline(always)]
    fn in_sixteens<const N: usize>(
        numbers: &[u8],
        elements: &mut [f32],
        rest: fn(&[u8], &mut [f32]),
        convert: impl Fn(&[[u8; 16]; N]) -> F32x16,
    ) {
        let (vectors, sixteens) = (numbers.as_chunks().0.as_chunks::<N>().0, elements.as_chunks_mut::<16>().0);
        let count = vectors.len().min(sixteens.len());
        for (vectors, elements) in vectors.iter().zip(sixteens) {
            convert(vectors).store(elements);
        }
        rest(&numbers[count * N * 16..], &mut elements[count * 16..]);
    }

    /// Four `f64`s as `f32`s.
    #[inline(always)]
    fn narrow(first: v128, last: v128) -> v128 {
        i64x2_shuffle::<0, 2>(f32x4_demote_f64x2_zero(first), f32x4_demote_f64x2_zero(last))
    }

    /// 16 integers of 16 bits as floats.
    #[inline(always)]
    fn floats(first: v128, last: v128) -> F32x16 {
        let first = [i32x4_extend_low_i16x8(first), i32x4_extend_high_i16x8(first)];
        let last = [i32x4_extend_low_i16x8(last), i32x4_extend_high_i16x8(last)];
        F32x16::new([first[0], first[1], last[0], last[1]]).map(|integers| f32x4_convert_i32x4(integers))
    }
}
