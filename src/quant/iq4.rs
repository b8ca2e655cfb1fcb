//! iq4

pub(crate) fn iq4_nl(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}

pub(crate) fn iq4_xs(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
