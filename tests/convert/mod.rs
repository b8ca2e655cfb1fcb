//! Conversions of models.

mod behaviour;
mod conversions;
mod decisions;
mod image_models;
mod imatrix;
mod october;
mod recipe;
mod required_keys;
mod runs;
