//! Reading the header of a remote file as it streams in.

use alloc::collections::VecDeque;
use core::ops::Range;

use super::client::Client;
use super::connections::{FIRST_RANGE, MOST_REQUESTS};
use super::fault::Fault;
use super::remote_file::{RangeRequest, RemoteFile};
use super::retries::{LEAST_RESPONSE, Retries};
use crate::error::{Error, Result};
use crate::io::buffer::{Buffer, BufferBuilder};
use crate::io::header_reader::HeaderReader;
use crate::limits::MAX_FILE_SIZE;

/// A header is read in at most this many parts. The first ones are small, because little is known then.
const MOST_PARTS: u64 = 6;

/// Bytes beyond the estimated end that are requested with the header. They come after it, so they cost no time; an estimate
/// that falls short costs a round trip.
const SPARE: u64 = 64 << 10;

impl<C: Client> RemoteFile<C> {
    /// Reads the header as it streams in.
    ///
    /// # Errors
    ///
    /// The error of a request, or the reason why the header cannot be decoded.
    pub async fn read_header(&self, header: &mut HeaderReader) -> Result<()> {
        let mut ahead = VecDeque::new();
        let mut retries = Retries::new(self.exchange.options.retries);
        let mut is_restarted = false;
        // The caller did not ask for a range. So its response with the whole file does not mean that the server has no ranges.
        let is_given = self.is_given.get();
        loop {
            let start = header.bytes_read();
            if self.size.get().is_some_and(|size| start >= size) {
                return header.end_of_file();
            }
            let request = self.next_request(header, start, &mut ahead);
            let range = request.range.clone();
            if self.cap.get().is_some() {
                self.request_ahead(header, &range, &mut ahead);
            }
            let mut take = |chunk: &C::Buffer| {
                header.set_file_size(self.size.get());
                if header.take(chunk)? {
                    self.keep_whole(header, chunk)?;
                    return Ok(true);
                }
                self.request_ahead(header, &range, &mut ahead);
                Ok(false)
            };
            let received = self.receive(request, &mut take).await;
            let position = header.bytes_read();
            retries.received(position - start, position == range.end);
            match received {
                Ok(true) => {
                    self.has_header.set(true);
                    self.has_ranges.set(self.has_ranges.get() || is_given);
                    if self.hides_size.get() && self.size.get().is_none() {
                        // The answer to a range beyond every end has the size: the status 416 with `Content-Range: bytes */1234`.
                        let _ = self.open_ended_length(MAX_FILE_SIZE).await;
                    }
                    return Ok(());
                }
                Ok(false) if self.has_ranges.get() => {
                    if position < range.end && !retries.allow_short_response(position - start) {
                        return Err(self.responses_too_short(position - start));
                    }
                }
                Ok(false) => return header.end_of_file(),
                Err(Fault::End) => {
                    self.size.set(self.size.get().or(Some(position)));
                    return header.end_of_file();
                }
                // A whole file cannot be resumed: it is read once more from its start.
                Err(Fault::Retry(failure)) if !self.has_ranges.get() && position > 0 => {
                    if is_restarted {
                        return Err(failure.error);
                    }
                    is_restarted = true;
                    self.exchange.wait_for_retry(&self.url(), &mut retries, failure).await?;
                    ahead.clear();
                    header.restart();
                }
                Err(Fault::Retry(failure)) => self.exchange.wait_for_retry(&self.url(), &mut retries, failure).await?,
                Err(Fault::Final(error)) => return Err(error),
            }
        }
    }

    /// The request for the bytes of the header from `start` on: the first request that was sent ahead, or a new one.
    fn next_request(
        &self,
        header: &mut HeaderReader,
        start: u64,
        ahead: &mut VecDeque<RangeRequest<C>>,
    ) -> RangeRequest<C> {
        if let Some(given) = self.given_response.take() {
            return given;
        }
        match ahead.front().map(|request| request.range.start) {
            Some(first) if first == start => {}
            // A response broke off, or was shorter than its range.
            Some(first) if first > start => return self.request_part(start..first, header),
            _ => ahead.clear(),
        }
        if let Some(request) = ahead.pop_front() {
            return request;
        }
        let range = self.next_range(header, start, true).unwrap_or(start..start + FIRST_RANGE);
        self.request_part(range, header)
    }

    /// Sends requests for the bytes after `current`, up to the estimated end of the header. Sends one request, or as many as
    /// are allowed at once if the server caps its responses.
    fn request_ahead(&self, header: &mut HeaderReader, current: &Range<u64>, ahead: &mut VecDeque<RangeRequest<C>>) {
        if !self.has_ranges.get() {
            return;
        }
        let most = if self.cap.get().is_some() { MOST_REQUESTS } else { 2 };
        let most = most.min(self.limits.header_requests) - 1;
        while ahead.len() < most {
            let current_end = self.cap.get().map_or(current.end, |cap| current.end.min(current.start + cap));
            let end = ahead.back().map_or(current_end, |request| request.range.end);
            let Some(range) = self.next_range(header, end, false) else { break };
            ahead.push_back(self.request_part(range, header));
        }
    }

    /// The range to request from `start` on. If it is not `needed` yet, returns `None` if the estimated header ends before
    /// `start`.
    fn next_range(&self, header: &HeaderReader, start: u64, needed: bool) -> Option<Range<u64>> {
        let estimate = header.estimated_size();
        let mut target = estimate.saturating_add(SPARE);
        // If responses are capped, many requests are in flight at once. One for spare bytes then costs no time, and saves a
        // round trip if the estimate falls short.
        let enough = if self.cap.get().is_some() { target } else { estimate };
        if start >= enough && !needed {
            return None;
        }
        if needed {
            target = target.max(start.saturating_add(header.at_least()));
        }
        if let Some(cap) = self.cap.get() {
            // The target is rounded up to whole responses. Otherwise each growth of the estimate would request another short range.
            target = start.saturating_add((target - start).div_ceil(cap).saturating_mul(cap));
        }
        let size = self.size.get().unwrap_or(u64::MAX);
        let part = (target / MOST_PARTS).max(start / 2).max(FIRST_RANGE);
        let end = if start + part + part / 4 >= target { target } else { start + part };
        // Before the first bytes, nothing is known about the header.
        let end = if start == 0 { self.limits.first_range } else { end }.min(size);
        (start < end).then_some(start..end)
    }

    /// Requests a range of the header, or as much of it as the server sends in one response.
    fn request_part(&self, range: Range<u64>, header: &mut HeaderReader) -> RangeRequest<C> {
        header.count_request();
        let end = self.cap.get().map_or(range.end, |cap| range.end.min(range.start + cap));
        self.request(range.start..end, self.url())
    }

    /// Keeps the file, if the server sent it whole and all of it has come with the header.
    fn keep_whole(&self, header: &HeaderReader, last_chunk: &C::Buffer) -> Result<()> {
        let Some(size) = self.size.get().filter(|_| !self.has_ranges.get()) else { return Ok(()) };
        let rest = header.unused_part(last_chunk)?;
        if header.bytes_read() + rest.len() == size {
            let mut whole = C::Buffer::builder(size)?;
            header.copy_to(&mut whole)?;
            whole.set_buffer(header.bytes_read(), &rest)?;
            self.whole.replace(Some(whole.finish()));
        }
        Ok(())
    }

    pub(super) fn responses_too_short(&self, length: u64) -> Error {
        let message = format!(
            "the file cannot be read by ranges: the server sends only {length} bytes in a response, expected {LEAST_RESPONSE} \
             or more. Use another server, or download the file"
        );
        self.bad_range(&message)
    }
}
