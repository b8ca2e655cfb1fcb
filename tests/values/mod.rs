//! Tensor values: kernels, quantisers, previews, statistics.

mod golden;
mod numbers;
mod preview;
mod quantizers;
mod statistics;
