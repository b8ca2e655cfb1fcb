//! A header as it is stored: its bytes, how to read them, and where the elements of its arrays begin.

use alloc::vec::Vec;

use crate::format::header_bytes::HeaderBytes;
use crate::format::version::Format;

/// Elements from one known offset to the next in an array whose elements differ in size.
pub(crate) const STRIDE: u64 = 64;

/// The retained header, which every view of a value borrows.
#[derive(Default)]
pub(crate) struct Storage {
    pub bytes: HeaderBytes,
    pub format: Format,
    /// In the order of the arrays' offsets.
    pub arrays: Vec<ArrayIndex>,
}

/// Where the elements of one array of strings or arrays are, if it has more than [`STRIDE`].
pub(crate) struct ArrayIndex {
    /// File offset of the first element: the array's name in the index.
    pub start: u64,
    /// File offset after the last element, once it has been reached.
    pub end: u64,
    /// File offset of every `STRIDE`th element, the first included.
    pub offsets: Vec<u64>,
}

impl Storage {
    // Not inlined: they are called from everywhere, and `pass_strings` is where the time goes.
    #[inline(never)]
    pub fn u32(&self, offset: u64) -> u32 {
        self.format.endian.u32(self.bytes.array(offset))
    }

    #[inline(never)]
    pub fn u64(&self, offset: u64) -> u64 {
        self.format.endian.u64(self.bytes.array(offset))
    }

    /// A length, a count or a dimension.
    #[inline(never)]
    pub fn length(&self, offset: u64) -> u64 {
        if self.format.length_size() == 4 { u64::from(self.u32(offset)) } else { self.u64(offset) }
    }

    /// File offset after the string at `offset`, which must have arrived.
    #[inline(never)]
    pub fn string_end(&self, offset: u64) -> u64 {
        offset + self.format.length_size() + self.length(offset)
    }

    /// Passes strings that follow one another from `offset` on: at most `count`, and only those that lie
    /// before `end` and in one block, none of them longer than `longest`. Says how many, and the file
    /// offset after them.
    ///
    /// A loop of its own, and small: this is where the time goes, and an engine that compiles in two
    /// tiers has the faster code the sooner.
    #[inline(never)]
    pub fn pass_strings(&self, offset: u64, end: u64, count: u64, longest: u64) -> (u64, u64) {
        let bytes = self.bytes.piece(offset..end);
        let (length_size, endian) = (self.format.length_size() as usize, self.format.endian);
        let (mut passed, mut at) = (0, 0);
        while passed < count {
            let Some((stored, rest)) = bytes.get(at..).and_then(|rest| rest.split_at_checked(length_size)) else {
                break;
            };
            let length = match (stored.first_chunk(), stored.first_chunk()) {
                (Some(stored), _) => endian.u64(*stored),
                (None, Some(stored)) => u64::from(endian.u32(*stored)),
                _ => break,
            };
            if length > longest || length > rest.len() as u64 {
                break;
            }
            at += length_size + length as usize;
            passed += 1;
        }
        (passed, offset + at as u64)
    }

    /// The index of the array whose elements begin at `start`, if it has one.
    pub fn array_index(&self, start: u64) -> Option<&ArrayIndex> {
        let at = self.arrays.binary_search_by_key(&start, |array| array.start).ok()?;
        self.arrays.get(at)
    }
}
