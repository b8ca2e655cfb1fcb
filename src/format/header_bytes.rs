//! The header's bytes, append-only, read by file offset.
//!
//! Blocks instead of one growing `Vec`: wasm memory never shrinks, and doubling would leave several
//! times the header behind. What has been appended never moves.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::allocation;
use crate::error::{Error, ErrorKind, Result};

const BLOCK_SIZE: usize = 256 << 10;

/// What the allocator may need for itself for each block.
const BLOCK_OVERHEAD: usize = 64;

/// FNV-1a over the bytes of a name, up to a NUL: names end there for ggml. Names that are made to collide make look-ups of
/// them slower, and nothing else.
#[inline(never)]
pub(crate) const fn hash(name: &[u8]) -> u32 {
    let (mut hash, mut at) = (0x811c_9dc5, 0);
    while at < name.len() && name[at] != 0 {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// The bytes of a header that have arrived, from the start of the file.
///
/// Every `Range` here is in file offsets and must lie within what has arrived.
#[derive(Default)]
pub struct HeaderBytes {
    blocks: Vec<Box<[u8]>>,
    len: u64,
    /// There is room for the blocks up to this offset.
    room_end: u64,
}

impl HeaderBytes {
    /// How many bytes have arrived.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nothing has arrived yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of a range: borrowed where they lie in one piece, else copied together.
    ///
    /// # Panics
    ///
    /// If the range is not within what has arrived.
    pub fn slice(&self, range: Range<u64>) -> Cow<'_, [u8]> {
        let length = range.end.saturating_sub(range.start) as usize;
        let mut pieces = self.pieces(range);
        match (pieces.next(), pieces.next()) {
            (None, _) => Cow::Borrowed(&[]),
            (Some(piece), None) => Cow::Borrowed(piece),
            (Some(first), Some(second)) => {
                let mut bytes = Vec::with_capacity(length);
                bytes.extend_from_slice(first);
                bytes.extend_from_slice(second);
                pieces.for_each(|piece| bytes.extend_from_slice(piece));
                Cow::Owned(bytes)
            }
        }
    }

    /// The bytes of a range as slices that follow one another.
    ///
    /// # Panics
    ///
    /// If the range is not within what has arrived.
    pub fn pieces(&self, range: Range<u64>) -> impl Iterator<Item = &[u8]> {
        let Range { mut start, end } = range;
        core::iter::from_fn(move || {
            let piece = self.piece(start..end);
            start += piece.len() as u64;
            (!piece.is_empty()).then_some(piece)
        })
    }

    /// The first of the slices that the bytes of a range are, which is empty if the range is.
    ///
    /// # Panics
    ///
    /// If the range is not within what has arrived.
    #[inline(never)]
    pub(crate) fn piece(&self, range: Range<u64>) -> &[u8] {
        assert!(range.start <= range.end && range.end <= self.len, "not within the header");
        if range.is_empty() {
            return &[];
        }
        let (block, first) = (range.start as usize / BLOCK_SIZE, range.start as usize % BLOCK_SIZE);
        let last = BLOCK_SIZE.min(first + (range.end - range.start) as usize);
        &self.blocks[block][first..last]
    }

    /// Whether the bytes of a range are those of `other`.
    ///
    /// # Panics
    ///
    /// If the range is not within what has arrived.
    pub fn equal(&self, range: Range<u64>, mut other: &[u8]) -> bool {
        range.end - range.start == other.len() as u64
            && self.pieces(range).all(|piece| {
                let (head, tail) = other.split_at(piece.len());
                other = tail;
                piece == head
            })
    }

    /// `N` bytes at an offset.
    #[inline]
    pub(crate) fn array<const N: usize>(&self, offset: u64) -> [u8; N] {
        let (block, start) = (offset as usize / BLOCK_SIZE, offset as usize % BLOCK_SIZE);
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

    /// Bytes that are all there.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut blocks = Vec::new();
        for block in bytes.chunks(BLOCK_SIZE) {
            blocks.push(Box::from(block));
        }
        Self { blocks, len: bytes.len() as u64, room_end: 0 }
    }

    /// The free rest of the last block, or a new block: at least one byte, into which the next bytes
    /// are written before [`commit`](Self::commit) counts them.
    pub(crate) fn spare(&mut self) -> Result<&mut [u8]> {
        let start = self.len as usize % BLOCK_SIZE;
        if self.len as usize == self.blocks.len() * BLOCK_SIZE {
            let too_large = |_| Error::new(ErrorKind::TooLarge { bytes: BLOCK_SIZE as u64 }, self.len);
            let mut block = Vec::new();
            block.try_reserve_exact(BLOCK_SIZE).map_err(too_large)?;
            block.resize(BLOCK_SIZE, 0);
            self.blocks.try_reserve(1).map_err(too_large)?;
            self.blocks.push(block.into_boxed_slice());
        }
        match self.blocks.last_mut() {
            Some(block) => Ok(&mut block[start..]),
            None => unreachable!(),
        }
    }

    /// Whether a new block is needed for which no room has been made.
    pub(crate) fn is_out_of_room(&self) -> bool {
        self.len >= self.room_end && self.len == (self.blocks.len() * BLOCK_SIZE) as u64
    }

    /// Makes room for `bytes` bytes to arrive, and for `more` bytes of other things.
    pub(crate) fn make_room(&mut self, bytes: u64, more: u64) {
        allocation::make(bytes.div_ceil(BLOCK_SIZE as u64) * (BLOCK_SIZE + BLOCK_OVERHEAD) as u64 + more);
        self.room_end = self.len + bytes;
    }

    /// Counts `n` bytes of [`spare`](Self::spare) as arrived.
    pub(crate) fn commit(&mut self, n: usize) {
        self.len = (self.len + n as u64).min((self.blocks.len() * BLOCK_SIZE) as u64);
    }

    /// Forgets what lies beyond `len`.
    pub(crate) fn truncate(&mut self, len: u64) {
        self.len = self.len.min(len);
        self.blocks.truncate((self.len as usize).div_ceil(BLOCK_SIZE));
    }
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
    fn equality_is_that_of_slices() {
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
    fn truncating_frees_blocks() {
        let (mut bytes, expected) = filled(2 * BLOCK_SIZE + 1);
        bytes.truncate(BLOCK_SIZE as u64);
        assert_eq!((bytes.len(), bytes.blocks.len()), (BLOCK_SIZE as u64, 1));
        bytes.spare().unwrap()[0] = 7;
        bytes.commit(1);
        assert_eq!(*bytes.slice(BLOCK_SIZE as u64 - 1..BLOCK_SIZE as u64 + 1), [expected[BLOCK_SIZE - 1], 7]);
    }
}
