//! 16 bytes that are converted together, as an array or as a vector. Kernels are written once, with these operations.

#[cfg(not(target_feature = "simd128"))]
pub(super) use scalar::Lanes;
#[cfg(target_feature = "simd128")]
pub(super) use simd128::Lanes;

/// What is added to a product where the formula adds nothing. It keeps the sign of a zero.
pub(super) const NOTHING: f32 = -0.0;

/// The levels of indices below 16 `N`.
pub(super) struct Levels<const N: usize>([[u8; 16]; N]);

impl<const N: usize> Levels<N> {
    /// A table of these levels. The rest of the table is 0.
    pub const fn new(levels: &[i8]) -> Self {
        let mut table = [[0; 16]; N];
        let mut i = 0;
        while i < levels.len() {
            table[i / 16][i % 16] = levels[i].cast_unsigned();
            i += 1;
        }
        Self(table)
    }

    /// The level of one index. Indices beyond the table have the level 0.
    pub fn get(&self, index: u32) -> i32 {
        i32::from(self.0.as_flattened().get(index as usize).copied().unwrap_or_default().cast_signed())
    }
}

impl Lanes {
    /// A word of four bytes, shifted right by each of four numbers of bits; then the bits of `mask` of each byte.
    pub fn spread(word: u32, shifts: [u32; 4], mask: u8) -> Self {
        let [a, b, c, d] = shifts;
        Self::words([word >> a, word >> b, word >> c, word >> d]).bits(0, mask)
    }

    /// Stores `d` × `sub_scale` × each lane, which is signed.
    pub fn store_scaled(self, d: f32, sub_scale: i32, out: &mut [f32; 16]) {
        self.store(d * sub_scale as f32, NOTHING, out);
    }
}

#[cfg(not(target_feature = "simd128"))]
mod scalar {
    use super::Levels;

    /// 16 bytes.
    #[derive(Clone, Copy)]
    pub struct Lanes([u8; 16]);

    impl Lanes {
        pub fn new(bytes: &[u8; 16]) -> Self {
            Self(*bytes)
        }

        /// Four words of four bytes.
        pub fn words(words: [u32; 4]) -> Self {
            let mut bytes = [0; 16];
            for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
            Self(bytes)
        }

        /// The bits of `mask` after a shift to the right.
        pub fn bits(self, shift: usize, mask: u8) -> Self {
            Self(self.0.map(|byte| byte >> shift & mask))
        }

        /// The bits of both, those of `high` moved `shift` bits to the left.
        pub fn with(self, high: Self, shift: u32) -> Self {
            Self(core::array::from_fn(|i| self.0[i] | high.0[i] << shift))
        }

        /// The sums with an integer, modulo 256.
        pub fn plus(self, number: i8) -> Self {
            Self(self.0.map(|byte| byte.wrapping_add(number.cast_unsigned())))
        }

        /// The absolute values of signed lanes.
        pub fn absolute(self) -> Self {
            Self(self.0.map(|byte| byte.cast_signed().unsigned_abs()))
        }

        /// The levels of the lanes.
        pub fn levels<const N: usize>(self, levels: &Levels<N>) -> Self {
            Self(self.0.map(|index| levels.get(index.into()) as u8))
        }

        /// Half of the lanes of two, the low (0) or the high (1), interleaved: `a[0] b[0] a[1] b[1]`…
        pub fn zip(self, other: Self, half: usize) -> Self {
            let lane = |lanes: [u8; 16], i: usize| lanes[half % 2 * 8 + i / 2];
            Self(core::array::from_fn(|i| lane(if i % 2 == 0 { self.0 } else { other.0 }, i)))
        }

        /// Stores each lane, which is signed, times `scale`, plus `addend`.
        pub fn store(self, scale: f32, addend: f32, out: &mut [f32; 16]) {
            for (out, byte) in out.iter_mut().zip(self.0) {
                *out = f32::from(byte.cast_signed()) * scale + addend;
            }
        }

