//! Tensor values: kernels, previews, statistics.

#[path = "../support/corpus.rs"]
mod corpus;

mod golden;
mod numbers;
mod preview;
mod statistics;
