//! Work on the data of one tensor: it is read in parts, and the next parts are in flight while one is processed.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use core::ops::Range;

use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::web::interop::bytes::Bytes;
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::interop::timer::yield_to_event_loop;
use crate::web::source::range_reader::{Merge, RangeReader};

/// Parts that are in flight at once.
pub(crate) const PARTS_IN_FLIGHT: usize = 6;

/// Bytes that are processed before the event loop gets a turn: a few tens of milliseconds of work.
const BYTES_PER_TURN: u64 = 32 << 20;

plain_object! {
    /// How much of the data has been read.
    #[open true]
    pub(crate) struct ReadProgress {
        /// Bytes that have been read and processed.
        pub bytes_read: f64,
        /// Bytes that will be read in all.
        pub total_bytes: f64,
    }
}

/// The processing of a tensor's blocks.
pub(crate) trait BlockProcessor {
    /// Processes the next part: whole blocks, the first of which begins at `position` of the file.
    fn process(&mut self, position: u64, blocks: &Bytes) -> Result<(), JsValue>;

    /// The result of all parts.
    fn finish(self: Box<Self>) -> JsValue;
}

/// Work on the data of one tensor.
pub(crate) struct TensorTask {
    pub processor: Box<dyn BlockProcessor>,
    /// The ranges of the file to read. Each holds whole blocks.
    pub parts: Box<dyn Iterator<Item = Range<u64>>>,
    /// Bytes of all parts.
    pub total_bytes: u64,
    /// The function that is told about the progress, if the caller gives one.
    pub on_progress: Option<Function>,
}

impl TensorTask {
    /// Reads and processes all parts, and returns the result.
    ///
    /// A task of several parts reads no bytes besides them. A task of one part may be read together with ranges that other
    /// callers request.
    pub async fn run(mut self, ranges: &Rc<RangeReader>) -> Result<JsValue, JsValue> {
        let mut in_flight = VecDeque::new();
        let mut bytes_read = 0;
        let mut next_turn = BYTES_PER_TURN;
        loop {
            while in_flight.len() < PARTS_IN_FLIGHT {
                let Some(part) = self.parts.next() else { break };
                let is_whole_task = part.end - part.start == self.total_bytes;
                let merge = if is_whole_task { Merge::Close } else { Merge::Never };
                in_flight.push_back((part.start, ranges.request(part, merge)));
            }
            let Some((position, requested)) = in_flight.pop_front() else { return Ok(self.processor.finish()) };
            let blocks = requested.bytes().await?;
            self.processor.process(position, &blocks)?;
            bytes_read += blocks.byte_length() as u64;
            if let Some(on_progress) = &self.on_progress {
                let progress = ReadProgress { bytes_read: bytes_read as f64, total_bytes: self.total_bytes as f64 };
                on_progress.call1(&JsValue::UNDEFINED, &to_js(&progress))?;
            }
            // A source may return bytes without any delay. Without this, timers would not fire, and an abort would not be
            // seen.
            if bytes_read >= next_turn {
                next_turn = bytes_read + BYTES_PER_TURN;
                yield_to_event_loop().await;
            }
        }
    }
}

/// Splits a range into parts of `size` bytes. The last part may be shorter.
pub(crate) fn split(range: Range<u64>, size: u64) -> Box<dyn Iterator<Item = Range<u64>>> {
    let mut start = range.start;
    Box::new(core::iter::from_fn(move || {
        let part = start..range.end.min(start + size);
        start = part.end;
        (!part.is_empty()).then_some(part)
    }))
}
