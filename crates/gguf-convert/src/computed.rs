//! Files whose tensors are computed when they are read: what they have in common.

use alloc::vec::Vec;
use core::ops::Range;

use gguf_format::error::Result;
use gguf_format::io::{Buffer, BufferBuilder};

/// A new file: its header, and how its tensors are made.
#[doc(hidden)]
pub struct ComputedFile<T> {
    /// The header with its padding.
    pub header: Vec<u8>,
    /// In the order of their positions.
    pub tensors: Vec<T>,
    pub size: u64,
}

/// A tensor of a new file.
#[doc(hidden)]
pub trait Placed {
    /// The place of its data in the file.
    fn range(&self) -> &Range<u64>;
}

/// The part of a tensor that a range of the file has.
#[doc(hidden)]
pub struct Part<'a, T> {
    pub index: usize,
    pub tensor: &'a T,
    /// Counted from the start of the data of the tensor.
    pub data: Range<u64>,
    /// Where it begins in the range.
    pub place: u64,
}

impl<T: Placed> ComputedFile<T> {
    /// A range, without what is behind the end of the file.
    pub fn cut(&self, range: Range<u64>) -> Range<u64> {
        range.start.min(self.size)..range.end.min(self.size)
    }

    /// A buffer for a range with the bytes of the header. What no part covers is padding, and zero.
    pub fn begin<B: Buffer>(&self, range: &Range<u64>) -> Result<B::Builder> {
        let mut target = B::builder(range.end - range.start)?;
        let end = range.end.min(self.header.len() as u64) as usize;
        if let Some(header) = self.header.get(range.start as usize..end) {
            target.set(0, header)?;
        }
        Ok(target)
    }

    /// The parts of tensors in a range.
    pub fn parts(&self, range: &Range<u64>) -> impl Iterator<Item = Part<'_, T>> {
        let range = range.clone();
        let first = self.tensors.partition_point(|tensor| tensor.range().end <= range.start);
        let end = range.end;
        let touched = self.tensors[first..].iter().take_while(move |tensor| tensor.range().start < end);
        (first..).zip(touched).filter_map(move |(index, tensor)| {
            let own = tensor.range();
            let part = range.start.max(own.start)..range.end.min(own.end);
            let data = part.start.checked_sub(own.start)?..part.end.saturating_sub(own.start);
            (!part.is_empty()).then(|| Part { index, tensor, data, place: part.start - range.start })
        })
    }
}
