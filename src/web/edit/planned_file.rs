//! A planned file's bytes, brought from where they are.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::format::ggml_type::GgmlType;
use crate::web::edit::write_stream::{Chunks, NextChunk, PIECE};
use crate::web::interop::js::Bytes;
use crate::web::reader::array;
use crate::web::reader::opened::Opened;
use crate::web::source::new_bytes;
use crate::web::source::ranges::Wanted;
use crate::web::source::stream::AHEAD;
use crate::write::plan::{Part, WritePlan};

/// A file that is to be.
pub(crate) struct Planned {
    pub opened: Rc<Opened>,
    pub plan: WritePlan,
}

/// Bytes of a planned file that are being read.
pub(crate) struct Reading {
    planned: Rc<Planned>,
    range: Range<u64>,
    /// What is read of the old file, and from where on.
    wanted: Vec<(u64, Wanted)>,
}

impl Planned {
    /// Copies part of the new header, or one of the patches, into JavaScript's memory.
    pub fn header_bytes(&self, range: Range<u64>) -> Result<Bytes, JsValue> {
        let bytes = new_bytes(range.end - range.start)?;
        let mut at = 0.0;
        for piece in self.plan.header_pieces(self.opened.file.bytes(), range) {
            bytes.set_from(piece, at)?;
            at += piece.len() as f64;
        }
        Ok(bytes)
    }

    /// Begins to read a range. Of the old header nothing is read by itself, because it is at hand; what lies close together
    /// is read at once.
    pub fn begin(self: &Rc<Self>, range: Range<u64>) -> Reading {
        let mut reads: Vec<Range<u64>> = Vec::new();
        for part in self.plan.parts(range.clone()) {
            let Some(needed) = self.needed(&part) else { continue };
            match reads.last_mut() {
                Some(last) if last.start <= needed.start && needed.start <= last.end.saturating_add(GAP) => {
                    last.end = last.end.max(needed.end);
                }
                _ => reads.push(needed),
            }
        }
        let want = |range: &Range<u64>| (range.start, self.opened.ranges.want(range.clone(), true));
        Reading { planned: self.clone(), range, wanted: reads.iter().map(want).collect() }
    }

    /// What of the old file has to be read for a part.
    fn needed(&self, part: &Part<'_>) -> Option<Range<u64>> {
        match part {
            Part::Bytes(_) => None,
            Part::Copy { range, .. } => (range.end > self.opened.file.header_size()).then(|| range.clone()),
            Part::Swap { range, first_block, ggml_type, .. } => Some(whole_blocks(range, *first_block, *ggml_type)),
        }
    }
}

impl Reading {
    /// Waits for the bytes.
    pub async fn bytes(mut self) -> Result<Bytes, JsValue> {
        let length = self.range.end - self.range.start;
        let mut read = Vec::new();
        for (start, wanted) in self.wanted.drain(..) {
            read.push((start, wanted.bytes().await?));
        }
        let mut parts = self.planned.plan.parts(self.range.clone());
        if let (Some(Part::Copy { .. }), None, [(_, only)]) = (parts.next(), parts.next(), &read[..]) {
            // The one part there is needs no copy.
            return Ok(only.clone());
        }
        let bytes = new_bytes(length)?;
        self.put_together(&read, &bytes)?;
        Ok(bytes)
    }

    /// Copies all parts to where they are to be; `read` is what has been read of the old file, with where it begins.
    fn put_together(&self, read: &[(u64, Bytes)], bytes: &Bytes) -> Result<(), JsValue> {
        let opened = &self.planned.opened;
        let mut at = 0.0;
        for part in self.planned.plan.parts(self.range.clone()) {
            let brought = self.planned.needed(&part).map(|needed| {
                let holds = |(start, bytes): &&(u64, Bytes)| {
                    *start <= needed.start && needed.end <= start + bytes.byte_length() as u64
                };
                let found = read.iter().find(holds);
                let within = |(start, bytes): &(u64, Bytes)| {
                    let first = (needed.start - start) as f64;
                    (first, first + (needed.end - needed.start) as f64, bytes.clone())
                };
                (needed.start, found.map(within))
            });
            let length = match (part, brought) {
                (Part::Bytes(new), _) => {
                    bytes.set_from(new, at)?;
                    new.len() as f64
                }
                (Part::Copy { range, .. }, None) => {
                    let length = (range.end - range.start) as f64;
                    array::copy_to(&bytes.subarray(at, at + length)?, &opened.file, range)?;
                    length
                }
                (Part::Copy { range, .. }, Some((_, brought))) => {
                    if let Some((start, end, read)) = brought {
                        bytes.set(&read.subarray(start, end)?, at)?;
                    }
                    (range.end - range.start) as f64
                }
                (Part::Swap { range, ggml_type, .. }, brought) => {
                    let length = (range.end - range.start) as f64;
                    if let Some((first, Some((start, end, read)))) = brought {
                        // A copy: the source's own bytes may be what was read.
                        let blocks = read.slice(start, end)?;
                        swap(&blocks, ggml_type)?;
                        let skipped = (range.start - first) as f64;
                        bytes.set(&blocks.subarray(skipped, skipped + length)?, at)?;
                    }
                    length
                }
            };
            at += length;
        }
        Ok(())
    }
}

/// The range of whole blocks that some of their bytes are in.
fn whole_blocks(range: &Range<u64>, first_block: u64, ggml_type: GgmlType) -> Range<u64> {
    let size = ggml_type.info().map_or(1, |info| u64::from(info.type_size).max(1));
    let start = range.start - (range.start - first_block) % size;
    start..first_block + (range.end - first_block).next_multiple_of(size)
}

/// Turns whole blocks into the other byte order.
fn swap(blocks: &Bytes, ggml_type: GgmlType) -> Result<(), JsValue> {
    let Some(info) = ggml_type.info() else { return Ok(()) };
    let mut buffer = vec![0; (1 << 16) / info.type_size.max(1) as usize * info.type_size as usize];
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

/// Bytes between two parts of the old file that are read with them rather than make two reads of one.
const GAP: u64 = 64 << 10;

/// A planned file, piece by piece: the next pieces are under way while one is written.
pub(crate) struct Pieces {
    planned: Rc<Planned>,
    next: Cell<u64>,
    under_way: RefCell<VecDeque<Reading>>,
}

impl Pieces {
    /// The pieces from a position on.
    pub fn new(planned: Rc<Planned>, start: u64) -> Rc<Self> {
        Rc::new(Self { planned, next: Cell::new(start), under_way: RefCell::default() })
    }
}

impl Chunks for Pieces {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        let size = self.planned.plan.size();
        let mut under_way = self.under_way.borrow_mut();
        while under_way.len() < AHEAD && self.next.get() < size {
            let start = self.next.get();
            // Pieces end at multiples of their size, wherever the first one begins.
            let end = size.min((start + 1).next_multiple_of(PIECE));
            self.next.set(end);
            under_way.push_back(self.planned.begin(start..end));
        }
        let reading = under_way.pop_front();
        Box::pin(async move {
            match reading {
                Some(reading) => Ok(Some(reading.bytes().await?.into())),
                None => Ok(None),
            }
        })
    }

    fn stop(&self) {
        self.next.set(self.planned.plan.size());
        self.under_way.take();
    }
}
