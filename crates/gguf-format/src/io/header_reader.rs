//! Decoding a header from buffers, with progress for the caller.

use alloc::boxed::Box;
use core::ops::Range;

use super::buffer::{Buffer, BufferBuilder};
use super::source::Source;
use super::turns::{Turns, WORK_PER_CHUNK};
use crate::decode::decoder::{Decoder, Progress};
use crate::error::{Error, ErrorCode, Result};
use crate::format::header::Header;
use crate::limits::Limits;
use gguf_declare::result;

/// Bytes that are read at once while the header is read.
const BYTES_AT_ONCE: u64 = 256 << 10;

result! {
    /// How far the header has been read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[typescript("OpenProgress")]
    #[open true]
    pub struct HeaderProgress {
        /// Bytes of the header that have arrived.
        pub bytes_read: u64,
        /// Size of the whole file in bytes, once it is known.
        pub file_size: Option<u64>,
        /// HTTP requests made, or reads of a custom source.
        pub requests: u32,
        /// Metadata entries decoded.
        pub metadata_read: u64,
        /// Metadata entries in the file, once the file has told it.
        pub metadata_count: Option<u64>,
        /// Tensor infos decoded.
        pub tensors_read: u64,
        /// Tensors in the file, once the file has told it.
        pub tensor_count: Option<u64>,
        /// The estimated size of the whole header in bytes; exact when it is complete.
        pub header_estimate: u64,
    }
}

/// Is told how far the header has been read, after each chunk, and gets the part that has arrived: its complete entries and
/// tensor infos. If the header cannot be decoded, the complete items before the error are told first.
pub type OnHeaderProgress = Box<dyn Fn(HeaderProgress, &Header) -> Result<()>>;

/// Decodes a header from chunks of any length.
pub struct HeaderReader {
    decoder: Decoder,
    limits: Limits,
    at_least: u64,
    /// Bytes at the end of the last chunk that are not part of the header.
    unused: u64,
    file_size: Option<u64>,
    requests: u32,
    on_progress: Option<OnHeaderProgress>,
}

impl HeaderReader {
    /// A reader at the beginning of a file.
    pub fn new(limits: Limits, on_progress: Option<OnHeaderProgress>) -> Self {
        Self {
            decoder: Decoder::with_limits(limits.clone()),
            limits,
            at_least: 1,
            unused: 0,
            file_size: None,
            requests: 0,
            on_progress,
        }
    }

    /// Decodes the next bytes of the file. Returns whether the header is complete.
    ///
    /// # Errors
    ///
    /// If the header cannot be decoded: see [`ErrorKind`](crate::ErrorKind).
    pub fn take(&mut self, chunk: &impl Buffer) -> Result<bool> {
        let decoded = self.decode(chunk);
        let reported = self.report();
        // The caller is told why the header cannot be decoded, even if its own function fails, too.
        let is_complete = decoded?;
        reported?;
        Ok(is_complete)
    }

    fn decode(&mut self, chunk: &impl Buffer) -> Result<bool> {
        let mut rest = chunk.len();
        let mut is_complete = false;
        while rest > 0 && !is_complete {
            let start = chunk.len() - rest;
            let spare = self.decoder.spare()?;
            let taken = rest.min(spare.len() as u64);
            chunk.part(start..start + taken)?.copy_to(&mut spare[..taken as usize])?;
            match self.decoder.commit(taken as usize)? {
                Progress::Done { consumed } => {
                    is_complete = true;
                    self.unused = rest - consumed as u64;
                }
                Progress::NeedMore { at_least } => self.at_least = at_least,
            }
            rest -= taken;
        }
        Ok(is_complete)
    }

