//! Where the data of tensors lies, as JavaScript sees it.

use wasm_bindgen::prelude::*;

use crate::format::header::TensorInfo;
use crate::tensor::extents::{self, NoExtent};
use crate::web::interop::js::Record;
use crate::web::reader::opened::Opened;
use crate::web::source::POSITION_END;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** Where the data of a tensor lies: from `start` to before `end`, in bytes from the start of the file. */
export interface TensorExtent {
  readonly start: number;
  /** The same as `start` for a tensor of 0 bytes, whose offset is ignored. */
  readonly end: number;
  /** Whether the file has all of the data. `true` if the size of the file is not known. */
  readonly isComplete: boolean;
}
"#;

/// The extent of a tensor; `undefined` if it is not known, or if it ends at 2^53 or beyond.
pub(crate) fn of(opened: &Opened, tensor: &TensorInfo<'_>) -> Result<JsValue, JsValue> {
    let found = opened.extents()?.of(tensor, opened.file_size.get());
    let (start, end) = match &found {
        Ok(range) => (Some(range.start), Some(range.end)),
        Err(NoExtent::Incomplete) => (tensor.file_offset(), extents::least_end(tensor)),
        Err(NoExtent::FileSizeUnknown) => (None, None),
    };
    let (Some(start), Some(end)) = (start, end.filter(|end| *end < POSITION_END)) else {
        return Ok(JsValue::UNDEFINED);
    };
    let record = Record::new().numbers(&["start", "end"], &[start as f64, end as f64]);
    Ok(record.value("isComplete", &found.is_ok().into()).done())
}

/// The size that the file needs; `undefined` from 2^53 on.
pub(crate) fn required_size(opened: &Opened) -> Option<f64> {
    extents::required_size(&opened.file).filter(|size| *size < POSITION_END).map(|size| size as f64)
}
