//! Knowledge of the format: the meaning of its names and numbers.

pub(crate) mod file_types;
pub(crate) mod keys;
