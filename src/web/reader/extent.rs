//! Where the data of a tensor lies, as a JavaScript object.

use wasm_bindgen::prelude::*;

use crate::format::header::TensorInfo;
use crate::tensor::extents::{self, NoExtent};
use crate::web::interop::{exact, plain_object, to_js};
use crate::web::reader::opened_file::OpenedFile;

plain_object! {
    /// Where the data of a tensor lies: from `start` to before `end`, in bytes from the start of the file.
    struct TensorExtent {
        pub start: f64,
        /// Equal to `start` for a tensor of 0 bytes, whose offset is ignored.
        pub end: f64,
        /// Whether the file has all of the data. `true` if the size of the file is not known.
        pub is_complete: bool,
    }
}

/// The extent of a tensor; `undefined` if it is not known, or if it ends at 2^53 or beyond.
pub(crate) fn extent_of(file: &OpenedFile, tensor: &TensorInfo<'_>) -> Result<JsValue, JsValue> {
    let extent = file.extents()?.of(tensor, file.file_size());
    let (start, end) = match &extent {
        Ok(range) => (Some(range.start), Some(range.end)),
        Err(NoExtent::Incomplete) => (tensor.file_offset(), extents::least_end(tensor)),
        Err(NoExtent::FileSizeUnknown) => (None, None),
    };
    Ok(match (start, end.and_then(exact)) {
        (Some(start), Some(end)) => to_js(&TensorExtent { start: start as f64, end, is_complete: extent.is_ok() }),
        _ => JsValue::UNDEFINED,
    })
}

/// The least size of the complete file in bytes; `None` from 2^53 on.
pub(crate) fn required_size(file: &OpenedFile) -> Option<f64> {
    extents::required_size(&file.header).and_then(exact)
}
