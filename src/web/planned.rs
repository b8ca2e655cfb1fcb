//! A planned file's bytes, brought from where they are.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::vec;
use core::cell::{Cell, RefCell};
use core::ops::Range;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::array;
use super::js::Bytes;
use super::opened::Opened;
use super::ranges::Wanted;
use super::source::new_bytes;
use super::write_stream::{Chunks, NextChunk};
use crate::ggml_type::GgmlType;
use crate::plan::{Part, WritePlan};

/// A file that is to be.
pub(super) struct Planned {
    pub opened: Rc<Opened>,
    pub plan: WritePlan,
}

/// Bytes of a planned file that are being read.
pub(super) struct Reading {
    planned: Rc<Planned>,
    range: Range<u64>,
    /// What is read of the old file, in order.
    wanted: VecDeque<Wanted>,
}

impl Planned {
    pub fn size(&self) -> u64 {
        self.plan.size()
    }

    /// Copies part of the new header, or one of the patches, into JavaScript's memory.
    pub fn header_bytes(&self, range: Range<u64>) -> Result<Bytes, JsValue> {
        let bytes = new_bytes(range.end - range.start)?;
        let mut at = 0.0;
        for piece in self.plan.header_pieces(self.opened.file.bytes(), range) {
            let end = at + piece.len() as f64;
            bytes.subarray(at, end).copy_from(piece);
            at = end;
        }
        Ok(bytes)
    }

    /// Begins to read a range. Of the old header nothing is read, because it is at hand.
    pub fn begin(self: &Rc<Self>, range: Range<u64>) -> Reading {
        let header_size = self.opened.file.header_size();
        let reads = self.plan.parts(range.clone()).filter_map(|part| match part {
            Part::Bytes(_) => None,
            Part::Copy { range, .. } => (range.end > header_size).then_some(range),
            Part::Swap { range, first_block, ggml_type, .. } => Some(whole_blocks(&range, first_block, ggml_type)),
        });
        let wanted = reads.map(|range| self.opened.ranges.want(range, true)).collect();
        Reading { planned: self.clone(), range, wanted }
    }
}

impl Reading {
    /// Waits for the bytes.
    pub async fn bytes(mut self) -> Result<Bytes, JsValue> {
        let Planned { opened, plan } = &*self.planned;
        let length = self.range.end - self.range.start;
        let mut bytes = None;
        let mut at = 0.0;
        for part in plan.parts(self.range.clone()) {
            let read = match &part {
                Part::Bytes(_) => None,
                Part::Copy { range, .. } if range.end <= opened.file.header_size() => None,
                Part::Copy { .. } | Part::Swap { .. } => self.wanted.pop_front(),
            };
            let read = match read {
                Some(read) => Some(read.bytes().await?),
                None => None,
            };
            match (&part, &read) {
                // The one part there is needs no copy.
                (Part::Copy { range, .. }, Some(read)) if range.end - range.start == length => return Ok(read.clone()),
                _ => {}
            }
            if bytes.is_none() {
                bytes = Some(new_bytes(length)?);
            }
            let Some(bytes) = &bytes else { continue };
            at += match (part, read) {
                (Part::Bytes(new), _) => {
                    bytes.subarray(at, at + new.len() as f64).copy_from(new);
                    new.len() as f64
                }
                (Part::Copy { .. }, Some(read)) => {
                    bytes.set(&read, at);
                    read.byte_length()
                }
                (Part::Copy { range, .. }, None) => {
                    let length = (range.end - range.start) as f64;
                    let to: Bytes = bytes.subarray(at, at + length).unchecked_into();
                    array::copy_to(&to, &opened.file, range);
                    length
                }
                (Part::Swap { range, first_block, ggml_type, .. }, read) => {
                    let blocks = whole_blocks(&range, first_block, ggml_type);
                    let start = (range.start - blocks.start) as f64;
                    let length = (range.end - range.start) as f64;
                    if let Some(read) = read {
                        swap(&read, ggml_type);
                        bytes.set(&read.subarray(start, start + length).unchecked_into(), at);
                    }
                    length
                }
            };
        }
        match bytes {
            Some(bytes) => Ok(bytes),
            None => new_bytes(0),
        }
    }
}

/// The range of whole blocks that some of their bytes are in.
fn whole_blocks(range: &Range<u64>, first_block: u64, ggml_type: GgmlType) -> Range<u64> {
    let size = ggml_type.info().map_or(1, |info| u64::from(info.type_size).max(1));
    let start = range.start - (range.start - first_block) % size;
    start..first_block + (range.end - first_block).next_multiple_of(size)
}

/// Turns whole blocks into the other byte order.
fn swap(blocks: &Bytes, ggml_type: GgmlType) {
    let Some(info) = ggml_type.info() else { return };
    let blocks: &Uint8Array = blocks.unchecked_ref();
    let mut buffer = vec![0; (1 << 16) / info.type_size.max(1) as usize * info.type_size as usize];
    let mut start = 0;
    while start < blocks.length() {
        let end = blocks.length().min(start + buffer.len() as u32);
        let part = &mut buffer[..(end - start) as usize];
        blocks.subarray(start, end).copy_to(part);
        info.swap_byte_order(part);
        blocks.subarray(start, end).copy_from(part);
        start = end;
    }
}

/// Bytes of a planned file that are handed on at once.
const PIECE: u64 = 4 << 20;

/// Pieces that are under way at once.
const AHEAD: usize = 6;

/// A planned file, piece by piece: the next pieces are under way while one is written.
pub(super) struct Pieces {
    planned: Rc<Planned>,
    next: Cell<u64>,
    under_way: RefCell<VecDeque<Reading>>,
}

impl Pieces {
    /// The pieces from a position on.
    pub fn new(planned: Rc<Planned>, start: u64) -> Self {
        Self { planned, next: Cell::new(start), under_way: RefCell::default() }
    }

    /// The next piece: `None` at the end.
    pub async fn next(&self) -> Result<Option<Bytes>, JsValue> {
        let size = self.planned.size();
        while self.under_way.borrow().len() < AHEAD && self.next.get() < size {
            let start = self.next.get();
            // Pieces end at multiples of their size, wherever the first one begins.
            let end = size.min((start + 1).next_multiple_of(PIECE));
            self.next.set(end);
            self.under_way.borrow_mut().push_back(self.planned.begin(start..end));
        }
        let reading = self.under_way.borrow_mut().pop_front();
        match reading {
            Some(reading) => Ok(Some(reading.bytes().await?)),
            None => Ok(None),
        }
    }
}

impl Chunks for Pieces {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        Box::pin(async move { self.next().await })
    }

    fn stop(&self) {
        self.next.set(self.planned.size());
        self.under_way.take();
    }
}
