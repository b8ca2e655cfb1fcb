//! A planned file, whose bytes are read from the original file.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::format::ggml_type::GgmlType;
use crate::web::interop::bytes::Bytes;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::source::range_reader::{Merge, RequestedRange};
use crate::write::plan::{Part, WritePlan};

/// The largest gap between two ranges of the original file that are read together, in bytes.
const MAX_GAP: u64 = 64 << 10;

/// The memory in which blocks are converted to the other byte order, in bytes.
const SWAP_BUFFER_BYTES: usize = 1 << 16;

pub(super) struct PlannedFile {
    pub original: Rc<OpenedFile>,
    pub plan: WritePlan,
}

impl PlannedFile {
    /// The bytes of a range of the header, or of one of the patches.
    pub fn header_bytes(&self, range: Range<u64>) -> Result<Bytes, JsValue> {
        let length = range.end - range.start;
        Bytes::joined(length, self.plan.header_pieces(self.original.header.bytes(), range))
    }

    /// Starts to read a range. The original header is in memory and is not read. Close ranges are read together.
    pub fn start_read(self: &Rc<Self>, range: Range<u64>) -> PlannedRead {
        let mut needed: Vec<Range<u64>> = Vec::new();
        for part in self.plan.parts(range.clone()) {
            let Some(next) = self.original_range(&part) else { continue };
            match needed.last_mut() {
                Some(last) if last.start <= next.start && next.start <= last.end.saturating_add(MAX_GAP) => {
                    last.end = last.end.max(next.end);
                }
                _ => needed.push(next),
            }
        }
        let request = |range: &Range<u64>| (range.start, self.original.ranges.request(range.clone(), Merge::Never));
        PlannedRead { file: self.clone(), range, requests: needed.iter().map(request).collect() }
    }

    /// The range of the original file that must be read for a part. `None` for new bytes and for the original header.
    fn original_range(&self, part: &Part<'_>) -> Option<Range<u64>> {
        match part {
            Part::Bytes(_) => None,
            Part::Copy { range, .. } => (range.end > self.original.header.header_size()).then(|| range.clone()),
            Part::Swap { range, first_block, ggml_type, .. } => Some(whole_blocks(range, *first_block, *ggml_type)),
        }
    }
}

/// A read in flight of a range of a planned file.
pub(super) struct PlannedRead {
    file: Rc<PlannedFile>,
    range: Range<u64>,
    /// The start of each requested range of the original file, and the request.
    requests: Vec<(u64, RequestedRange)>,
}

/// Bytes of the original file.
struct OriginalBytes {
    start: u64,
    bytes: Bytes,
}

impl PlannedRead {
    /// Waits for the bytes of the range.
    pub async fn bytes(self) -> Result<Bytes, JsValue> {
        let Self { file, range, requests } = self;
        let mut read = Vec::new();
        for (start, request) in requests {
            read.push(OriginalBytes { start, bytes: request.bytes().await? });
        }
        let mut parts = file.plan.parts(range.clone());
        if let (Some(Part::Copy { .. }), None, [only]) = (parts.next(), parts.next(), &read[..]) {
            return Ok(only.bytes.clone());
        }
        let bytes = Bytes::zeroed(range.end - range.start)?;
        let mut position = 0.0;
        for part in file.plan.parts(range) {
            let end = position + length_of(&part) as f64;
            file.write_part(part, &read, &bytes.subarray(position, end)?)?;
            position = end;
        }
        Ok(bytes)
    }
}

impl PlannedFile {
    /// Writes the bytes of a part into `target`, which has the same length. `read` has the bytes of the original file.
    fn write_part(&self, part: Part<'_>, read: &[OriginalBytes], target: &Bytes) -> Result<(), JsValue> {
        let needed = self.original_range(&part);
        let original = needed.as_ref().and_then(|range| read.iter().find_map(|read| read.subrange(range)));
        match (part, original) {
            (Part::Bytes(new), _) => target.set_from(new, 0.0),
            (Part::Copy { range, .. }, None) => target.set_pieces(self.original.header.bytes().pieces(range)),
            (Part::Copy { .. }, Some(original)) => target.set(&original?, 0.0),
            (Part::Swap { range, ggml_type, .. }, Some(original)) => {
                let original = original?;
                // The bytes may belong to the source, so a copy of them is converted.
                let blocks = original.slice(0.0, original.byte_length())?;
                swap_byte_order(&blocks, ggml_type)?;
                let skipped = needed.map_or(0, |needed| range.start - needed.start) as f64;
                target.set(&blocks.subarray(skipped, skipped + target.byte_length())?, 0.0)
            }
            (Part::Swap { .. }, None) => Ok(()),
        }
    }
}

impl OriginalBytes {
    /// The bytes of a range of the original file, if these bytes include it.
    fn subrange(&self, range: &Range<u64>) -> Option<Result<Bytes, JsValue>> {
        let end = self.start + self.bytes.byte_length() as u64;
        let is_included = self.start <= range.start && range.end <= end;
        is_included.then(|| self.bytes.subarray((range.start - self.start) as f64, (range.end - self.start) as f64))
    }
}

fn length_of(part: &Part<'_>) -> u64 {
    match part {
        Part::Bytes(bytes) => bytes.len() as u64,
        Part::Copy { range, .. } | Part::Swap { range, .. } => range.end - range.start,
    }
}

/// The range of the whole blocks that a range touches.
fn whole_blocks(range: &Range<u64>, first_block: u64, ggml_type: GgmlType) -> Range<u64> {
    let size = ggml_type.info().map_or(1, |info| u64::from(info.type_size).max(1));
    let start = range.start - (range.start - first_block) % size;
    start..first_block + (range.end - first_block).next_multiple_of(size)
}

/// Converts whole blocks to the other byte order, in place.
fn swap_byte_order(blocks: &Bytes, ggml_type: GgmlType) -> Result<(), JsValue> {
    let Some(info) = ggml_type.info() else { return Ok(()) };
    let block_size = info.type_size.max(1) as usize;
    let mut buffer = vec![0; SWAP_BUFFER_BYTES / block_size * block_size];
    let mut start = 0.0;
    while start < blocks.byte_length() {
        let end = blocks.byte_length().min(start + buffer.len() as f64);
        let part = &mut buffer[..(end - start) as usize];
        blocks.subarray(start, end)?.copy_to(part)?;
        info.swap_byte_order(part);
        blocks.set_from(part, start)?;
        start = end;
    }
    Ok(())
}
