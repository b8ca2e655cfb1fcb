//! A place that has the bytes of a file.

use core::future::{Future, ready};
use core::ops::Range;

use super::buffer::Buffer;
use super::host::Host;
use crate::error::Result;

/// Bytes that are read at once unless the source says another number. Six pieces in flight then take 6 MiB.
const BYTES_AT_ONCE: u64 = 1 << 20;

/// A place that has the bytes of a file.
pub trait Source: Sized + 'static {
    /// Where the bytes that are read are kept.
    type Buffer: Buffer;
    /// The host of the reads.
    type Host: Host;

    /// The size of the file in bytes, if it is known by now.
    fn size(&self) -> Option<u64>;

    /// Reads the bytes of a range, as far as the file has them: fewer only where the file ends. Dropping the future cancels the
    /// read.
    ///
    /// # Errors
    ///
    /// The error of the read.
    fn read(&self, range: Range<u64>) -> impl Future<Output = Result<Self::Buffer>>;

    /// Finds out the size of the file, if that is possible and it is not known. The file is longer than `start`.
    ///
    /// # Errors
    ///
    /// The error of asking for the size.
    fn learn_size(&self, start: u64) -> impl Future<Output = Result<()>> {
        let _ = start;
        ready(Ok(()))
    }

    /// Where the bytes of a range come from in the end: the address of a source, and the position of the first byte in it. Two
    /// ranges of the same length and origin have the same bytes.
    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        (core::ptr::from_ref(self).addr(), range.start)
    }

    /// Whether the bytes of each read have memory of their own. Then their reader may give it away, for example to another thread.
    fn reads_into_new_memory(&self) -> bool {
        false
    }

    /// The bytes to read at once if a large part of the file is read piece by piece.
    fn bytes_at_once(&self) -> u64 {
        BYTES_AT_ONCE
    }
}
