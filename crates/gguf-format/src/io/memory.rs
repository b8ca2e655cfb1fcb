//! Bytes in memory.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use super::buffer::{Buffer, BufferBuilder};
use crate::allocation;
use crate::error::{Result, no_memory};

/// Bytes in the memory of the program.
///
/// # Examples
///
/// ```
/// use gguf_format::io::{Buffer, MemoryBuffer};
///
/// let bytes = MemoryBuffer::from(vec![1, 2, 3, 4]);
/// assert_eq!(bytes.part(1..3)?.as_slice(), [2, 3]);
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MemoryBuffer {
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl MemoryBuffer {
    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

impl From<Vec<u8>> for MemoryBuffer {
    fn from(bytes: Vec<u8>) -> Self {
        Self { range: 0..bytes.len(), bytes: Arc::new(bytes) }
    }
}

/// Zeros, if their memory can be allocated.
#[doc(hidden)]
pub fn zeros(length: u64) -> Result<Vec<u8>> {
    let bytes = usize::try_from(length).ok().and_then(allocation::zeros);
    bytes.ok_or_else(|| no_memory(length))
}

impl Buffer for MemoryBuffer {
    type Builder = Vec<u8>;

    fn len(&self) -> u64 {
        self.range.len() as u64
    }

    fn part(&self, range: Range<u64>) -> Result<Self> {
        let start = self.range.start + range.start as usize;
        Ok(Self { bytes: self.bytes.clone(), range: start..start + (range.end - range.start) as usize })
    }

    fn copy_of(&self, range: Range<u64>) -> Result<Self> {
        self.part(range).map(|part| part.as_slice().to_vec().into())
    }

    fn copy_to(&self, memory: &mut [u8]) -> Result<()> {
        memory.copy_from_slice(self.as_slice());
        Ok(())
    }

    fn builder(length: u64) -> Result<Vec<u8>> {
        zeros(length)
    }
}

impl BufferBuilder for Vec<u8> {
    type Buffer = MemoryBuffer;

    fn set(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn set_buffer(&mut self, offset: u64, bytes: &MemoryBuffer) -> Result<()> {
        self.set(offset, bytes.as_slice())
    }

    fn finish(self) -> MemoryBuffer {
        self.into()
    }
}
