//! Conversions of models.

mod conversions;
mod decisions;
mod imatrix;
mod recipe;
mod runs;
