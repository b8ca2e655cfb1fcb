//! Conversions of models.

mod behaviour;
mod conversions;
mod decisions;
mod imatrix;
mod recipe;
mod required_keys;
mod runs;
