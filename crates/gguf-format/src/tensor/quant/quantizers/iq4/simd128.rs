//! IQ4_NL and IQ4_XS with vectors. The search works on four parts at once.

use core::arch::wasm32::*;

use crate::tensor::quant::iq4::LEVELS;
use crate::tensor::quant::mem::{load, store_bytes};
use crate::tensor::quant::quantizers::block::LEAST_MAGNITUDE;
use crate::tensor::quant::quantizers::lanes::{floats, load_16, map, signed_bytes, transpose};

/// The scale of each part.
#[inline(always)]
pub(crate) fn scales_of_parts<const COUNT: usize>(
    x: &[[f32; 32]; COUNT],
    weights: &[[f32; 32]; COUNT],
) -> [f32; COUNT] {
    const { assert!(COUNT.is_multiple_of(4)) };
    let mut scales = [0.0; COUNT];
    for (i, scales) in scales.as_chunks_mut().0.iter_mut().enumerate() {
        *scales = scales_of_four(&transpose(&x.as_chunks().0[i]), &transpose(&weights.as_chunks().0[i]));
    }
    scales
}

/// Tries 16 scales near the one that makes the extreme element the first level.
#[inline(always)]
fn scales_of_four(x: &[v128; 32], weights: &[v128; 32]) -> [f32; 4] {
    let zero = f32x4_splat(0.0);
    let (mut magnitude, mut extreme) = (zero, zero);
    for x in x {
        extreme = v128_bitselect(*x, extreme, f32x4_gt(f32x4_abs(*x), magnitude));
        magnitude = f32x4_pmax(magnitude, f32x4_abs(*x));
    }
    let sums = |inverse: v128| {
        let (mut xq, mut qq) = (zero, zero);
        for (x, weight) in x.iter().zip(weights) {
            let level = nearest_level(f32x4_mul(inverse, *x)).level();
            let weighted = f32x4_mul(*weight, level);
            xq = f32x4_add(xq, f32x4_mul(weighted, *x));
            qq = f32x4_add(qq, f32x4_mul(weighted, level));
        }
        (xq, qq)
    };
    let first = f32::from(LEVELS[0]);
    let (xq, qq) = sums(f32x4_div(f32x4_splat(1.0), f32x4_div(f32x4_neg(extreme), f32x4_splat(first))));
    let mut scale = v128_and(f32x4_div(xq, qq), f32x4_gt(qq, zero));
    let mut best = f32x4_mul(scale, xq);
    for attempt in -7..=7 {
        let (xq, qq) = sums(f32x4_div(f32x4_splat(attempt as f32 + first), extreme));
        let is_better = v128_and(f32x4_gt(qq, zero), f32x4_gt(f32x4_mul(xq, xq), f32x4_mul(best, qq)));
        scale = v128_bitselect(f32x4_div(xq, qq), scale, is_better);
        best = v128_bitselect(f32x4_mul(scale, xq), best, is_better);
    }
    floats(v128_and(scale, f32x4_ge(magnitude, f32x4_splat(LEAST_MAGNITUDE))))
}

/// Numbers of levels.
struct LevelNumbers(v128);

/// The numbers of the levels that are nearest to x; of two, that of the greater one. NaN gives the last.
///
/// A number is at least the middle between two levels if it is not nearer to the lower one: near the middle, both differences
/// are exact.
#[inline(always)]
fn nearest_level(x: v128) -> LevelNumbers {
    let mut number = i32x4_splat(LEVELS.len() as i32 - 1);
    macro_rules! count {
        ($($i:literal)*) => {
            $(
                const { assert!($i < LEVELS.len() - 1) };
                let middle = const { (LEVELS[$i] as f32 + LEVELS[$i + 1] as f32) / 2.0 };
                number = i32x4_add(number, f32x4_lt(x, f32x4_splat(middle)));
            )*
        };
    }
    count!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
    LevelNumbers(number)
}

impl LevelNumbers {
    /// The levels as floats.
    #[inline(always)]
    fn level(&self) -> v128 {
        // The level is in the lowest byte of each lane. The shifts copy its sign.
        let levels = i8x16_swizzle(load(&LEVELS.map(i8::cast_unsigned)), self.0);
        f32x4_convert_i32x4(i32x4_shr(i32x4_shl(levels, 24), 24))
    }
}

/// The number of the nearest level for each product of an element and the inverse.
#[inline(always)]
pub(crate) fn nearest_levels(x: &[f32; 32], inverse: f32) -> [u8; 32] {
    let mut numbers = [0; 32];
    for (numbers, x) in numbers.as_chunks_mut().0.iter_mut().zip(x.as_chunks().0) {
        let number = |x| nearest_level(f32x4_mul(f32x4_splat(inverse), x)).0;
        store_bytes(numbers, signed_bytes(map(load_16(x), number)));
    }
    numbers
}
