//! A tensor's data as they are stored.

use alloc::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::blocks::{self, Blocks};
use super::js::Members;
use super::ranges::Ranges;
use crate::header::{Header, TensorInfo};

/// Reads the blocks in which the elements lie that the options say; of a tensor without blocks all there is.
pub(super) async fn read(
    header: &Header,
    tensor: &TensorInfo<'_>,
    ranges: &Rc<Ranges>,
    mut file_size: Option<u64>,
    options: Option<&Members>,
) -> Result<JsValue, JsValue> {
    let range = match Blocks::if_any(header, tensor)? {
        Some(blocks) => blocks.bytes(header, tensor, &blocks.elements(tensor, options)?, file_size)?,
        None if blocks::is_part(options)? => return Err(blocks::none(tensor)),
        None => {
            if file_size.is_none() {
                ranges.learn_file_size(header.data_offset()).await?;
                file_size = ranges.file_size();
            }
            blocks::extent(header, tensor, file_size)?
        }
    };
    if range.is_empty() {
        return Ok(Uint8Array::new_with_length(0).into());
    }
    Ok(ranges.read(range).await?.into())
}
