//! JSON: reading contexts, and writing values.

pub(crate) mod dump;
pub(crate) mod read;
pub(crate) mod value;
pub(crate) mod write;
