//! The data of tensors: its position in the file, previews, statistics, kernels that convert blocks to numbers, and quantisers that
//! convert numbers to blocks.
//!
//! Examples: [`OpenedFile`](crate::OpenedFile), which reads the data, [`PreviewPlan`], [`Statistics`], [`kernels`],
//! [`quantizer`].

pub mod block_types;
pub(crate) mod blocks;
pub(crate) mod converter;
pub(crate) mod extents;
pub(crate) mod opened_file;
pub(crate) mod preview;
pub(crate) mod quant;
pub(crate) mod read;
pub(crate) mod square_root;
pub(crate) mod statistics;

pub use converter::{Chunk, NumberFormat};
pub use extents::TensorExtent;
pub use preview::{Grid, PreviewLimits, PreviewPlan, TensorPreview};
pub use quant::{Kernel, Kernels, Quantizer, kernels, quantizer};
pub use statistics::{Histogram, Statistics, Summary};
