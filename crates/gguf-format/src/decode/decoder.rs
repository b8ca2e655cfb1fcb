//! The incremental decoder: bytes in pieces of any size become a [`Header`].
//!
//! The decoder copies the bytes into the header, and an `ItemReader` reads the items in them.

use super::item_reader::{ItemReader, State};
use super::predict;
use crate::error::HeaderResult;
use crate::format::header::Header;
use crate::limits::Limits;

/// Decodes the header of a file whose bytes are in memory. Bytes after the header are ignored, and may be missing.
///
/// # Errors
///
/// If the header cannot be decoded: see [`ErrorKind`](crate::ErrorKind).
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// assert_eq!(header.get("general.architecture").unwrap().value().as_str().unwrap(), "llama");
/// assert_eq!(header.tensor("output.weight").unwrap().ggml_type().to_string(), "Q4_0");
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn parse(bytes: &[u8]) -> HeaderResult<Header> {
    let mut decoder = Decoder::new();
    decoder.push(bytes)?;
    decoder.into_header()
}

/// Decodes a [`Header`] from bytes that arrive in pieces of any size.
///
/// # Examples
///
/// ```
/// use gguf_format::{Decoder, Progress};
///
/// # let file = gguf_format::example_file();
/// let mut decoder = Decoder::new();
/// for piece in file.chunks(7) {
///     if let Progress::Done { .. } = decoder.push(piece)? {
///         break;
///     }
/// }
/// let header = decoder.into_header()?;
/// assert_eq!(header.tensors().len(), 1);
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub struct Decoder {
    items: ItemReader,
}

/// The state of a header after more bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The header is not complete.
    NeedMore {
        /// The least number of bytes that are missing.
        at_least: u64,
    },
    /// The header is complete.
    Done {
        /// The number of bytes of the last call that belong to the header. The others were ignored.
        consumed: usize,
    },
}

/// Decodes a header of `size` bytes that this crate has encoded.
#[doc(hidden)]
pub fn decode_known(size: u64, pieces: &mut dyn Iterator<Item = &[u8]>) -> HeaderResult<Header> {
    let mut decoder = Decoder::with_known_size(size);
    for piece in pieces {
        decoder.push(piece)?;
    }
    decoder.into_header()
}

impl Decoder {
    /// A decoder with the default [`Limits`].
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// A decoder with other limits.
    pub fn with_limits(limits: Limits) -> Self {
        Self { items: ItemReader::new(limits, None) }
    }

    /// A decoder without limits, for a header of a known size. It reserves the memory for the whole header at once.
    fn with_known_size(header_size: u64) -> Self {
        Self { items: ItemReader::new(Limits::none(), Some(header_size)) }
    }

    /// Takes the next bytes of the file. Copies the bytes of the header, and ignores bytes after it.
    ///
    /// # Errors
    ///
    /// If the header cannot be decoded. Every later call returns the same error.
    pub fn push(&mut self, mut bytes: &[u8]) -> HeaderResult<Progress> {
        let before = self.bytes_read();
        loop {
            let spare = self.spare()?;
            let taken = spare.len().min(bytes.len());
            spare[..taken].copy_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            match self.commit(taken)? {
                Progress::NeedMore { .. } if !bytes.is_empty() => {}
                Progress::Done { .. } => {
                    return Ok(Progress::Done { consumed: (self.header().header_size() - before) as usize });
                }
                need_more @ Progress::NeedMore { .. } => return Ok(need_more),
            }
        }
    }

