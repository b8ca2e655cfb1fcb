//! Conversions of models: to other tensor types.
//!
//! Examples: [`requantize::Recipe`].

pub mod requantize;
