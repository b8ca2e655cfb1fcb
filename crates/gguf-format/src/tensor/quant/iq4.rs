//! The IQ4 types: a quant of four bits is the index of one of 16 levels, which lie closer together near zero.
//!
//! ```text
//! type     block                                                elements   an element, by its quant q
//! IQ4_NL   d f16 | qs 16 B                                       32        d × level(q)
//! IQ4_XS   d f16 | scales_h u16 | scales_l 4 B | qs 128 B       256        d × (s - 32) × level(q)
//! ```
//!
//! Of each 16 bytes of `qs`, the low four bits of byte i belong to element i, the high four bits to element i + 16.
//!
//! IQ4_XS has a scale `s` of six bits for each 32 elements. Its low four bits are in `scales_l`, two to a byte, the low
//! half first; its high two bits are in `scales_h`, the first in the lowest bits.

use_scalar_or_simd128!();

pub(super) const LEVELS: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/// The scale of 32 elements of IQ4_XS without `d`: s - 32.
#[inline(always)]
fn scale_of_part(block: &[u8; 136], part: usize) -> f32 {
    let low = block[4 + part / 2] >> (part % 2 * 4) & 15;
    let high = block[2 + part / 4] >> (part % 4 * 2) & 3;
    f32::from((high << 4 | low) as i8 - 32)
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use super::{LEVELS, scale_of_part};
    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};
    use crate::tensor::quant::levels::scaled_levels;

    pub(crate) fn iq4_nl(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<18, 32>(blocks, elements, |block, elements| {
            let (low, high) = elements.split_at_mut(16);
            scaled_levels(&LEVELS, f16_at(block, 0), bytes_at::<16>(block, 2), low, high);
        });
    }

    pub(crate) fn iq4_xs(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<136, 256>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            for (part, elements) in elements.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let (low, high) = elements.split_at_mut(16);
                let scale = d * scale_of_part(block, part);
                scaled_levels(&LEVELS, scale, bytes_at::<16>(block, 8 + part * 16), low, high);
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::{LEVELS, scale_of_part};
    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};
    use crate::tensor::quant::levels::LevelTable;
    use crate::tensor::quant::mem::load;

    const TABLE: LevelTable = LevelTable::new(&LEVELS);

    pub(crate) fn iq4_nl(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<18, 32>(blocks, elements, |block, elements| {
            store_part(f16_at(block, 0), bytes_at(block, 2), elements);
        });
    }

    pub(crate) fn iq4_xs(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<136, 256>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            for (part, elements) in elements.as_chunks_mut().0.iter_mut().enumerate() {
                store_part(d * scale_of_part(block, part), bytes_at(block, 8 + part * 16), elements);
            }
        });
    }

    #[inline(always)]
    fn store_part(scale: f32, qs: &[u8; 16], elements: &mut [f32; 32]) {
        let (scale, elements) = (f32x4_splat(scale), elements.as_chunks_mut().0);
        let [low, high] = TABLE.look_up(load(qs));
        (low * scale).store(&mut elements[0]);
        (high * scale).store(&mut elements[1]);
    }
}
