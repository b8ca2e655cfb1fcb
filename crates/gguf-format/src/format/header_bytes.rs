//! The bytes of the header: appended as they arrive, and read by file offset.
//!
//! They are kept in blocks of a fixed size. One `Vec` that grows by doubling would leave several times the size of the
//! header behind, and wasm memory never shrinks.

use alloc::{borrow::Cow, boxed::Box, vec::Vec};
use core::ops::Range;

use crate::allocation;
use crate::error::{ErrorKind, HeaderError, HeaderResult};

/// The size of a block in bytes.
const BLOCK_SIZE: usize = 256 << 10;

/// The bytes that the allocator may need for itself for each block.
const BLOCK_OVERHEAD: usize = 64;

/// The bytes of a header that have arrived, from the start of the file.
///
/// Every range is a range of file offsets, and must lie within the bytes that have arrived.
#[derive(Default)]
pub struct HeaderBytes {
    blocks: Vec<Box<[u8]>>,
    len: u64,
    /// File offset up to which memory is reserved.
    reserved_end: u64,
}

impl HeaderBytes {
    /// The number of bytes that have arrived.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether no bytes have arrived.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of a range: borrowed if they lie in one block, else copied.
    ///
    /// # Panics
    ///
    /// If the range is not within the bytes that have arrived.
    pub fn slice(&self, range: Range<u64>) -> Cow<'_, [u8]> {
        let length = range.end.saturating_sub(range.start) as usize;
        let first = self.piece(range.clone());
        if first.len() == length {
            reads::count(length as u64);
            return Cow::Borrowed(first);
        }
        let mut bytes = Vec::with_capacity(length);
        self.pieces(range).for_each(|piece| bytes.extend_from_slice(piece));
        Cow::Owned(bytes)
    }

    /// The bytes of a range as consecutive slices, one for each block.
    ///
    /// # Panics
    ///
    /// If the range is not within the bytes that have arrived.
    pub fn pieces(&self, range: Range<u64>) -> impl Iterator<Item = &[u8]> {
        let Range { mut start, end } = range;
        core::iter::from_fn(move || {
            let piece = self.piece(start..end);
            start += piece.len() as u64;
            reads::count(piece.len() as u64);
            (!piece.is_empty()).then_some(piece)
        })
    }

    /// The first bytes of a range: those in its first block. Empty if the range is empty.
    ///
    /// # Panics
    ///
    /// If the range is not within the bytes that have arrived.
    #[doc(hidden)]
    pub fn piece(&self, range: Range<u64>) -> &[u8] {
        assert!(range.start <= range.end && range.end <= self.len, "the range is not within the header");
        if range.is_empty() {
            return &[];
        }
        let (block, first) = (range.start as usize / BLOCK_SIZE, range.start as usize % BLOCK_SIZE);
        let last = BLOCK_SIZE.min(first + (range.end - range.start) as usize);
        &self.blocks[block][first..last]
    }

    /// Whether the bytes of a range equal `other`.
    ///
    /// # Panics
    ///
    /// If the range is not within the bytes that have arrived.
    pub fn equal(&self, range: Range<u64>, mut other: &[u8]) -> bool {
        range.end - range.start == other.len() as u64
            && self.pieces(range).all(|piece| {
                let (head, tail) = other.split_at(piece.len());
                other = tail;
                piece == head
            })
    }

    /// The `N` bytes at an offset.
    #[inline(always)] // Every length of a string is read with it.
    pub(crate) fn array<const N: usize>(&self, offset: u64) -> [u8; N] {
        let (block, start) = (offset as usize / BLOCK_SIZE, offset as usize % BLOCK_SIZE);
        reads::count(N as u64);
        debug_assert!(offset + N as u64 <= self.len);
        match self.blocks[block].get(start..start + N) {
            Some(bytes) => core::array::from_fn(|i| bytes[i]),
            None => self.straddling_array(offset),
        }
    }

    #[cold]
    fn straddling_array<const N: usize>(&self, offset: u64) -> [u8; N] {
        let mut out = [0; N];
        let mut filled = 0;
        for piece in self.pieces(offset..offset + N as u64) {
            out[filled..filled + piece.len()].copy_from_slice(piece);
            filled += piece.len();
        }
        out
    }

    /// The bytes of a header that is complete.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut blocks = Vec::new();
        for block in bytes.chunks(BLOCK_SIZE) {
            blocks.push(Box::from(block));
        }
        Self { blocks, len: bytes.len() as u64, reserved_end: 0 }
    }

    /// The free part of the last block, or a new block: at least one byte. The caller writes the next bytes into it, and
    /// then calls [`commit`](Self::commit).
    pub(crate) fn spare(&mut self) -> HeaderResult<&mut [u8]> {
        let start = self.len as usize % BLOCK_SIZE;
        if self.len as usize == self.blocks.len() * BLOCK_SIZE {
            let too_large = || HeaderError::new(ErrorKind::TooLarge { bytes: BLOCK_SIZE as u64 }, self.len);
            let block = allocation::zeros(BLOCK_SIZE).ok_or_else(too_large)?;
            self.blocks.try_reserve(1).map_err(|_| too_large())?;
            self.blocks.push(block.into_boxed_slice());
        }
        match self.blocks.last_mut() {
            Some(block) => Ok(&mut block[start..]),
            None => unreachable!(),
        }
    }

    /// Whether the next byte needs a new block for which no memory is reserved.
    pub(crate) fn needs_reservation(&self) -> bool {
        self.len >= self.reserved_end && self.len == (self.blocks.len() * BLOCK_SIZE) as u64
    }

    /// Reserves memory for `bytes` bytes that will arrive, and for `more` bytes of other allocations.
    pub(crate) fn reserve(&mut self, bytes: u64, more: u64) {
        allocation::reserve(bytes.div_ceil(BLOCK_SIZE as u64) * (BLOCK_SIZE + BLOCK_OVERHEAD) as u64 + more);
        self.reserved_end = self.len + bytes;
    }

    /// Adds the first `n` bytes of [`spare`](Self::spare).
    pub(crate) fn commit(&mut self, n: usize) {
        self.len = (self.len + n as u64).min((self.blocks.len() * BLOCK_SIZE) as u64);
    }

    /// Gives the free part of the last block back, if that can be done. No bytes can be added after that.
    pub(crate) fn shrink(&mut self) {
        let used = self.len as usize % BLOCK_SIZE;
        let mut shorter = Vec::new();
        if let Some(last) = self.blocks.last_mut()
            && used > 0
            && shorter.try_reserve_exact(used).is_ok()
        {
            shorter.extend_from_slice(&last[..used]);
            *last = shorter.into_boxed_slice();
        }
    }

    /// Drops the bytes from offset `len` on.
    pub(crate) fn truncate(&mut self, len: u64) {
        self.len = self.len.min(len);
        self.blocks.truncate((self.len as usize).div_ceil(BLOCK_SIZE));
    }
}

