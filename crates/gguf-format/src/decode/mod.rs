//! Decoding: the bytes of a file become a header.

#[doc(hidden)]
pub mod decoder;
mod item_reader;
mod predict;
#[cfg(test)]
mod work;
