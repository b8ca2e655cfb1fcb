//! fp4

pub(crate) fn mxfp4(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn nvfp4(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
