//! A planned file's bytes, brought from where they are.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
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
    wanted: Vec<Wanted>,
}

impl Planned {
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
        let length = self.range.end - self.range.start;
        let mut read = Vec::new();
        for wanted in self.wanted.drain(..) {
            read.push(wanted.bytes().await?);
        }
        let is_copy = |part: Part<'_>| matches!(part, Part::Copy { .. });
        match read.pop() {
            // The one part there is needs no copy.
            Some(only)
                if only.byte_length() == length as f64 && self.planned.plan.parts(self.range.clone()).all(is_copy) =>
            {
                return Ok(only);
            }
            last => read.extend(last),
        }
        let bytes = new_bytes(length)?;
        self.put_together(&mut read.into_iter(), &bytes)?;
        Ok(bytes)
    }

    /// Copies all parts to where they are to be; `read` are those of the old file.
    fn put_together(&self, read: &mut dyn Iterator<Item = Bytes>, bytes: &Bytes) -> Result<(), JsValue> {
        let Planned { opened, plan } = &*self.planned;
        let mut at = 0.0;
        for part in plan.parts(self.range.clone()) {
            let to = |length: f64| bytes.subarray(at, at + length);
            at += match part {
                Part::Bytes(new) => {
                    to(new.len() as f64).copy_from(new);
                    new.len() as f64
                }
                Part::Copy { range, .. } if range.end <= opened.file.header_size() => {
                    let length = (range.end - range.start) as f64;
                    array::copy_to(to(length).unchecked_ref(), &opened.file, range);
                    length
                }
                Part::Copy { range, .. } => {
                    if let Some(read) = read.next() {
                        bytes.set(&read, at);
                    }
                    (range.end - range.start) as f64
                }
                Part::Swap { range, first_block, ggml_type, .. } => {
                    let start = (range.start - whole_blocks(&range, first_block, ggml_type).start) as f64;
                    let length = (range.end - range.start) as f64;
                    if let Some(read) = read.next() {
                        // What a source returns may be part of what it has.
                        let read = read.slice(0.0, read.byte_length())?;
                        swap(&read, ggml_type);
                        bytes.set(read.subarray(start, start + length).unchecked_ref(), at);
                    }
                    length
                }
            };
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
