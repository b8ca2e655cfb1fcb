//! The JavaScript API of comparing two models.

mod comparison;
mod model;
mod models;
