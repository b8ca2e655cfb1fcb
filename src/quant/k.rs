//! k

pub(crate) fn q2_k(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q3_k(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q4_k(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q5_k(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q6_k(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q8_k(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
