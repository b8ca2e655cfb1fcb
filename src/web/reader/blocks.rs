//! Which bytes of the file a tensor's elements are in.

use alloc::format;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::format::ggml_type::GgmlTypeInfo;
use crate::format::header::{Header, TensorInfo};
use crate::tensor::extents::NoExtent;
use crate::web::interop::error::{Code, failure, file_ends};
use crate::web::interop::js::{self, Members};
use crate::web::reader::opened::Opened;
use crate::web::source::POSITION_END;

/// Where the blocks of a tensor are whose elements can be told apart.
pub(crate) struct Blocks {
    pub info: &'static GgmlTypeInfo,
    /// How many elements there are.
    pub count: u64,
    /// Where the first block is in the file.
    first: u64,
}

impl Blocks {
    /// The blocks of a tensor; an error if it has none.
    pub fn of(header: &Header, tensor: &TensorInfo<'_>) -> Result<Self, JsValue> {
        Self::if_any(header, tensor)?.ok_or_else(|| none(tensor))
    }

    /// The blocks of a tensor, if its type is known and rows are whole blocks. An error if they go beyond any file.
    pub fn if_any(header: &Header, tensor: &TensorInfo<'_>) -> Result<Option<Self>, JsValue> {
        let info = tensor.ggml_type().info().filter(|info| !info.is_removed());
        let count = tensor.element_count().filter(|count| *count < POSITION_END);
        // The offset of a tensor without data is ignored.
        let first = if tensor.byte_length() == Some(0) { Some(0) } else { tensor.file_offset() };
        match (first.filter(|first| *first < POSITION_END), info, count) {
            (None, ..) | (_, Some(_), None) => Err(truncated(header, tensor)),
            (Some(first), Some(info), Some(count)) if tensor.byte_length().is_some() => {
                Ok(Some(Self { info, count, first }))
            }
            _ => Ok(None),
        }
    }

    /// The elements `start..end` of the options, by default all.
    pub fn elements(&self, tensor: &TensorInfo<'_>, options: Option<&Members>) -> Result<Range<u64>, JsValue> {
        let bound = |name| options.map(|options| options.some(name)).transpose().map(Option::flatten);
        let (start, end) = (index(bound("start")?, 0, self.count), index(bound("end")?, self.count, self.count));
        start.zip(end).filter(|(start, end)| start <= end).map(|(start, end)| start..end).ok_or_else(|| {
            let (name, count) = (tensor.name(), self.count);
            let message =
                format!("\"{name}\": start and end are to be whole numbers with 0 <= start <= end <= {count}");
            failure(ErrorCode::OutOfRange, &message)
        })
    }

    /// Where in the file the whole blocks are that hold some elements.
    pub fn bytes(
        &self,
        header: &Header,
        tensor: &TensorInfo<'_>,
        elements: &Range<u64>,
        file_size: Option<u64>,
    ) -> Result<Range<u64>, JsValue> {
        let (block_size, type_size) = (u64::from(self.info.block_size), u64::from(self.info.type_size));
        let last = if elements.is_empty() { elements.start / block_size } else { elements.end.div_ceil(block_size) };
        let at = |block: u64| self.first.checked_add(block.checked_mul(type_size)?);
        let range = at(elements.start / block_size).zip(at(last)).map(|(start, end)| start..end);
        range.filter(|range| within(range, file_size)).ok_or_else(|| truncated(header, tensor))
    }

    /// As many bytes as whole blocks have, close to `bytes`.
    pub fn whole(&self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.info.type_size.into())
    }

    /// The element of the tensor that is the first in the block at a position of the file.
    pub fn element_at(&self, position: u64) -> u64 {
        (position - self.first) / u64::from(self.info.type_size) * u64::from(self.info.block_size)
    }
}

/// Says that a tensor has no blocks, and why.
pub(crate) fn none(tensor: &TensorInfo<'_>) -> JsValue {
    let why = match tensor.ggml_type().info() {
        Some(info) if !info.is_removed() => "rows are no whole blocks of it",
        Some(_) => "ggml has removed it",
        None => "its blocks are not known",
    };
    let (name, ggml_type) = (tensor.name(), tensor.ggml_type());
    failure(Code::UnknownType, &format!("\"{name}\": elements of type {ggml_type} cannot be told apart: {why}"))
}

/// Whether the options ask for part of a tensor.
pub(crate) fn is_part(options: Option<&Members>) -> Result<bool, JsValue> {
    let Some(options) = options else { return Ok(false) };
    Ok(options.some("start")?.is_some() || options.some("end")?.is_some())
}

/// The bytes of a tensor whose elements cannot be told apart.
pub(crate) fn extent(opened: &Opened, tensor: &TensorInfo<'_>) -> Result<Range<u64>, JsValue> {
    let (header, file_size) = (&opened.file, opened.file_size.get());
    match opened.extents()?.of(tensor, file_size) {
        Ok(range) if within(&range, file_size) => Ok(range),
        Ok(_) | Err(NoExtent::Incomplete) => Err(truncated(header, tensor)),
        Err(NoExtent::FileSizeUnknown) => {
            let message = format!("\"{}\": it ends with the file, whose size is not known", tensor.name());
            Err(failure(ErrorCode::SizeUnknown, &message))
        }
    }
}

fn within(range: &Range<u64>, file_size: Option<u64>) -> bool {
    range.end < POSITION_END && file_size.is_none_or(|size| range.end <= size)
}

fn truncated(header: &Header, tensor: &TensorInfo<'_>) -> JsValue {
    let message = format!("the file is truncated: the data of \"{}\" goes beyond its end", tensor.name());
    let first = tensor.file_offset().filter(|first| *first < POSITION_END);
    file_ends(&message, first.unwrap_or_else(|| header.data_offset()))
}

/// An element's number that a caller gives, if it is one.
fn index(value: Option<JsValue>, default: u64, count: u64) -> Option<u64> {
    let Some(value) = value else { return Some(default) };
    let value = value.as_f64().filter(|value| js::is_whole(*value))?;
    (0.0..=count as f64).contains(&value).then_some(value as u64)
}
