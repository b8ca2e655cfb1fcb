//! Tensor values: kernels, quantizers, previews, statistics.

mod forks;
mod golden;
mod numbers;
mod preview;
mod quantizers;
mod statistics;