    /// Reads the header of a source by ranges.
    ///
    /// # Errors
    ///
    /// The reason why the header cannot be decoded. Errors of the source are passed on.
    pub async fn read<S: Source>(&mut self, source: &S) -> Result<()> {
        let mut turns = Turns::<S::Host>::new();
        loop {
            let start = self.bytes_read();
            self.file_size = source.size();
            // A file may claim any length. So a read is at most as long as everything that has been read before it.
            let length = self.at_least.clamp(BYTES_AT_ONCE, start.max(BYTES_AT_ONCE));
            let range = start..(start + length).min(source.size().unwrap_or(u64::MAX));
            if range.is_empty() {
                return self.end_of_file();
            }
            self.count_request();
            let bytes = source.read(range.clone()).await?;
            if bytes.len() > range.end - range.start {
                return Err(wrong_length(&range, bytes.len()));
            }
            if self.take(&bytes)? {
                return Ok(());
            }
            if bytes.is_empty() {
                return match source.size() {
                    None => self.end_of_file(),
                    Some(_) => Err(wrong_length(&range, 0)),
                };
            }
            turns.count(WORK_PER_CHUNK).await;
        }
    }

    /// Forgets all bytes. The next bytes are the first of the file.
    pub fn restart(&mut self) {
        self.decoder = Decoder::with_limits(self.limits.clone());
        (self.at_least, self.unused) = (1, 0);
    }

    /// Tells that the file has no more bytes. Fails unless the header is complete.
    ///
    /// # Errors
    ///
    /// `unexpected-eof`.
    pub fn end_of_file(&mut self) -> Result<()> {
        Ok(self.decoder.finish()?)
    }

    /// The header.
    ///
    /// # Errors
    ///
    /// `unexpected-eof` if it is not complete.
    pub fn into_header(self) -> Result<Header> {
        let mut header = self.decoder.into_header()?;
        if self.file_size.is_some() {
            header.settle_types(self.file_size);
        }
        Ok(header)
    }

    /// Bytes of the header that have arrived.
    pub fn bytes_read(&self) -> u64 {
        self.decoder.bytes_read()
    }

    /// Bytes from the beginning of the file, as many as are kept together: they tell what the file is if it is not GGUF.
    #[doc(hidden)]
    pub fn beginning(&self) -> &[u8] {
        self.decoder.header().bytes().piece(0..self.bytes_read())
    }

    /// The least number of bytes that are still missing.
    pub(crate) fn at_least(&self) -> u64 {
        self.at_least
    }

    /// Estimates the size of the whole header in bytes.
    pub(crate) fn estimated_size(&self) -> u64 {
        self.decoder.estimated_size()
    }

    /// The part of the last chunk that is not part of the header.
    pub(crate) fn unused_part<B: Buffer>(&self, last_chunk: &B) -> Result<B> {
        last_chunk.part(last_chunk.len() - self.unused..last_chunk.len())
    }

    /// Copies the header to the beginning of a buffer.
    pub(crate) fn copy_to(&self, bytes: &mut impl BufferBuilder) -> Result<()> {
        bytes.set_pieces(0, self.decoder.header().bytes().pieces(0..self.bytes_read()))
    }

    #[doc(hidden)]
    pub fn set_file_size(&mut self, size: Option<u64>) {
        self.file_size = size;
    }

    pub(crate) fn count_request(&mut self) {
        self.requests += 1;
    }

    fn report(&self) -> Result<()> {
        let Some(on_progress) = &self.on_progress else { return Ok(()) };
        let header = self.decoder.header();
        // The counts stand at the beginning of the header.
        let count = |count: u64| (header.header_size() > 0).then_some(count);
        let progress = HeaderProgress {
            bytes_read: self.bytes_read(),
            file_size: self.file_size,
            requests: self.requests,
            metadata_read: header.metadata().len() as u64,
            metadata_count: count(header.metadata_count()),
            tensors_read: header.tensors().len() as u64,
            tensor_count: count(header.tensor_count()),
            header_estimate: self.estimated_size(),
        };
        on_progress(progress, header)
    }
}

/// The error of a source that returned another number of bytes than the range has.
#[cold]
pub(crate) fn wrong_length(range: &Range<u64>, received: u64) -> Error {
    let message = alloc::format!(
        "the source could not be read: it returned {received} bytes for the range from {} to {}, expected {}",
        range.start,
        range.end,
        range.end - range.start
    );
    Error::new(ErrorCode::ReadFailed, message)
}
