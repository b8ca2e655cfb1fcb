//! Knowledge of the format: the meaning of its names.

pub(crate) mod keys;
