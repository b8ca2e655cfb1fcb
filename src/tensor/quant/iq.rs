//! The IQ2 and IQ3 types: indices into a codebook for eight elements or four, and signs.
//!
//! ```text
//! IQ2_XXS   d f16 | 8 × (qs 4 B | signs u32)                       8 × 32   d × (s + 1/2) × 1/4 × ±level
//! IQ2_XS    d f16 | qs 32 × u16 | scales 8 B                      16 × 16   d × (s + 1/2) × 1/4 × ±level
//! IQ2_S     d f16 | qs 32 B | signs 32 B | qh 8 B | scales 8 B    16 × 16   d × (s + 1/2) × 1/4 × ±level
//! IQ3_XXS   d f16 | qs 64 B | signs 8 × u32                        8 × 32   d × (s + 1/2) × 1/2 × ±level
//! IQ3_S     d f16 | qs 64 B | qh 8 B | signs 32 B | scales 4 B     8 × 32   d × (2 s + 1) × ±level
//!
//! signs of IQ2_XXS and IQ3_XXS, for 32 elements   4 × signs 7 | s 4
//! qs of IQ2_XS, for 8 elements                    index 9 | signs 7
//! ```
//!
//! All bits are from the lowest up, also those of `scales`, four for an `s`, and of `qh`, which has the bits of
//! indices above their bytes in `qs`: two for each of IQ2_S, one for IQ3_S. Where eight elements have seven signs, the
//! eighth is the one that makes the count of negative elements even.

#[cfg(not(target_feature = "simd128"))]
use scalar::Spread;
#[cfg(target_feature = "simd128")]
use simd128::Spread;

use super::half::f16_at;
use super::{bytes_at, for_each_block, grids};

/// What a loop does for each number, without one: LLVM leaves large ones as they are.
macro_rules! unrolled {
    ($i:ident in [$($number:literal)*] $body:block) => {$({
        let $i = $number;
        $body
    })*};
}

pub(crate) fn iq2_xxs(blocks: &[u8], out: &mut [f32]) {
    let (grid, spread) = (grids::IQ2_XXS.words(), Spread::new());
    for_each_block::<66, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        for (group, out) in bytes_at::<64>(block, 2).as_chunks::<8>().0.iter().zip(out.as_chunks_mut::<32>().0) {
            let signs = u32::from_le_bytes(*bytes_at(group, 4));
            let scale = d * (0.5 + (signs >> 28) as f32) * 0.25;
            let out = out.as_chunks_mut().0;
            unrolled!(i in [0 1 2 3] {
                spread.signed(grid.pair_at(group[i].into()), even(signs >> (7 * i)), scale, &mut out[i]);
            });
        }
    });
}

pub(crate) fn iq2_xs(blocks: &[u8], out: &mut [f32]) {
    let (grid, spread) = (grids::IQ2_XS.words(), Spread::new());
    for_each_block::<74, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        let (qs, scales) = (bytes_at::<64>(block, 2).as_chunks::<8>().0, bytes_at::<8>(block, 66));
        for ((qs, scales), out) in qs.iter().zip(scales).zip(out.as_chunks_mut::<32>().0) {
            let scales = quarters(d, *scales);
            let (qs, out) = (qs.as_chunks().0, out.as_chunks_mut().0);
            unrolled!(i in [0 1 2 3] {
                let q = u32::from(u16::from_le_bytes(qs[i]));
                spread.signed(grid.pair_at(q), even(q >> 9), scales[i / 2], &mut out[i]);
            });
        }
    });
}

pub(crate) fn iq2_s(blocks: &[u8], out: &mut [f32]) {
    let (grid, spread, spread_pairs) = (grids::IQ2_S.words(), Spread::new(), Spread::<2>::new());
    for_each_block::<82, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        for (i, out) in out.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let qh = u16::from_le_bytes(*bytes_at(block, 66 + 2 * i));
            let indices = spread_pairs.indices(bytes_at(block, 2 + 8 * i), qh);
            let signs = bytes_at::<8>(block, 34 + 8 * i);
            let [low, high] = *bytes_at(block, 74 + 2 * i);
            let scales = [quarters(d, low), quarters(d, high)];
            let out = out.as_chunks_mut().0;
            unrolled!(i in [0 1 2 3 4 5 6 7] {
                spread.signed(grid.pair_at(indices[i]), signs[i], scales[i / 4][i / 2 % 2], &mut out[i]);
            });
        }
    });
}

pub(crate) fn iq3_xxs(blocks: &[u8], out: &mut [f32]) {
    let (grid, spread) = (grids::IQ3_XXS.words(), Spread::new());
    for_each_block::<98, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        for (i, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let qs = bytes_at::<8>(block, 2 + 8 * i);
            let signs = u32::from_le_bytes(*bytes_at(block, 66 + 4 * i));
            let scale = d * (0.5 + (signs >> 28) as f32) * 0.5;
            let out = out.as_chunks_mut().0;
            unrolled!(i in [0 1 2 3] {
                let words = [grid.at(qs[2 * i].into()), grid.at(qs[2 * i + 1].into())];
                spread.signed(words, even(signs >> (7 * i)), scale, &mut out[i]);
            });
        }
    });
}

