//! Reading ranges of a remote file after its header.

use alloc::{boxed::Box, vec::Vec};
use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::ops::Range;
use core::task::Poll;

use super::client::Client;
use super::connections::MOST_REQUESTS;
use super::fault::{Fault, Retryable};
use super::remote_file::RemoteFile;
use super::retries::{LEAST_RESPONSE, Retries};
use crate::error::{Error, Result, error};
use crate::io::buffer::{Buffer, BufferBuilder};
use crate::io::source::Source;
use crate::limits::MAX_FILE_SIZE;

/// Bytes that are read at once if a large part of the file is read. A request takes a round trip, and six are in flight.
const BYTES_AT_ONCE: u64 = 4 << 20;

impl<C: Client> Source for RemoteFile<C> {
    type Buffer = C::Buffer;
    type Host = C::Host;

    fn size(&self) -> Option<u64> {
        self.size.get()
    }

    async fn read(&self, range: Range<u64>) -> Result<C::Buffer> {
        if let Some(whole) = &*self.whole.borrow() {
            return whole.copy_of(range.start.min(whole.len())..range.end.min(whole.len()));
        }
        if !self.has_ranges.get() {
            return Err(self.no_ranges());
        }
        // From now on, the whole file is no answer.
        self.has_header.set(true);
        let bytes = RefCell::new(C::Buffer::builder(range.end - range.start)?);
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
                Ok(())
            });
            run_all(reads, MOST_REQUESTS).await?;
        }
        Ok(bytes.into_inner().finish())
    }

    /// Learns the size of the file, if no header tells it, from the length of a response that is open-ended from `start` on.
    /// The server may cap its responses, so the size is known only if no byte follows.
    async fn learn_size(&self, start: u64) -> Result<()> {
        if self.size.get().is_some() {
            return Ok(());
        }
        let Some(length) = self.open_ended_length(start).await? else { return Ok(()) };
        let end = start + length;
        if self.size.get().is_none() && self.open_ended_length(end).await? == Some(0) {
            self.size.set(Some(end));
        }
        Ok(())
    }

    fn bytes_at_once(&self) -> u64 {
        BYTES_AT_ONCE
    }
}

impl<C: Client> RemoteFile<C> {
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
    async fn read_part(
        &self,
        range: Range<u64>,
        bytes: &RefCell<<C::Buffer as Buffer>::Builder>,
        bytes_start: u64,
    ) -> Result<u64> {
        let mut retries = Retries::new(self.exchange.options.retries);
        let mut position = range.start;
        while position < range.end {
            let start = position;
            let connection = self.limits.connections.connect().await;
            let request = self.request(position..range.end, self.url());
            let mut take = |chunk: &C::Buffer| {
                bytes.borrow_mut().set_buffer(position - bytes_start, chunk)?;
                position += chunk.len();
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
                Err(Fault::Retry(failure)) => self.exchange.wait_for_retry(&self.url(), &mut retries, failure).await?,
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::End) => return Err(self.ends_at(position, position > range.start)),
            }
        }
        Ok(position)
    }

    /// The number of bytes that the server announces from `start` on, 0 at the end of the file; `None` if it announces none.
    pub(super) async fn open_ended_length(&self, start: u64) -> Result<Option<u64>> {
        let request = self.request(start..MAX_FILE_SIZE + 1, self.url());
        match self.respond(request).await {
            Ok((_, length)) => Ok(length.is_exact.then_some(length.most)),
            Err(Fault::End) => Ok(Some(0)),
            Err(Fault::Retry(Retryable { error, .. }) | Fault::Final(error)) => Err(error),
        }
    }

    /// The error of a read that the server answers with "the file ends here". `is_exact`: the byte before `position` has
    /// arrived, so `position` is the size of the file.
    fn ends_at(&self, position: u64, is_exact: bool) -> Error {
        if let Some(size) = self.size.get().filter(|size| position < *size) {
            return error!(BadRange:
                "the range cannot be read: the server refused the bytes from {position} on (status 416), but the file \
                 has {size} bytes. Open the file again")
            .of_url(&self.url(), Some(416));
        }
        if is_exact {
            self.size.set(Some(position));
        }
        error!(UnexpectedEof:
            "the data cannot be read: the file ends before it. Download the file again (at offset {position:#x})")
        .at(position)
    }
}

/// Runs tasks until all are done or one fails. At most `most` run at once; the others are not begun before.
async fn run_all(mut tasks: impl Iterator<Item: Future<Output = Result<()>>>, most: usize) -> Result<()> {
    let mut running = Vec::new();
    poll_fn(|context| {
        loop {
            running.extend(tasks.by_ref().take(most - running.len()).map(Box::pin));
            let (count, mut failure) = (running.len(), None);
            running.retain_mut(|task| match task.as_mut().poll(context) {
                Poll::Pending => true,
                Poll::Ready(result) => {
                    failure = failure.take().or(result.err());
                    false
                }
            });
            match failure {
                Some(error) => return Poll::Ready(Err(error)),
                None if running.len() < count => {}
                None if running.is_empty() => return Poll::Ready(Ok(())),
                None => return Poll::Pending,
            }
        }
    })
    .await
}
