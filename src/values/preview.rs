//! The options of `preview`.

use wasm_bindgen::prelude::*;

use crate::interop::{declare_types, options};
use crate::values::statistics::StatisticsOptions;
use gguf_format::tensor::preview::{IndexRange, PreviewLimits, TensorPreview};

options! {
    /// How much a preview reads, and how fine its grid is.
    pub interface PreviewOptions extends StatisticsOptions as statistics fills limits: PreviewLimits {
        /// The most rows of the grid, up to 1024; 64 by default.
        rows?: "number" -> limits.rows: u64, number from 1;
        /// The most columns of the grid, up to 1024; 64 by default.
        columns?: "number" -> limits.columns: u64, number from 1;
        /// The most bytes of the tensor that are read; 4 MiB by default.
        max_bytes?: "number" -> limits.bytes: u64, number from 1;
        /// The first element to show, a multiple of `dimensions[0]`; 0 by default. With `end`, it selects one expert of a stacked tensor, for example.
        start?: "number" => JsValue;
        /// The end of the elements to show, a multiple of `dimensions[0]`; the end of the tensor by default.
        end?: "number" => JsValue;
    }
}

declare_types!(IndexRange, TensorPreview);

/// The most rows or columns of a grid. Few screens have more pixels, and a cell takes 24 bytes.
const MOST_CELLS: u64 = 1024;

/// The limits that are used for those that a caller gives.
pub(super) fn limits(given: PreviewLimits) -> PreviewLimits {
    PreviewLimits { rows: given.rows.min(MOST_CELLS), columns: given.columns.min(MOST_CELLS), ..given }
}
