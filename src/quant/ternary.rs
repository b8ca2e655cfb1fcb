//! ternary

pub(crate) fn tq1_0(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn tq2_0(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
