//! number

pub(crate) fn f32(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn i8(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn i16(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn i32(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn i64(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn f64(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
