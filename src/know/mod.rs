//! What the format's names mean.

pub(crate) mod keys;
