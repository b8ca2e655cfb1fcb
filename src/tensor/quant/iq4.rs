//! The IQ4 types: four bits look up one of 16 levels, which lie closer together near zero.
//!
//! ```text
//! IQ4_NL   d f16 | qs 16 B                                                1 × 32   d × level(q)
//! IQ4_XS   d f16 | scales_h u16 | scales_l 4 B | qs 128 B                 8 × 32   d × (sc - 32) × level(q)
//! ```
//!
//! In each 32 elements' 16 bytes the low four bits of `qs[i]` are element `i`, the high ones element `i + 16`. The six
//! bits of scale `i` are four of `scales_l`, low half first, under two of `scales_h`, from the lowest up.

use_scalar_or_simd128!();

/// The levels, as numbered by four bits.
const LEVELS: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/// The scales of the eight parts of an `IQ4_XS` block, less `d`.
#[inline(always)]
fn part_scale(block: &[u8; 136], part: usize) -> f32 {
    let low = block[4 + part / 2] >> (part % 2 * 4) & 15;
    let high = block[2 + part / 4] >> (part % 4 * 2) & 3;
    f32::from((high << 4 | low) as i8 - 32)
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use super::{LEVELS, part_scale};
    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::levels::scaled;
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn iq4_nl(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<18, 32>(blocks, out, |block, out| {
            let (low, high) = out.split_at_mut(16);
            scaled(&LEVELS, f16_at(block, 0), bytes_at::<16>(block, 2), low, high);
        });
    }

    pub(crate) fn iq4_xs(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<136, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            for (part, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let (low, high) = out.split_at_mut(16);
                scaled(&LEVELS, d * part_scale(block, part), bytes_at::<16>(block, 8 + part * 16), low, high);
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::{LEVELS, part_scale};
    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::levels::Planes;
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{store_16, times};
    use crate::tensor::quant::{bytes_at, for_each_block};

    const PLANES: Planes = Planes::of(&LEVELS);

    pub(crate) fn iq4_nl(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<18, 32>(blocks, out, |block, out| part(f16_at(block, 0), bytes_at(block, 2), out));
    }

    pub(crate) fn iq4_xs(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<136, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            for (i, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
                part(d * part_scale(block, i), bytes_at(block, 8 + i * 16), out);
            }
        });
    }

    #[inline(always)]
    fn part(scale: f32, qs: &[u8; 16], out: &mut [f32; 32]) {
        let (scale, out) = (f32x4_splat(scale), out.as_chunks_mut().0);
        let [low, high] = PLANES.look_up(load(qs));
        store_16(&mut out[0], times(low, scale));
        store_16(&mut out[1], times(high, scale));
    }
}
