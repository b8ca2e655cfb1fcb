//! Knowledge of the format: the meaning of its names.

pub(crate) mod architectures;
mod decimal;
pub(crate) mod keys;
pub(crate) mod tensor_names;
