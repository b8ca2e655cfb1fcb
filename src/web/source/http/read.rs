//! Reading ranges of a remote file after its header.

use alloc::format;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::Range;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use wasm_bindgen::prelude::*;

use super::connections::MOST_REQUESTS;
use super::fault::{Fault, Retryable};
use super::remote_file::RemoteFile;
use super::retries::{LEAST_RESPONSE, Retries};
use crate::error::ErrorCode;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::error::{file_ends, http_failure};
use crate::web::interop::numbers::POSITION_END;

impl RemoteFile {
    /// Reads all bytes of a range of the file.
    pub async fn read(&self, range: Range<u64>) -> Result<Bytes, JsValue> {
        if let Some(whole) = &*self.whole.borrow() {
            return whole.slice(range.start as f64, range.end as f64);
        }
        if !self.has_ranges.get() {
            return Err(self.no_ranges());
        }
        let bytes = Bytes::zeroed(range.end - range.start)?;
        let start = range.start;
        let rest = RefCell::new(Vec::from([range]));
        while !rest.borrow().is_empty() {
            // A part is as long as responses are when its request is sent.
            let parts = core::iter::from_fn(|| self.next_part(&mut rest.borrow_mut()));
            let reads = parts.map(|part| async {
                let end = part.end;
                let reached = self.read_part(part, &bytes, start).await?;
                if reached < end {
                    rest.borrow_mut().push(reached..end);
                }
                Ok::<(), JsValue>(())
            });
            stream::iter(reads).buffer_unordered(MOST_REQUESTS).try_collect::<()>().await?;
        }
        Ok(bytes)
    }

    /// Takes the next part from the ranges that are still to be read: as much as the server sends in one response.
    fn next_part(&self, rest: &mut Vec<Range<u64>>) -> Option<Range<u64>> {
        let range = rest.pop()?;
        let end = self.cap.get().map_or(range.end, |cap| range.end.min(range.start.saturating_add(cap)));
        if end < range.end {
            rest.push(end..range.end);
        }
        Some(range.start..end)
    }

    /// Reads a range into `bytes`, whose first byte is that at `bytes_start` of the file. Returns the position that has been
    /// reached. It is less than the end of the range only if the server caps its responses.
    async fn read_part(&self, range: Range<u64>, bytes: &Bytes, bytes_start: u64) -> Result<u64, JsValue> {
        let mut retries = Retries::new(self.options.retries);
        let mut position = range.start;
        while position < range.end {
            let start = position;
            let connection = self.limits.connections.connect().await;
            let request = self.request(position..range.end, self.url())?;
            let mut take = |chunk: &Bytes| {
                bytes.set(chunk, (position - bytes_start) as f64)?;
                position += chunk.byte_length() as u64;
                Ok(false)
            };
            let received = self.receive(request, &mut take).await;
            drop(connection);
            let length = position - start;
            retries.received(length, false);
            match received {
                Ok(_) if position == range.end => {}
                Ok(_) if !retries.allow_short_response(length) => return Err(self.responses_too_short(length)),
                // The rest can be read by several requests at once.
                Ok(_) if length >= LEAST_RESPONSE && self.cap.get().is_some_and(|cap| cap < range.end - position) => {
                    return Ok(position);
                }
                Ok(_) => {}
                Err(Fault::Retry(failure)) => self.wait_for_retry(&mut retries, failure).await?,
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::End) => return Err(self.ends_at(position, position > range.start)),
            }
        }
        Ok(position)
    }

    /// Learns the size of the file, if no header tells it, from the length of a response that is open-ended from `start` on.
    /// The server may cap its responses, so the size is known only if no byte follows.
    pub async fn learn_size(&self, start: u64) -> Result<(), JsValue> {
        let Some(length) = self.open_ended_length(start).await? else { return Ok(()) };
        let end = start + length;
        if self.size.get().is_none() && self.open_ended_length(end).await? == Some(0) {
            self.size.set(Some(end));
        }
        Ok(())
    }

    /// The number of bytes that the server announces from `start` on, 0 at the end of the file; `None` if it announces none.
    async fn open_ended_length(&self, start: u64) -> Result<Option<u64>, JsValue> {
        let request = self.request(start..POSITION_END, self.url())?;
        match self.respond(request).await {
            Ok(body) => Ok(body.length.is_exact.then_some(body.length.most)),
            Err(Fault::End) => Ok(Some(0)),
            Err(Fault::Retry(Retryable { error, .. }) | Fault::Final(error)) => Err(error),
        }
    }

    /// The error of a read that the server answers with "the file ends here". `is_exact` says that the byte before
    /// `position` has arrived, so that the file ends exactly there.
    fn ends_at(&self, position: u64, is_exact: bool) -> JsValue {
        if let Some(size) = self.size.get().filter(|size| position < *size) {
            let message = format!(
                "the range cannot be read: the server refused the bytes from {position} on (status 416), but the file has \
                 {size} bytes. Open the file again"
            );
            return http_failure(ErrorCode::BadRange, &message, &self.url(), Some(416));
        }
        if is_exact {
            self.size.set(Some(position));
        }
        file_ends("the data cannot be read: the file ends before it. Download the file again", position)
    }
}
