//! Work on a tensor's blocks, piece by piece: the next pieces are under way while one is looked at.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use core::ops::Range;

use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::web::interop::js::{Bytes, Members, Record};
use crate::web::interop::timer::Timer;
use crate::web::source::ranges::Ranges;

/// Pieces that are under way at once.
pub(crate) const AHEAD: usize = 6;

/// Bytes of work after which others get a turn, less one: a few tens of milliseconds.
const TURN: u64 = (32 << 20) - 1;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** How far a tensor's data has been read. */
export interface ReadProgress {
  /** Bytes that have been read and looked at. */
  bytesRead: number;
  /** Bytes that will have been. */
  totalBytes: number;
}
"#;

/// What is made of a tensor's blocks.
pub(crate) trait Sink {
    /// Takes the next piece: whole blocks, the first of which begins at the position `start` of the file.
    fn take(&mut self, start: u64, blocks: &Bytes) -> Result<(), JsValue>;

    /// What has been made of all pieces.
    fn done(self: Box<Self>) -> JsValue;
}

/// What is made, and what of the file it is made of.
pub(crate) struct Task {
    pub sink: Box<dyn Sink>,
    /// Pieces of whole blocks, in the order in which they are taken.
    pub pieces: Box<dyn Iterator<Item = Range<u64>>>,
    /// Bytes of all pieces.
    pub total: u64,
}

impl Task {
    /// Reads the pieces and no byte besides, unless it is a single one, which may be read with what else is wanted.
    pub async fn run(mut self, ranges: &Rc<Ranges>, on_progress: Option<Function>) -> Result<JsValue, JsValue> {
        let mut under_way = VecDeque::new();
        let mut bytes_read = 0;
        loop {
            while under_way.len() < AHEAD {
                let Some(piece) = self.pieces.next() else { break };
                let alone = piece.end - piece.start < self.total;
                under_way.push_back((piece.start, ranges.want(piece, alone)));
            }
            let Some((start, next)) = under_way.pop_front() else { return Ok(self.sink.done()) };
            let blocks = next.bytes().await?;
            self.sink.take(start, &blocks)?;
            bytes_read += blocks.byte_length() as u64;
            if let Some(on_progress) = &on_progress {
                report(on_progress, bytes_read, self.total)?;
            }
            // A source that answers at once would leave neither time for anything else nor a moment to abort it.
            if bytes_read & TURN < blocks.byte_length() as u64 {
                Timer::new(0.0).over().await;
            }
        }
    }
}

/// The option `onProgress`.
pub(crate) fn on_progress(options: Option<&Members>) -> Result<Option<Function>, JsValue> {
    options.map(|options| options.function("onProgress")).transpose().map(Option::flatten)
}

#[inline(never)]
fn report(on_progress: &Function, bytes_read: u64, total: u64) -> Result<(), JsValue> {
    let progress = Record::new().numbers(&["bytesRead", "totalBytes"], &[bytes_read as f64, total as f64]);
    on_progress.call1(&JsValue::UNDEFINED, &progress.done()).map(|_| ())
}

/// Cuts a range into pieces of `size` bytes; the last one may be shorter.
pub(crate) fn pieces(range: Range<u64>, size: u64) -> Box<dyn Iterator<Item = Range<u64>>> {
    let mut start = range.start;
    Box::new(core::iter::from_fn(move || {
        let piece = start..range.end.min(start + size);
        start = piece.end;
        (!piece.is_empty()).then_some(piece)
    }))
}
