//! low_bit

pub(crate) fn q1_0(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q2_0(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
