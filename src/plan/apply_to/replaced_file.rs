//! The original file after its planned file has replaced it: an editor goes on with the new file.

use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, JsArray, blobs};
use crate::source::gguf_source::{PlannedFile, Source};
use gguf_format::write::replaced::kept_ranges;

/// The most bytes between the data of tensors that the new file does not have. They are padding.
const LONGEST_PADDING: u64 = 1 << 16;

/// Makes the source of the original file read the new file: browsers refuse to read the `File` from before the write.
pub(super) fn go_on_with(file: Blob, planned: &PlannedFile) -> Result<(), Thrown> {
    let Source::Blob(source) = planned.original().reader().source() else { return Ok(()) };
    let content = original_of(planned, &file, source.size()).transpose()?;
    source.replace(file, content);
    Ok(())
}

/// A `Blob` with the bytes of the original file. `None` if the new file lacks some.
fn original_of(planned: &PlannedFile, file: &Blob, size: u64) -> Option<Result<Blob, Thrown>> {
    let header = planned.original().header();
    let kept = match planned.originals().len() {
        1 => kept_ranges(planned.plan(), header, size)?,
        _ => return None,
    };
    let mut paddings = kept.iter().scan(header.header_size(), |end, kept| {
        let padding = kept.range.start.saturating_sub(*end);
        *end = kept.range.end;
        Some(padding)
    });
    if paddings.any(|padding| padding > LONGEST_PADDING) {
        return None;
    }
    let parts = || -> Result<Blob, Thrown> {
        let parts = JsArray::new();
        let mut end = header.header_size();
        parts.push(&Bytes::joined(end, header.bytes().pieces(0..end))?.into());
        for kept in &kept {
            // A range that overlaps the one before has been added in part.
            let start = kept.range.start.max(end);
            parts.push(&Bytes::zeroed(start - end)?.into());
            let at = kept.at + (start - kept.range.start);
            end = kept.range.end.max(start);
            parts.push(&file.slice_with_f64_and_f64(at as f64, (at + (end - start)) as f64)?.into());
        }
        blobs::joined(&parts, &JsValue::UNDEFINED)
    };
    Some(parts())
}
