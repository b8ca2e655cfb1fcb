//! The stored form of a header: its bytes, their format, and the offsets of array elements.

use alloc::vec::Vec;

use crate::format::ggml_type::GgmlTypeInfo;
use crate::format::header_bytes::HeaderBytes;
use crate::format::version::Format;

/// The number of elements between two kept offsets in an array whose elements vary in size.
pub(crate) const STRIDE: u64 = 64;

/// The stored form of a header. Every view of a value borrows it.
#[derive(Default)]
pub(crate) struct Storage {
    pub bytes: HeaderBytes,
    pub format: Format,
    /// The indexes of long arrays, in file order.
    pub arrays: Vec<ArrayIndex>,
    /// Types of the tensors that GGUF does not have: those of a model in a format before GGUF. A GGUF file has none.
    pub own_types: &'static [GgmlTypeInfo],
}

/// The offsets of elements of one array of strings or arrays that has more than [`STRIDE`] elements.
pub(crate) struct ArrayIndex {
    /// File offset of the first element. Identifies the array.
    pub start: u64,
    /// File offset after the last element, once all elements have arrived.
    pub end: u64,
    /// File offset of every `STRIDE`th element, the first included.
    pub offsets: Vec<u64>,
}

impl Storage {
    /// The `u32` at a file offset.
    #[inline(always)]
    pub fn u32(&self, offset: u64) -> u32 {
        self.format.endian.u32(self.bytes.array(offset))
    }

    /// The `u64` at a file offset.
    #[inline(always)]
    pub fn u64(&self, offset: u64) -> u64 {
        self.format.endian.u64(self.bytes.array(offset))
    }

    /// The length, count or dimension at a file offset.
    pub fn length(&self, offset: u64) -> u64 {
        if self.format.length_size() == 4 { u64::from(self.u32(offset)) } else { self.u64(offset) }
    }

    /// The file offset after the string at `offset`, whose length has arrived.
    pub fn string_end(&self, offset: u64) -> u64 {
        offset + self.format.length_size() + self.length(offset)
    }

    /// Skips consecutive strings from `offset` on: at most `count`, as long as they lie before `end` and in one block, and
    /// are at most `longest` bytes long. Returns the number of skipped strings, and the file offset after them.
    ///
    /// Opening a header spends most of its time here. As a function of its own, this loop is small, and an engine that
    /// compiles in two tiers replaces it by optimised code early.
    pub fn skip_strings(&self, offset: u64, end: u64, count: u64, longest: u64) -> (u64, u64) {
        let bytes = self.bytes.piece(offset..end);
        let (length_size, endian) = (self.format.length_size() as usize, self.format.endian);
        let (mut skipped, mut at) = (0, 0);
        while skipped < count {
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
            skipped += 1;
        }
        (skipped, offset + at as u64)
    }

    /// The index of the array whose elements begin at `start`, if it has one.
    pub fn array_index(&self, start: u64) -> Option<&ArrayIndex> {
        let at = self.arrays.binary_search_by_key(&start, |array| array.start).ok()?;
        self.arrays.get(at)
    }
}
