//! A preview of a tensor: a grid of cells that is computed from a part of the data.
//!
//! The tensor is taken as a matrix. A row is its first dimension, and the number of rows is the product of the other
//! dimensions. A plan says which bytes are read, and which rows and columns of the matrix each cell shows.

mod grid;
mod plan;
mod read;

pub use grid::Grid;
pub use plan::{PreviewLimits, PreviewPlan};
#[doc(hidden)]
pub use read::IndexRange;
pub use read::TensorPreview;
