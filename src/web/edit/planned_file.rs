//! A planned file, whose bytes are read from one or several original files.

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

/// The largest gap between two ranges of one original file that are read together, in bytes.
const MAX_GAP: u64 = 64 << 10;

/// The memory in which blocks are converted to the other byte order, in bytes.
const SWAP_BUFFER_BYTES: usize = 1 << 16;

pub(crate) struct PlannedFile {
    /// The sources of the plan. There is at least one. The header of the planned file copies bytes of the first one only.
    pub originals: Vec<Rc<OpenedFile>>,
    pub plan: WritePlan,
}

/// A range of an original file.
#[derive(Clone)]
struct OriginalRange {
    source: usize,
    range: Range<u64>,
}

impl PlannedFile {
    /// The bytes of a range of the header, or of one of the patches.
    pub fn header_bytes(&self, range: Range<u64>) -> Result<Bytes, JsValue> {
        let length = range.end - range.start;
        Bytes::joined(length, self.plan.header_pieces(self.original().header.bytes(), range))
    }

    /// The first original file: the edited file, the file that is split, or the first shard that is merged.
    pub fn original(&self) -> &Rc<OpenedFile> {
        &self.originals[0]
    }

    /// Starts to read a range. The original headers are in memory and are not read. Close ranges are read together.
    pub fn start_read(self: &Rc<Self>, range: Range<u64>) -> PlannedRead {
        let mut needed: Vec<OriginalRange> = Vec::new();
        for part in self.plan.parts(range.clone()) {
            let Some(OriginalRange { source, range: next }) = self.original_range(&part) else { continue };
            match needed.last_mut().filter(|last| last.source == source).map(|last| &mut last.range) {
                Some(last) if last.start <= next.start && next.start <= last.end.saturating_add(MAX_GAP) => {
                    last.end = last.end.max(next.end);
                }
                _ => needed.push(OriginalRange { source, range: next }),
            }
        }
        let request = |needed: OriginalRange| {
            let request = self.originals[needed.source].ranges.request(needed.range.clone(), Merge::Never);
            (needed, request)
        };
        PlannedRead { file: self.clone(), range, requests: needed.into_iter().map(request).collect() }
    }

    /// The range of an original file that must be read for a part. `None` for new bytes and for the original header.
    fn original_range(&self, part: &Part<'_>) -> Option<OriginalRange> {
        let (source, range) = match part {
            Part::Bytes(_) => return None,
            Part::Copy { source, range } if range.end > self.originals[*source].header.header_size() => {
                (*source, range.clone())
            }
            Part::Copy { .. } => return None,
            Part::Swap { source, range, first_block, ggml_type } => {
                (*source, whole_blocks(range, *first_block, *ggml_type))
            }
        };
        Some(OriginalRange { source, range })
    }
}

/// A read in flight of a range of a planned file.
pub(crate) struct PlannedRead {
    file: Rc<PlannedFile>,
    range: Range<u64>,
    requests: Vec<(OriginalRange, RequestedRange)>,
}

/// Bytes of an original file.
struct OriginalBytes {
    range: OriginalRange,
    bytes: Bytes,
}

impl PlannedRead {
    /// Waits for the bytes of the range.
    pub async fn bytes(self) -> Result<Bytes, JsValue> {
        let Self { file, range, requests } = self;
        let mut read = Vec::new();
        for (range, request) in requests {
            read.push(OriginalBytes { range, bytes: request.bytes().await? });
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
    /// Writes the bytes of a part into `target`, which has the same length. `read` has the bytes of the original files.
    fn write_part(&self, part: Part<'_>, read: &[OriginalBytes], target: &Bytes) -> Result<(), JsValue> {
        let needed = self.original_range(&part);
        let original = needed.as_ref().and_then(|range| read.iter().find_map(|read| read.subrange(range)));
        match (part, original) {
            (Part::Bytes(new), _) => target.set_from(new, 0.0),
            (Part::Copy { range, .. }, None) => target.set_pieces(self.original().header.bytes().pieces(range)),
            (Part::Copy { .. }, Some(original)) => target.set(&original?, 0.0),
            (Part::Swap { range, ggml_type, .. }, Some(original)) => {
                let original = original?;
                // The bytes may belong to the source, so a copy of them is converted.
                let blocks = original.slice(0.0, original.byte_length())?;
                swap_byte_order(&blocks, ggml_type)?;
                let skipped = needed.map_or(0, |needed| range.start - needed.range.start) as f64;
                target.set(&blocks.subarray(skipped, skipped + target.byte_length())?, 0.0)
            }
            (Part::Swap { .. }, None) => Ok(()),
        }
    }
}

impl OriginalBytes {
    /// The bytes of a range of an original file, if these bytes include it.
    fn subrange(&self, needed: &OriginalRange) -> Option<Result<Bytes, JsValue>> {
        let (own, range) = (&self.range.range, &needed.range);
        let is_included = self.range.source == needed.source && own.start <= range.start && range.end <= own.end;
        is_included.then(|| self.bytes.subarray((range.start - own.start) as f64, (range.end - own.start) as f64))
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
pub(crate) fn swap_byte_order(blocks: &Bytes, ggml_type: GgmlType) -> Result<(), JsValue> {
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
