//! Tensor values: kernels, previews, statistics.

mod golden;
mod numbers;
mod preview;
mod statistics;
