//! One and two bits with a scale, element after element from the lowest bits up.
//!
//! ```text
//! Q1_0   d f16 | qs 16 B     128   q ? d : -d
//! Q2_0   d f16 | qs 16 B      64   d × (q - 1)
//! ```

#[cfg(not(target_feature = "simd128"))]
pub(crate) use scalar::*;
#[cfg(target_feature = "simd128")]
pub(crate) use simd128::*;

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use crate::quant::half::f16_at;
    use crate::quant::{each, field};

    pub(crate) fn q1_0(blocks: &[u8], out: &mut [f32]) {
        each::<18, 128>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            for (out, byte) in out.as_chunks_mut::<8>().0.iter_mut().zip(field::<16>(block, 2)) {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = if byte >> i & 1 == 1 { d } else { -d };
                }
            }
        });
    }

    pub(crate) fn q2_0(blocks: &[u8], out: &mut [f32]) {
        each::<18, 64>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            for (out, byte) in out.as_chunks_mut::<4>().0.iter_mut().zip(field::<16>(block, 2)) {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = (f32::from(byte >> (2 * i) & 3) - 1.0) * d;
                }
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    pub(crate) use super::scalar::{q1_0, q2_0};
}
