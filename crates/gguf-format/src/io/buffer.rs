//! Bytes that have been read.

use core::ops::Range;

use crate::error::Result;

/// Bytes that have been read, in the memory where the host keeps them. Clones and parts share this memory.
///
/// In a web page that is the memory of JavaScript: bytes that are only passed on never enter the memory of the WebAssembly
/// module.
pub trait Buffer: Clone + 'static {
    /// What makes a buffer of several pieces.
    type Builder: BufferBuilder<Buffer = Self>;

    /// The number of bytes.
    fn len(&self) -> u64;

    /// Whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A part, which shares the memory. The range lies within the buffer.
    ///
    /// # Errors
    ///
    /// If the owner of the memory has taken it away.
    fn part(&self, range: Range<u64>) -> Result<Self>;

    /// A copy of a part, in memory of its own. The range lies within the buffer.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory cannot be allocated.
    fn copy_of(&self, range: Range<u64>) -> Result<Self>;

    /// Copies all bytes into `memory`, which has the same length.
    ///
    /// # Errors
    ///
    /// `read-failed` if the owner of the bytes has changed their memory.
    fn copy_to(&self, memory: &mut [u8]) -> Result<()>;

    /// Begins a buffer of `length` bytes, all zero.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory cannot be allocated.
    fn builder(length: u64) -> Result<Self::Builder>;

    /// The pieces one after the other, `length` bytes in all.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory cannot be allocated.
    fn joined<'a>(length: u64, pieces: impl Iterator<Item = &'a [u8]>) -> Result<Self> {
        let mut builder = Self::builder(length)?;
        builder.set_pieces(0, pieces)?;
        Ok(builder.finish())
    }
}

/// Makes a [`Buffer`] of several pieces, which come in any order.
pub trait BufferBuilder {
    /// The buffer that is made.
    type Buffer: Buffer;

    /// Sets the bytes from `offset` on. They lie within the buffer.
    ///
    /// # Errors
    ///
    /// If the owner of the memory has taken it away.
    fn set(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Sets the bytes from `offset` on to those of a buffer. They lie within the buffer.
    ///
    /// # Errors
    ///
    /// If the owner of the memory has taken it away.
    fn set_buffer(&mut self, offset: u64, bytes: &Self::Buffer) -> Result<()>;

    /// Sets the bytes from `offset` on to the pieces, one after the other.
    ///
    /// # Errors
    ///
    /// If the owner of the memory has taken it away.
    fn set_pieces<'a>(&mut self, mut offset: u64, pieces: impl Iterator<Item = &'a [u8]>) -> Result<()> {
        for piece in pieces {
            self.set(offset, piece)?;
            offset += piece.len() as u64;
        }
        Ok(())
    }

    /// The buffer.
    fn finish(self) -> Self::Buffer;
}