/// Counts the bytes that are read from headers: the work of a test, which does not depend on the speed of the machine.
#[cfg(feature = "counted-reads")]
#[doc(hidden)]
pub mod reads {
    use core::cell::Cell;

    std::thread_local! {
        static BYTES: Cell<u64> = const { Cell::new(0) };
    }

    pub fn count(bytes: u64) {
        BYTES.set(BYTES.get() + bytes);
    }

    /// The number of bytes of headers that this thread reads during a call.
    pub fn during(call: impl FnOnce()) -> u64 {
        let before = BYTES.get();
        call();
        BYTES.get() - before
    }
}
#[cfg(not(feature = "counted-reads"))]
pub(crate) mod reads {
    #[inline(always)]
    pub fn count(_: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(len: usize) -> (HeaderBytes, Vec<u8>) {
        let expected: Vec<u8> = (0..len).map(|i| (i * 31 + i / 251) as u8).collect();
        let mut bytes = HeaderBytes::default();
        let mut rest = &expected[..];
        while !rest.is_empty() {
            let spare = bytes.spare().unwrap();
            let n = spare.len().min(rest.len()).min(100_003);
            spare[..n].copy_from_slice(&rest[..n]);
            bytes.commit(n);
            rest = &rest[n..];
        }
        (bytes, expected)
    }

    #[test]
    fn reads_within_and_across_blocks() {
        let (bytes, expected) = filled(3 * BLOCK_SIZE + 17);
        for at in [0, 1, BLOCK_SIZE - 9, BLOCK_SIZE - 8, BLOCK_SIZE - 1, BLOCK_SIZE, 3 * BLOCK_SIZE + 9] {
            assert_eq!(bytes.array::<8>(at as u64), expected[at..at + 8]);
        }
        let range = 5..2 * BLOCK_SIZE + 5;
        assert_eq!(*bytes.slice(range.start as u64..range.end as u64), expected[range]);
        assert_eq!(bytes.len(), expected.len() as u64);
    }

    #[test]
    fn equality_with_a_slice_is_that_of_the_bytes() {
        let (bytes, expected) = filled(2 * BLOCK_SIZE);
        let ranges =
            [0..0, 0..1, 5..9, BLOCK_SIZE - 2..BLOCK_SIZE + 2, BLOCK_SIZE - 2..BLOCK_SIZE + 3, 251..BLOCK_SIZE + 9];
        for a in ranges.clone() {
            for b in ranges.clone() {
                let equal = bytes.equal(a.start as u64..a.end as u64, &expected[b.clone()]);
                assert_eq!(equal, expected[a.clone()] == expected[b.clone()], "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn shrinking_keeps_the_bytes_and_gives_the_rest_of_the_last_block_back() {
        for len in [0, 1, BLOCK_SIZE, BLOCK_SIZE + 17] {
            let (mut bytes, expected) = filled(len);
            bytes.shrink();
            assert_eq!(bytes.blocks.iter().map(|block| block.len()).sum::<usize>(), len);
            assert_eq!(*bytes.slice(0..len as u64), expected);
        }
    }

    #[test]
    fn truncating_frees_blocks() {
        let (mut bytes, expected) = filled(2 * BLOCK_SIZE + 1);
        bytes.truncate(BLOCK_SIZE as u64);
        assert_eq!((bytes.len(), bytes.blocks.len()), (BLOCK_SIZE as u64, 1));
        bytes.spare().unwrap()[0] = 7;
        bytes.commit(1);
        assert_eq!(*bytes.slice(BLOCK_SIZE as u64 - 1..BLOCK_SIZE as u64 + 1), [expected[BLOCK_SIZE - 1], 7]);
    }
}
