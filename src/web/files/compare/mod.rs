//! The JavaScript API of comparing two models.

mod compare;
mod comparison;
mod data;
mod jobs;
mod model;
mod renamed;
mod same_data;
