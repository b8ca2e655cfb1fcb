//! A header as it is stored: its bytes, how to read them, and where the elements of its arrays begin.

use alloc::vec::Vec;

use crate::bytes::HeaderBytes;
use crate::format::Format;

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
    #[inline]
    pub fn u32(&self, offset: u64) -> u32 {
        self.format.endian.u32(self.bytes.array(offset))
    }

    #[inline]
    pub fn u64(&self, offset: u64) -> u64 {
        self.format.endian.u64(self.bytes.array(offset))
    }

    /// A length, a count or a dimension.
    #[inline]
    pub fn length(&self, offset: u64) -> u64 {
        if self.format.length_size() == 4 { u64::from(self.u32(offset)) } else { self.u64(offset) }
    }

    /// File offset after the string at `offset`, which must have arrived.
    #[inline]
    pub fn string_end(&self, offset: u64) -> u64 {
        offset + self.format.length_size() + self.length(offset)
    }

    /// The index of the array whose elements begin at `start`, if it has one.
    pub fn array_index(&self, start: u64) -> Option<&ArrayIndex> {
        let at = self.arrays.binary_search_by_key(&start, |array| array.start).ok()?;
        self.arrays.get(at)
    }
}
