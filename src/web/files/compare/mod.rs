//! The JavaScript API of comparing two models.

mod comparison;
mod data;
mod jobs;
mod model;
mod models;
mod renamed;
mod same_data;
