//! The options of `statistics`.

use crate::interop::{AbortOptions, ProgressOptions, declare_types, options};
use gguf_format::tensor::statistics::{Histogram, Summary};

options! {
    /// How a tensor's data is read.
    pub interface StatisticsOptions extends AbortOptions, ProgressOptions<"ReadProgress"> as progress {
    }
}

declare_types!(Summary, Histogram);
