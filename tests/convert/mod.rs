//! Conversions of models.

mod decisions;
mod imatrix;
mod recipe;
mod runs;
