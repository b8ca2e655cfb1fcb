//! Reading the header of a file before GGUF from a source: everything but the data of tensors.

use alloc::vec::Vec;
use core::ops::Range;

use super::decoder::{Decoder, Options};
use super::header::LegacyHeader;
use super::migrated_file::copied;
use gguf_format::error::{Result, error};
use gguf_format::io::turns::WORK_PER_CHUNK;
use gguf_format::io::{Buffer, Source, Turns};

/// Bytes that are read at once before the first tensor.
const BYTES_OF_HEADER: u64 = 256 << 10;

/// Bytes that are read at once where the header of a tensor is expected. The data of a vector is smaller, so that its
/// neighbours are read with it.
const BYTES_OF_TENSOR: u64 = 64 << 10;

/// Reads the header of a file: everything but the data of large tensors.
///
/// # Errors
///
/// The reason why the file cannot be read, with the offset. Errors of the source are passed on.
pub async fn read_header<S: Source>(source: &S, options: Options) -> Result<LegacyHeader> {
    let mut decoder = Decoder::new(options);
    read_pieces(source, &mut decoder).await?;
    if let Some(size) = source.size() {
        decoder.skip_to(size.clamp(decoder.position(), decoder.needed()))?;
    }
    decoder.finish()
}

/// A decoder that asks for the ranges that it needs.
pub(super) trait PieceDecoder {
    /// The next bytes to read. Empty if no more are needed, or if the file ends.
    fn next_range(&self, size: Option<u64>) -> Range<u64>;

    /// Takes the bytes that begin at the start of the range.
    fn push_at(&mut self, start: u64, bytes: &[u8]) -> Result<()>;
}

/// Reads what a decoder asks for, up to the end of the file.
pub(super) async fn read_pieces<S: Source>(source: &S, decoder: &mut dyn PieceDecoder) -> Result<()> {
    let mut turns = Turns::<S::Host>::new();
    // A server would be asked for the bytes after the end of a small file, too.
    source.learn_size(0).await?;
    loop {
        let range = decoder.next_range(source.size());
        if range.is_empty() {
            return Ok(());
        }
        let Some(bytes) = read_piece(source, range.clone()).await? else { return Ok(()) };
        decoder.push_at(range.start, &bytes)?;
        turns.count(WORK_PER_CHUNK).await;
    }
}

/// Reads a range of a file, or as much of it as the file has. `None` if the file ends at the start of the range or before.
pub(super) async fn read_piece<S: Source>(source: &S, range: Range<u64>) -> Result<Option<Vec<u8>>> {
    let bytes = source.read(range.clone()).await?;
    if bytes.len() > range.end - range.start {
        return Err(error!(ReadFailed:
            "the source could not be read: it returned {} bytes for the range from {} to {}", bytes.len(), range.start, range.end));
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    copied(&bytes).map(Some)
}

impl PieceDecoder for Decoder {
    /// If the size of the file is not known, the last byte of a tensor's data is read, too: it tells that the data is complete.
    fn next_range(&self, size: Option<u64>) -> Range<u64> {
        let length = if self.tensors().is_empty() { BYTES_OF_HEADER } else { BYTES_OF_TENSOR };
        let start = match size {
            Some(_) => self.needed(),
            None => self.needed().saturating_sub(1).max(self.position()),
        };
        start..(start + length).min(size.unwrap_or(u64::MAX))
    }

    fn push_at(&mut self, start: u64, bytes: &[u8]) -> Result<()> {
        self.skip_to(start)?;
        self.push(bytes)
    }
}
