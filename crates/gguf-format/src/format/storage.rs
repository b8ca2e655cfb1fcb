//! The stored form of a header: its bytes, their format, and the offsets of array elements.

use alloc::vec::Vec;
use core::ops::Range;

use crate::format::ggml_type::GgmlTypeInfo;
use crate::format::header_bytes::HeaderBytes;
use crate::format::version::Format;

/// The number of elements between two kept offsets in an array whose elements vary in size.
pub(crate) const STRIDE: u64 = 64;

/// The stored form of a header. Every view of a value borrows it.
#[derive(Default)]
#[doc(hidden)]
pub struct Storage {
    pub bytes: HeaderBytes,
    pub format: Format,
    /// The indexes of long arrays, in file order.
    pub arrays: Vec<ArrayIndex>,
    /// Types of the tensors that GGUF does not have: those of a model in a format before GGUF. A GGUF file has none.
    pub own_types: &'static [GgmlTypeInfo],
    /// What type ids of the file mean, where it is not ggml's type of that id. `None` if nothing is known of the type.
    pub other_meanings: Vec<(u32, Option<&'static GgmlTypeInfo>)>,
}

/// The offsets of elements of one array of strings or arrays that has more than [`STRIDE`] elements.
#[doc(hidden)]
pub struct ArrayIndex {
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
        // A copy, so that it is not loaded again for each string.
        let format = self.format;
        let mut rest = self.bytes.piece(offset..end);
        let (mut skipped, mut at) = (0, offset);
        while skipped < count {
            let Some((length, after)) = split_length(format, rest) else { break };
            if length > longest || length > after.len() as u64 {
                break;
            }
            rest = &after[length as usize..];
            at += format.length_size() + length;
            skipped += 1;
        }
        crate::format::header_bytes::reads::count(skipped * self.format.length_size());
        (skipped, at)
    }

    /// Visits `count` consecutive strings from `offset` on, all of whose bytes have arrived. Returns the file offset after them.
    ///
    /// `visit` gets the range of a text in the file, and its bytes if they lie in one block.
    ///
    /// A loop over the elements of an array finds the block of each string twice. With this loop, `validate()` of a header with
    /// 128,256 tokens and 280,147 merges takes half the time.
    #[inline(always)]
    pub fn visit_strings<'a>(
        &'a self,
        offset: u64,
        count: u64,
        mut visit: impl FnMut(Range<u64>, Option<&'a [u8]>),
    ) -> u64 {
        let (format, mut at, mut left) = (self.format, offset, count);
        let length_size = format.length_size();
        while left > 0 {
            let mut rest = self.bytes.piece(at..self.bytes.len());
            while left > 0
                && let Some((length, after)) = split_length(format, rest)
                && length <= after.len() as u64
            {
                let (text, after) = after.split_at(length as usize);
                let start = at + length_size;
                (at, left, rest) = (start + length, left - 1, after);
                crate::format::header_bytes::reads::count(length_size + length);
                visit(start..at, Some(text));
            }
            if left > 0 {
                let start = at + length_size;
                (at, left) = (self.string_end(at), left - 1);
                visit(start..at, None);
            }
        }
        at
    }

    /// The index of the array whose elements begin at `start`, if it has one.
    pub fn array_index(&self, start: u64) -> Option<&ArrayIndex> {
        let at = self.arrays.binary_search_by_key(&start, |array| array.start).ok()?;
        self.arrays.get(at)
    }
}

/// The length with which the bytes of a string begin, and the bytes after it. `None` if it has not that many bytes.
#[inline(always)]
fn split_length(format: Format, bytes: &[u8]) -> Option<(u64, &[u8])> {
    if format.length_size() == 4 {
        let (stored, rest) = bytes.split_first_chunk()?;
        return Some((u64::from(format.endian.u32(*stored)), rest));
    }
    let (stored, rest) = bytes.split_first_chunk()?;
    Some((format.endian.u64(*stored), rest))
}
