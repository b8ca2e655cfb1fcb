//! The first quantised types: blocks of 32 with a scale, and an offset for some.
//!
//! ```text
//! Q4_0   d f16         | qs 16 B              d × (q - 8)
//! Q4_1   d f16 | m f16 | qs 16 B              d × q + m
//! Q5_0   d f16         | qh u32 | qs 16 B     d × (q - 16)
//! Q5_1   d f16 | m f16 | qh u32 | qs 16 B     d × q + m
//! Q8_0   d f16         | qs 32 i8             d × q
//! Q8_1   d f16 | s f16 | qs 32 i8             d × q; s = d × the sum of all q, for dot products
//! ```
//!
//! The low four bits of `qs[i]` are those of element `i`, the high ones those of element `i + 16`. Bit `i` of `qh` is
//! the fifth of element `i`.

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference, and for types without a faster one"))]
mod scalar {
    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn q4_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<18, 32>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            for (i, q) in bytes_at::<16>(block, 2).iter().enumerate() {
                out[i] = (i32::from(q & 15) - 8) as f32 * d;
                out[i + 16] = (i32::from(q >> 4) - 8) as f32 * d;
            }
        });
    }

    pub(crate) fn q4_1(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<20, 32>(blocks, out, |block, out| {
            let (d, m) = (f16_at(block, 0), f16_at(block, 2));
            for (i, q) in bytes_at::<16>(block, 4).iter().enumerate() {
                out[i] = i32::from(q & 15) as f32 * d + m;
                out[i + 16] = i32::from(q >> 4) as f32 * d + m;
            }
        });
    }

    pub(crate) fn q5_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<22, 32>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            let q = five_bits(bytes_at(block, 2), bytes_at(block, 6));
            for (out, q) in out.iter_mut().zip(q) {
                *out = (i32::from(q) - 16) as f32 * d;
            }
        });
    }

    pub(crate) fn q5_1(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<24, 32>(blocks, out, |block, out| {
            let (d, m) = (f16_at(block, 0), f16_at(block, 2));
            let q = five_bits(bytes_at(block, 4), bytes_at(block, 8));
            for (out, q) in out.iter_mut().zip(q) {
                *out = i32::from(q) as f32 * d + m;
            }
        });
    }

    #[inline(always)]
    fn five_bits(qh: &[u8; 4], qs: &[u8; 16]) -> [u8; 32] {
        let qh = u32::from_le_bytes(*qh);
        core::array::from_fn(|i| {
            let low = if i < 16 { qs[i] & 15 } else { qs[i - 16] >> 4 };
            low | (qh >> i << 4) as u8 & 16
        })
    }

    pub(crate) fn q8_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<34, 32>(blocks, out, |block, out| bytes(f16_at(block, 0), bytes_at(block, 2), out));
    }

    pub(crate) fn q8_1(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<36, 32>(blocks, out, |block, out| bytes(f16_at(block, 0), bytes_at(block, 4), out));
    }

    #[inline(always)]
    fn bytes(d: f32, qs: &[u8; 32], out: &mut [f32; 32]) {
        for (out, q) in out.iter_mut().zip(qs) {
            *out = f32::from(q.cast_signed()) * d;
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;
    use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{
        COUNTER, counted_bytes, counter, less, less_one, less_times, lower_halves, masked, store_16, times,
        uppermost_bytes, zip_high_u8, zip_low_u8,
    };
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn q4_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<18, 32>(blocks, out, |block, out| {
            let d = f32x4_splat(f16_at(block, 0));
            let (low, high) = four_bits(bytes_at(block, 2), 8);
            store_32(out, times(low, d), times(high, sixteenth(d)));
        });
    }

    pub(crate) fn q4_1(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<20, 32>(blocks, out, |block, out| {
            let (d, m) = (f32x4_splat(f16_at(block, 0)), f32x4_splat(f16_at(block, 2)));
            let (low, high) = four_bits(bytes_at(block, 4), 0);
            store_32(out, more_one(times(low, d), m), more_one(times(high, sixteenth(d)), m));
        });
    }

    /// The low four bits, and 16 times the high ones, each less `offset`.
    #[inline(always)]
    fn four_bits(qs: &[u8; 16], offset: u32) -> ([v128; 4], [v128; 4]) {
        let both = counted_bytes(load(qs));
        let [a, b, c, d] = masked(both, !15);
        // These bits are clear: to set them is to add.
        let low_offset = u32x4_splat(offset);
        let low = [v128_or(a, low_offset), v128_or(b, low_offset), v128_or(c, low_offset), v128_or(d, low_offset)];
        (less(both, low), less_one([a, b, c, d], counter(16 * offset)))
    }

    /// Exactly: an f16's exponent is far from the least that `f32` has.
    #[inline(always)]
    fn sixteenth(d: v128) -> v128 {
        f32x4_mul(d, f32x4_splat(1.0 / 16.0))
    }

    pub(crate) fn q5_0(blocks: &[u8], out: &mut [f32]) {
        let bits = Bits::get();
        for_each_block::<22, 32>(blocks, out, |block, out| {
            let d = f32x4_splat(f16_at(block, 0));
            let (low, high) = five_bits(bits, bytes_at(block, 2), bytes_at(block, 6));
            let offset = f32x4_splat(SIXTEENTHS + 16.0);
            store_32(out, less_times(low, offset, d), less_times(high, offset, d));
        });
    }

    pub(crate) fn q5_1(blocks: &[u8], out: &mut [f32]) {
        let bits = Bits::get();
        for_each_block::<24, 32>(blocks, out, |block, out| {
            let (d, m) = (f32x4_splat(f16_at(block, 0)), f32x4_splat(f16_at(block, 2)));
            let (low, high) = five_bits(bits, bytes_at(block, 4), bytes_at(block, 8));
            let offset = f32x4_splat(SIXTEENTHS);
            store_32(out, more_one(less_times(low, offset, d), m), more_one(less_times(high, offset, d), m));
        });
    }

    /// 2¹⁹, whose lower bits count sixteenths from there on.
    const SIXTEENTHS: f32 = f32::from_bits(COUNTER - (4 << 23));

    /// The first and the last 16 elements' five bits, as `f32`s that count from `SIXTEENTHS` on.
    #[inline(always)]
    fn five_bits(bits: &Bits, qh: &[u8; 4], qs: &[u8; 16]) -> ([v128; 4], [v128; 4]) {
        let (qs, high) = (load(qs), u8x16_splat(0xf0));
        (
            with_fifth(v128_and(u16x8_shl(qs, 4), high), u64x2(bits.of(qh[0]), bits.of(qh[1]))),
            with_fifth(v128_and(qs, high), u64x2(bits.of(qh[2]), bits.of(qh[3]))),
        )
    }

    /// Four bits as the upper half of bytes, and the fifth as the byte above them.
    #[inline(always)]
    fn with_fifth(four: v128, fifth: v128) -> [v128; 4] {
        lower_halves(zip_low_u8(four, fifth), zip_high_u8(four, fifth), (SIXTEENTHS.to_bits() >> 16) as u16)
    }

    /// The bits of each byte as bytes.
    struct Bits([AtomicU64; 256]);

    static BITS: Bits = Bits([const { AtomicU64::new(0) }; 256]);

    impl Bits {
        /// The table, filled when it is first asked for: it would be 2 kB of the module. Threads that fill it at once
        /// write the same.
        #[inline(always)]
        fn get() -> &'static Self {
            if BITS.of(255) == 0 {
                Self::fill();
            }
            &BITS
        }

        #[cold]
        fn fill() {
            for (byte, bits) in (0_u64..).zip(&BITS.0) {
                bits.store((0..8).fold(0, |bits, bit| bits | (byte >> bit & 1) << (8 * bit)), Relaxed);
            }
        }

        #[inline(always)]
        fn of(&self, byte: u8) -> u64 {
            self.0[usize::from(byte)].load(Relaxed)
        }
    }

    pub(crate) fn q8_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<34, 32>(blocks, out, |block, out| eight_bits(f16_at(block, 0), bytes_at(block, 2), out));
    }

    pub(crate) fn q8_1(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<36, 32>(blocks, out, |block, out| eight_bits(f16_at(block, 0), bytes_at(block, 4), out));
    }

    #[inline(always)]
    fn eight_bits(d: f32, qs: &[u8; 32], out: &mut [f32; 32]) {
        // As the uppermost bytes of integers they are 2²⁴ times what they are.
        let d = f32x4_splat(d * (1.0 / (1 << 24) as f32));
        let (first, last) = (uppermost_bytes(load(bytes_at(qs, 0))), uppermost_bytes(load(bytes_at(qs, 16))));
        store_32(out, times(converted(first), d), times(converted(last), d));
    }

    #[inline(always)]
    fn converted([a, b, c, d]: [v128; 4]) -> [v128; 4] {
        [f32x4_convert_i32x4(a), f32x4_convert_i32x4(b), f32x4_convert_i32x4(c), f32x4_convert_i32x4(d)]
    }

    #[inline(always)]
    fn more_one([a, b, c, d]: [v128; 4], more: v128) -> [v128; 4] {
        [f32x4_add(a, more), f32x4_add(b, more), f32x4_add(c, more), f32x4_add(d, more)]
    }

    #[inline(always)]
    fn store_32(out: &mut [f32; 32], first: [v128; 4], last: [v128; 4]) {
        let out = out.as_chunks_mut().0;
        store_16(&mut out[0], first);
        store_16(&mut out[1], last);
    }
}