        /// For each seed, four sums of the low six bits of four bytes: those of the seed times each multiplier.
        pub fn sums(seeds: [u32; 4], multipliers: [u32; 4]) -> Self {
            Self::words(seeds.map(|seed| {
                let sum = |multiplier| (seed.wrapping_mul(multiplier) & 0x3f3f_3f3f).to_le_bytes().iter().sum();
                u32::from_le_bytes(multipliers.map(sum))
            }))
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::Levels;
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{F32x16, biased, zip_high_u8, zip_low_u8};

    /// 16 bytes.
    #[derive(Clone, Copy)]
    pub struct Lanes(v128);

    impl Lanes {
        #[inline(always)]
        pub fn new(bytes: &[u8; 16]) -> Self {
            Self(load(bytes))
        }

        /// Four words of four bytes.
        #[inline(always)]
        pub fn words([a, b, c, d]: [u32; 4]) -> Self {
            Self(u32x4(a, b, c, d))
        }

        /// The bits of `mask` after a shift to the right.
        #[inline(always)]
        pub fn bits(self, shift: usize, mask: u8) -> Self {
            Self(v128_and(u8x16_shr(self.0, shift as u32), u8x16_splat(mask)))
        }

        /// The bits of both, those of `high` moved `shift` bits to the left.
        #[inline(always)]
        pub fn with(self, high: Self, shift: u32) -> Self {
            Self(v128_or(self.0, u8x16_shl(high.0, shift)))
        }

        /// The sums with an integer, modulo 256.
        #[inline(always)]
        pub fn plus(self, number: i8) -> Self {
            Self(i8x16_add(self.0, i8x16_splat(number)))
        }

        /// The absolute values of signed lanes.
        #[inline(always)]
        pub fn absolute(self) -> Self {
            Self(i8x16_abs(self.0))
        }

        /// The levels of the lanes. A swizzle gives 0 for indices from 16 on, so the sum of those of all tables is the level.
        #[inline(always)]
        pub fn levels<const N: usize>(self, levels: &Levels<N>) -> Self {
            let mut indices = self.0;
            let mut found = u8x16_splat(0);
            for table in &levels.0 {
                found = v128_or(found, i8x16_swizzle(load(table), indices));
                indices = u8x16_sub(indices, u8x16_splat(16));
            }
            Self(found)
        }

        /// Half of the lanes of two, the low (0) or the high (1), interleaved: `a[0] b[0] a[1] b[1]`…
        #[inline(always)]
        pub fn zip(self, other: Self, half: usize) -> Self {
            Self(if half == 0 { zip_low_u8(self.0, other.0) } else { zip_high_u8(self.0, other.0) })
        }

        /// Stores each lane, which is signed, times `scale`, plus `addend`.
        #[inline]
        pub fn store(self, scale: f32, addend: f32, out: &mut [f32; 16]) {
            // An i8 whose highest bit is flipped is a u8 that is 128 larger.
            let numbers = F32x16::biased_u8(v128_xor(self.0, u8x16_splat(0x80))) - biased(128);
            (numbers * f32x4_splat(scale) + f32x4_splat(addend)).store(out);
        }

        /// For each seed, four sums of the low six bits of four bytes: those of the seed times each multiplier.
        #[inline]
        pub fn sums([a, b, c, d]: [u32; 4], [k, l, m, n]: [u32; 4]) -> Self {
            let multipliers = u32x4(k, l, m, n);
            let pairs = |seed| {
                let states = v128_and(i32x4_mul(u32x4_splat(seed), multipliers), u8x16_splat(0x3f));
                u16x8_extadd_pairwise_u8x16(states)
            };
            let fours = |seed| u32x4_extadd_pairwise_u16x8(pairs(seed));
            Self(u8x16_narrow_i16x8(i16x8_narrow_i32x4(fours(a), fours(b)), i16x8_narrow_i32x4(fours(c), fours(d))))
        }
    }
}
