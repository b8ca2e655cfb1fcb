//! An opened file.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::decode::{LENGTH_BYTES, SafetensorsHeader, header_length};
use gguf_format::error::{Result, error};
use gguf_format::io::memory::zeros;
use gguf_format::io::{Buffer, Source};

/// The bytes that are read first. Most headers are shorter.
const FIRST_BYTES: u64 = 128 << 10;

/// An opened file: its header, and the source of its data. Clones share both.
pub struct SafetensorsFile<S: Source>(Rc<Opened<S>>);

struct Opened<S: Source> {
    name: String,
    header: SafetensorsHeader,
    source: S,
}

impl<S: Source> Clone for SafetensorsFile<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Source> SafetensorsFile<S> {
    /// Opens a file by reading its header. `name` is the name of the file, for messages and for the order of parts.
    ///
    /// # Errors
    ///
    /// As [`SafetensorsHeader::decode`]. Errors of the source are passed on.
    pub async fn open(name: impl Into<String>, source: S) -> Result<Self> {
        let known = source.size().unwrap_or(FIRST_BYTES).min(FIRST_BYTES);
        let first = match source.read(0..known).await {
            // A server tells the size of a file with the first bytes. A file that is shorter than the range is read again.
            Err(_) if source.size().is_some_and(|size| size < known) => {
                source.read(0..source.size().unwrap_or(0)).await?
            }
            first => first?,
        };
        let mut start = copied(&first)?;
        let end = LENGTH_BYTES + header_length(&start)?;
        // Fewer bytes than requested are the whole file.
        if start.len() as u64 == FIRST_BYTES && end > FIRST_BYTES {
            start.extend_from_slice(&copied(&source.read(FIRST_BYTES..end).await?)?);
        }
        let header = SafetensorsHeader::decode(&start, source.size())?;
        Ok(Self(Rc::new(Opened { name: name.into(), header, source })))
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The header.
    pub fn header(&self) -> &SafetensorsHeader {
        &self.0.header
    }

    /// The source of the bytes.
    pub fn source(&self) -> &S {
        &self.0.source
    }

    /// Reads all bytes of a range.
    ///
    /// # Errors
    ///
    /// `unexpected-eof` if the file has become shorter. Errors of the source are passed on.
    pub async fn read(&self, range: Range<u64>) -> Result<S::Buffer> {
        let length = range.end - range.start;
        let bytes = self.0.source.read(range.clone()).await?;
        match bytes.len() == length {
            true => Ok(bytes),
            false => Err(error!(UnexpectedEof:
                "the file {} ends before offset {:#x}. It has changed since it was opened: open the model again", self.0.name,
                range.end)
            .at(range.start + bytes.len())),
        }
    }
}

/// The bytes of a buffer in the memory of the program.
fn copied(buffer: &impl Buffer) -> Result<Vec<u8>> {
    let mut bytes = zeros(buffer.len())?;
    buffer.copy_to(&mut bytes)?;
    Ok(bytes)
}
