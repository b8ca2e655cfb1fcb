//! Decoding: the bytes of a file become a header.

pub(crate) mod decoder;
mod item_reader;
mod predict;
#[cfg(test)]
mod work;
