//! The options of `statistics`.

use crate::tensor::statistics::{Histogram, Summary};
use crate::web::interop::{AbortOptions, ProgressOptions, declare_types, options};

options! {
    /// How a tensor's data is read.
    pub interface StatisticsOptions extends AbortOptions, ProgressOptions<"ReadProgress"> as progress {
    }
}

declare_types!(Summary, Histogram);
