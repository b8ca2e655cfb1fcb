//! iq

pub(crate) fn iq2_xxs(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn iq2_xs(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn iq3_xxs(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn iq1_s(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn iq3_s(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn iq2_s(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn iq1_m(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
