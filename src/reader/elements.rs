//! The elements of a tensor that the options `start` and `end` select.

use alloc::string::String;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{describe, is_integer};
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::tensor::blocks::{Blocks, unknown_blocks};

/// The elements that the options `start` and `end` select, by default all; `None` if the blocks of the tensor are not known, and
/// the options select none.
pub(crate) fn if_known(
    header: &Header,
    tensor: &TensorInfo<'_>,
    [start, end]: [Option<JsValue>; 2],
) -> Result<Option<Range<u64>>, Thrown> {
    let Some(blocks) = Blocks::if_known(header, tensor)? else {
        return if start.is_some() || end.is_some() { Err(unknown_blocks(tensor).into()) } else { Ok(None) };
    };
    let count = blocks.element_count;
    let bounds = index(start.as_ref(), 0, count).zip(index(end.as_ref(), count, count));
    match bounds.filter(|(start, end)| start <= end) {
        Some((start, end)) => Ok(Some(start..end)),
        None => {
            let [start, end]: [String; 2] = [start, end].map(|bound| describe(&bound.unwrap_or_default()));
            Err(blocks.out_of_range(tensor, &start, &end).into())
        }
    }
}

/// The elements that the options select, by default all. Fails with `unknown-type` if the blocks are not known.
pub(crate) fn of(header: &Header, tensor: &TensorInfo<'_>, bounds: [Option<JsValue>; 2]) -> Result<Range<u64>, Thrown> {
    if_known(header, tensor, bounds)?.ok_or_else(|| unknown_blocks(tensor).into())
}

/// The element that a caller gives: an integer from 0 to `count`.
fn index(given: Option<&JsValue>, default: u64, count: u64) -> Option<u64> {
    let Some(given) = given else { return Some(default) };
    let index = given.as_f64().filter(|index| is_integer(*index))?;
    (0.0..=count as f64).contains(&index).then_some(index as u64)
}
