//! Adapters merged into a model: W + scale · B · A, as `llama-export-lora` of August 2026 computes it.
//!
//! [`MergedFile`] is the new file before it is written. Every range of it can be read, so it can be looked at, compared, written,
//! and converted to other types.
//!
//! The arithmetic is that of ggml's C code for numbers of 32 bits, in its order:
//!
//! 1. The numbers of W, A and B become `f32`s.
//! 2. An element of B · A is a sum over the rank, in order: each product is rounded to `f32`, the sum is an `f64`, and is rounded to
//!    `f32` at its end (`ggml_vec_dot_f32` of ggml/src/ggml-cpu/vec.cpp without `GGML_SIMD`). Builds with vector instructions add
//!    `f32`s in another order. With AVX2, FMA and llamafile, a quarter to two fifths of the `f32`s differ, by one or two units of the
//!    last place of their terms, and 1 or 2 of 10,000 numbers after they are rounded to F16.
//! 3. It is multiplied with the scale, then W is added, both rounded to `f32`, and the sum is rounded to the type of the new tensor.
//!
//! Where `llama-export-lora` is wrong, or refuses what can be computed, this module differs:
//!
//! - The alignment of the model is kept. `llama-export-lora` pads to 32 bytes, whatever the header says.
//! - A matrix that the model does not have is an error. `llama-export-lora` leaves it out.
//! - The matrices of an adapter can be quantized.
//! - Adapters need not change the same tensors.

// - `adapter`: an adapter in a file; `pairs`: which of its matrices belong to which tensors of the model
// - `tensors` and `header`: the new file; `file` computes its data
// - `changes`: reads the matrices; `product` multiplies them

mod adapter;
mod changes;
mod file;
mod header;
mod options;
mod pairs;
mod product;
mod tensors;

pub use adapter::LoraAdapter;
pub use file::MergedFile;
pub use options::{MergeOptions, MergedTensor, MergedTypes};
