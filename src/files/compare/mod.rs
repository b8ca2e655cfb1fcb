//! The JavaScript API of comparing two models, or two texts.

mod comparison;
mod models;
mod text_hunks;
