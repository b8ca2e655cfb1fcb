//! The 16-bit floats: F16 and BF16, and the f16 scales in the blocks of other types.
//!
//! ```text
//! F16    f16          sign 1 | exponent 5, bias 15 | fraction 10
//! BF16   bf16         the high half of an f32
//! ```

use_scalar_or_simd128!();

mod scalar {
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};

    pub(crate) fn f16(numbers: &[u8], elements: &mut [f32]) {
        for_each_block::<2, 1>(numbers, elements, |bytes, [element]| {
            *element = half::f16::from_le_bytes(*bytes).to_f32();
        });
    }

    pub(crate) fn bf16(numbers: &[u8], elements: &mut [f32]) {
        for_each_block::<2, 1>(numbers, elements, |bytes, [element]| {
            *element = half::bf16::from_le_bytes(*bytes).to_f32();
        });
    }

    /// The f16 at an offset of a block.
    #[inline(always)]
    #[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "simd128 has its own"))]
    pub(crate) fn f16_at(block: &[u8], offset: usize) -> f32 {
        half::f16::from_le_bytes(*bytes_at(block, offset)).to_f32()
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::scalar;
    use crate::tensor::quant::kernel::{Kernel, bytes_at, for_each_block};
    use crate::tensor::quant::mem::{load, store};
    use crate::tensor::quant::vector::{zip_high_u16, zip_low_u16};

    pub(crate) fn f16(numbers: &[u8], elements: &mut [f32]) {
        for_each_32(numbers, elements, scalar::f16, widen_f16);
    }

    /// Converts eight f16s without a branch, and without subnormal operands, which are slow on some processors.
    ///
    /// `n` has the exponent and the fraction of the f16, and an exponent bias that makes it 2¹⁶ times the magnitude. A
    /// subnormal f16 has no implicit leading one, but its `n` has: there 2¹⁶ times the magnitude is 2 n - 4. This is less
    /// than `n` for subnormal f16s and for no others.
    #[inline(always)]
    pub(crate) fn widen_f16(numbers: v128) -> [v128; 2] {
        let magnitudes = v128_and(numbers, u16x8_splat(0x7fff));
        // The addition makes the exponent of infinity and NaN overflow into the sign, and the shift copies the sign. The
        // mask keeps one copy, which makes the exponent of `n` that of infinity and NaN.
        let shifted = i16x8_shr(i16x8_add(magnitudes, i16x8_splat(0x400)), 3);
        let high = i16x8_add(v128_and(shifted, u16x8_splat(0x4fff)), u16x8_splat(0x3f80));
        let low = u16x8_shl(numbers, 13);
        // The high half of 2⁻¹⁶, with the sign.
        let factors = v128_or(v128_and(numbers, u16x8_splat(0x8000)), u16x8_splat(0x3780));
        let zero = u16x8_splat(0);
        let scale = |n, factor| f32x4_mul(f32x4_pmin(n, f32x4_sub(f32x4_add(n, n), f32x4_splat(4.0))), factor);
        [
            scale(zip_low_u16(low, high), zip_low_u16(zero, factors)),
            scale(zip_high_u16(low, high), zip_high_u16(zero, factors)),
        ]
    }

    pub(crate) fn bf16(numbers: &[u8], elements: &mut [f32]) {
        let zero = u16x8_splat(0);
        for_each_32(numbers, elements, scalar::bf16, |numbers| {
            [zip_low_u16(zero, numbers), zip_high_u16(zero, numbers)]
        });
    }

    /// Converts groups of 32 numbers by `widen`, eight at a time, and the numbers after the last group by `convert_rest`.
    #[inline(always)]
    fn for_each_32(numbers: &[u8], elements: &mut [f32], convert_rest: Kernel, widen: impl Fn(v128) -> [v128; 2]) {
        for_each_block::<64, 32>(numbers, elements, |numbers, elements| {
            let (numbers, elements) = (numbers.as_chunks().0, elements.as_chunks_mut().0);
            store_8(&mut elements[0], widen(load(&numbers[0])));
            store_8(&mut elements[1], widen(load(&numbers[1])));
            store_8(&mut elements[2], widen(load(&numbers[2])));
            store_8(&mut elements[3], widen(load(&numbers[3])));
        });
        let done = (numbers.len() / 2).min(elements.len()) / 32 * 32;
        convert_rest(&numbers[2 * done..], &mut elements[done..]);
    }

    #[inline(always)]
    fn store_8(elements: &mut [f32; 8], [first, last]: [v128; 2]) {
        let elements = elements.as_chunks_mut().0;
        store(&mut elements[0], first);
        store(&mut elements[1], last);
    }

    /// The f16 at an offset of a block: base + fraction × step, where the sign and the exponent are the index of base and
    /// step.
    ///
    /// A kernel needs it for every block. With the conversion of the crate `half`, which branches, the kernels of Q4_0,
    /// Q4_1, Q5_1 and Q1_0 take 18 to 25 % longer.
    #[inline(always)]
    pub(crate) fn f16_at(block: &[u8], offset: usize) -> f32 {
        let bits = u32::from(u16::from_le_bytes(*bytes_at(block, offset)));
        let BaseAndStep { base, step } = BASES_AND_STEPS[bits as usize >> 10];
        let fraction = (bits & 0x3ff) << 10;
        fraction as f32 * step + base
    }

    /// What the f16s with one sign and exponent have in common.
    #[derive(Clone, Copy)]
    struct BaseAndStep {
        /// The f16 with the fraction 0.
        base: f32,
        /// 2⁻¹⁰ of the difference between two successive f16s.
        step: f32,
    }

    static BASES_AND_STEPS: [BaseAndStep; 64] = {
        let mut table = [BaseAndStep { base: 0.0, step: 0.0 }; 64];
        let mut exponent = 0;
        while exponent < 32 {
            let power = f32::from_bits((exponent as u32 + 127 - 15) << 23);
            let (base, step) = match exponent {
                0 => (0.0, power * 2.0 / (1 << 20) as f32),
                // The fraction 0 gives infinity. Any other overflows, and infinity - infinity is NaN.
                31 => (f32::INFINITY, f32::MIN),
                _ => (power, power / (1 << 20) as f32),
            };
            table[exponent] = BaseAndStep { base, step };
            table[exponent + 32] = BaseAndStep { base: -base, step: -step };
            exponent += 1;
        }
        table
    };
}