pub(crate) fn iq3_s(blocks: &[u8], out: &mut [f32]) {
    let (grid, spread) = (grids::IQ3_S.words(), Spread::new());
    for_each_block::<110, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        for (i, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let indices = spread.indices(bytes_at(block, 2 + 8 * i), block[66 + i].into());
            let signs = bytes_at::<4>(block, 74 + 4 * i);
            let scale = d * f32::from(1 + 2 * (block[106 + i / 2] >> (i % 2 * 4) & 15));
            let out = out.as_chunks_mut().0;
            unrolled!(i in [0 1 2 3] {
                let words = [grid.at(indices[2 * i]), grid.at(indices[2 * i + 1])];
                spread.signed(words, signs[i], scale, &mut out[i]);
            });
        }
    });
}

/// The scales of 32 elements of IQ2_XS and IQ2_S.
#[inline(always)]
fn quarters(d: f32, scales: u8) -> [f32; 2] {
    let scale = |s: u8| d * (0.5 + f32::from(s)) * 0.25;
    [scale(scales & 15), scale(scales >> 4)]
}

/// Seven signs, and the eighth that makes the count of ones even.
#[inline(always)]
fn even(signs: u32) -> u8 {
    EVEN[signs as usize % EVEN.len()]
}

static EVEN: [u8; 128] = {
    let mut signs = [0; 128];
    let mut i = 0;
    while i < signs.len() {
        signs[i] = i as u8 | (i.count_ones() as u8 & 1) << 7;
        i += 1;
    }
    signs
};

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use core::array::from_fn;

    /// What gives each of eight lanes `BITS` bits of a number, from the lowest up.
    pub(super) struct Spread<const BITS: usize>;

    impl<const BITS: usize> Spread<BITS> {
        pub(super) fn new() -> Self {
            Self
        }

        /// Eight indices: low bytes, and bits above them.
        pub(super) fn indices(&self, low: &[u8; 8], high: u16) -> [u32; 8] {
            from_fn(|i| u32::from(low[i]) | (u32::from(high) >> (BITS * i) & ((1 << BITS) - 1)) << 8)
        }
    }

    impl Spread<1> {
        /// Eight elements, of which words have the upper halves, with their signs and times the scale.
        pub(super) fn signed(&self, words: [u64; 2], signs: u8, scale: f32, out: &mut [f32; 8]) {
            for (i, out) in out.iter_mut().enumerate() {
                let half = (words[i / 4] >> (i % 4 * 16)) as u16 ^ u16::from(signs) << (15 - i) & 0x8000;
                *out = scale * f32::from_bits(u32::from(half) << 16);
            }
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;
    use core::hint::black_box;

    use crate::tensor::quant::mem::{load_wide, store};
    use crate::tensor::quant::vector::{zip_high_u16, zip_low_u16};

    /// See [`scalar::Spread`](super::scalar::Spread): what to multiply a number by so that each lane has its bits
    /// uppermost.
    pub(super) struct Spread<const BITS: usize>(v128);

    impl<const BITS: usize> Spread<BITS> {
        #[inline(always)]
        pub(super) fn new() -> Self {
            let [a, b, c, d, e, f, g, h] = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| 1 << (16 - BITS - BITS * i));
            // LLVM must not know these: powers of two it would make shifts of, by another count for each lane, and such
            // are done lane by lane.
            Self(black_box(u16x8(a, b, c, d, e, f, g, h)))
        }

        /// See [`scalar::Spread::indices`](super::scalar::Spread::indices).
        #[inline(always)]
        pub(super) fn indices(&self, low: &[u8; 8], high: u16) -> [u32; 8] {
            let high = v128_and(i16x8_mul(u16x8_splat(high), self.0), u16x8_splat(0xffff << (16 - BITS)));
            let indices = v128_or(load_wide(low), u16x8_shr(high, 8 - BITS as u32));
            // As offsets into the grid's words they need no shift each; what is shifted back here is not shifted at all.
            let offsets = u16x8_shl(indices, BITS as u32 + 2);
            macro_rules! index {
                ($($i:literal)*) => { [$(u32::from(u16x8_extract_lane::<$i>(offsets)) >> (BITS + 2)),*] };
            }
            index!(0 1 2 3 4 5 6 7)
        }
    }

    impl Spread<1> {
        /// See [`scalar::Spread::signed`](super::scalar::Spread::signed).
        #[inline(always)]
        pub(super) fn signed(&self, words: [u64; 2], signs: u8, scale: f32, out: &mut [f32; 8]) {
            let signs = v128_and(i16x8_mul(u8x16_splat(signs), self.0), u16x8_splat(0x8000));
            let halves = v128_xor(u64x2(words[0], words[1]), signs);
            let (out, scale, zero) = (out.as_chunks_mut().0, f32x4_splat(scale), u16x8_splat(0));
            store(&mut out[0], f32x4_mul(zip_low_u16(zero, halves), scale));
            store(&mut out[1], f32x4_mul(zip_high_u16(zero, halves), scale));
        }
    }
}