    /// Memory for the next bytes of the file. The caller writes into it, and then calls [`commit`](Self::commit). This saves
    /// the copy of [`push`](Self::push). Empty once the header is complete.
    ///
    /// # Errors
    ///
    /// If memory cannot be allocated, or if the decoder has failed before.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Read;
    /// use gguf_format::{Decoder, Progress};
    ///
    /// # let file = gguf_format::example_file();
    /// # let mut file = &file[..];
    /// let mut decoder = Decoder::new();
    /// loop {
    ///     let read = file.read(decoder.spare()?)?;
    ///     if read == 0 || matches!(decoder.commit(read)?, Progress::Done { .. }) {
    ///         break;
    ///     }
    /// }
    /// let header = decoder.into_header()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spare(&mut self) -> HeaderResult<&mut [u8]> {
        match &self.items.state {
            State::Done => Ok(&mut []),
            State::Failed(error) => Err(error.clone()),
            _ => {
                self.reserve();
                let ItemReader { header, state, .. } = &mut self.items;
                header.storage.bytes.spare().inspect_err(|error| *state = State::Failed(error.clone()))
            }
        }
    }

    /// Takes the first `n` bytes of [`spare`](Self::spare) as the next bytes of the file.
    ///
    /// # Errors
    ///
    /// If the header cannot be decoded. Every later call returns the same error.
    pub fn commit(&mut self, n: usize) -> HeaderResult<Progress> {
        match &self.items.state {
            State::Done => return Ok(Progress::Done { consumed: 0 }),
            State::Failed(error) => return Err(error.clone()),
            _ => {}
        }
        let before = self.bytes_read();
        self.items.header.storage.bytes.commit(n);
        if self.bytes_read() >= self.items.needed {
            self.items.advance()?;
        }
        Ok(match self.items.state {
            State::Done => Progress::Done { consumed: (self.header().header_size() - before) as usize },
            _ => Progress::NeedMore { at_least: self.items.needed - self.bytes_read() },
        })
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnexpectedEof`](crate::ErrorKind::UnexpectedEof) if the header is not complete. Otherwise the error of an
    /// earlier call.
    pub fn finish(&mut self) -> HeaderResult<()> {
        match &self.items.state {
            State::Done => Ok(()),
            State::Failed(error) => Err(error.clone()),
            _ => Err(self.items.fail_at_end()),
        }
    }

    /// The entries and tensor infos that are complete so far.
    pub fn header(&self) -> &Header {
        &self.items.header
    }

    /// Ends the file, and returns its header.
    ///
    /// # Errors
    ///
    /// Those of [`finish`](Self::finish).
    pub fn into_header(mut self) -> HeaderResult<Header> {
        self.finish()?;
        self.items.header.storage.bytes.shrink();
        Ok(self.items.header)
    }

    /// The number of bytes that have arrived.
    pub fn bytes_read(&self) -> u64 {
        self.items.bytes_read()
    }

    /// Estimates the size of the whole header in bytes, from the part that has arrived. Never less than the end of the next
    /// item.
    ///
    /// # Examples
    ///
    /// ```
    /// # use gguf_format::{Decoder, Format, ValueType, write::encode::{Encoder, OwnedValue}};
    /// # let tokens = OwnedValue::array(ValueType::String, ["token"; 10_000]);
    /// # let file = Encoder::new(Format::default()).header(0, 1).kv(b"tokenizer.ggml.tokens", &tokens).as_bytes().to_vec();
    /// let mut decoder = Decoder::new();
    /// decoder.push(&file[..30_000])?;
    /// let estimate = decoder.estimated_size() as f64;
    /// assert!((estimate / file.len() as f64 - 1.0).abs() < 0.1);
    /// # Ok::<(), gguf_format::Error>(())
    /// ```
    pub fn estimated_size(&self) -> u64 {
        predict::header_size(self.header(), &self.items.partial_entry())
    }

    /// Reserves memory for the estimated rest of the header. A file can announce any size, so the reservation is at most
    /// as large as the bytes that have arrived.
    fn reserve(&mut self) {
        if self.header().storage.bytes.needs_reservation() {
            let arrived = self.bytes_read();
            let expected = self.estimated_size().saturating_sub(arrived).clamp(arrived / 16, arrived);
            self.items.header.storage.bytes.reserve(expected, 0);
        }
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}
