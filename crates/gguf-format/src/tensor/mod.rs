//! The data of tensors: its position in the file, previews, statistics, kernels that convert blocks to numbers, and quantizers that
//! convert numbers to blocks.
//!
//! Examples: [`OpenedFile`](crate::OpenedFile), which reads the data, [`PreviewPlan`], [`Statistics`], [`kernels`],
//! [`quantizer`].

pub mod block_types;
#[doc(hidden)]
pub mod blocks;
#[doc(hidden)]
pub mod converter;
#[doc(hidden)]
pub mod extents;
#[doc(hidden)]
pub mod opened_file;
#[doc(hidden)]
pub mod preview;
#[doc(hidden)]
pub mod quant;
#[doc(hidden)]
pub mod read;
#[doc(hidden)]
pub mod square_root;
#[doc(hidden)]
pub mod statistics;
#[doc(hidden)]
pub mod unit;

pub use converter::{Chunk, NumberFormat};
pub use extents::TensorExtent;
pub use preview::{Grid, PreviewLimits, PreviewPlan, TensorPreview};
#[cfg(feature = "fork-kernels")]
#[doc(hidden)]
pub use quant::{FORK_KERNELS, ForkKernel, RowGroup, fork_kernel};
pub use quant::{Kernel, Kernels, Quantizer, kernels, quantizer};
pub use statistics::{Histogram, Statistics, Summary};
