//! The incremental decoder: an item is read when all its bytes have arrived.

use alloc::vec::Vec;
use core::ops::Range;

use super::item::{Item, Read, Stop};
use super::refusal::refusal;
use super::tensor::{ALIGNMENT, read_tensor};
use super::value::{read_value, value_type};
use crate::read::PieceDecoder;
use gguf_format::error::{Error, ErrorCode, Result, no_memory};
use gguf_format::format::version::{Format, MAGIC};
use gguf_format::limits::Limits;
use gguf_format::write::checks::key_taken;
use gguf_format::write::writer::Writer;

/// Bytes that are read at once.
const BYTES_AT_ONCE: u64 = 256 << 10;

/// Decodes a file in the layout of the draft from bytes that arrive in pieces of any size.
pub(super) struct Decoder<'a> {
    limits: &'a Limits,
    /// The position of the next byte that is pushed.
    position: u64,
    /// The bytes of the item that is not complete.
    kept: Vec<u8>,
    /// A lower bound of the size of the item.
    needed: u64,
    state: State,
    /// The new file.
    writer: Writer,
    /// Where the data of each tensor lies.
    data: Vec<Range<u64>>,
}

#[derive(Clone, Copy)]
enum State {
    Preamble,
    /// The numbers of entries and tensors that follow.
    Entry {
        entries: u32,
        tensors: u32,
    },
    Padding {
        tensors: u32,
    },
    Tensor {
        tensors: u32,
    },
    Done,
}

impl PieceDecoder for Decoder<'_> {
    fn next_range(&self, size: Option<u64>) -> Range<u64> {
        let end = if self.is_complete() { self.position } else { self.position + BYTES_AT_ONCE };
        self.position..end.min(size.unwrap_or(end)).max(self.position)
    }

    fn push_at(&mut self, _: u64, bytes: &[u8]) -> Result<()> {
        self.push(bytes)
    }
}

impl<'a> Decoder<'a> {
    pub fn new(limits: &'a Limits) -> Result<Self> {
        Ok(Self {
            limits,
            position: 0,
            kept: Vec::new(),
            needed: 16,
            state: State::Preamble,
            writer: Writer::new(Format::default())?,
            data: Vec::new(),
        })
    }

    /// Whether all tensor infos have been read.
    pub fn is_complete(&self) -> bool {
        matches!(self.state, State::Done)
    }

    /// Takes the next bytes of the file.
    fn push(&mut self, bytes: &[u8]) -> Result<()> {
        let most = self.limits.header_bytes;
        if self.position > most {
            return Err(refusal(
                ErrorCode::LimitExceeded,
                "the header",
                most,
                self.position,
                "a header within the limit",
            ));
        }
        self.kept.try_reserve(bytes.len()).map_err(|_| no_memory(bytes.len() as u64))?;
        self.kept.extend_from_slice(bytes);
        self.position += bytes.len() as u64;
        let kept = core::mem::take(&mut self.kept);
        let mut at = 0;
        while !self.is_complete() && (kept.len() - at) as u64 >= self.needed {
            let mut item = Item::new(&kept[at..], self.position - (kept.len() - at) as u64);
            match self.read(&mut item) {
                Ok(()) => {
                    at += item.length();
                    self.needed = 1;
                }
                Err(Stop::Incomplete(needed)) => self.needed = needed,
                Err(Stop::Refused(error)) => return Err(error),
            }
        }
        self.kept = kept;
        self.kept.drain(..at);
        Ok(())
    }

    /// The error of a file that ends before its header does.
    pub fn ends_here(&self) -> Error {
        let at = self.position - self.kept.len() as u64;
        refusal(ErrorCode::UnexpectedEof, "an item", at, self.kept.len() as u64, "more bytes")
    }

    /// The new file, and where the data of its tensors lies in the old one.
    pub fn finish(self) -> (Writer, Vec<Range<u64>>) {
        (self.writer, self.data)
    }

    /// Reads the next item.
    fn read(&mut self, item: &mut Item<'_>) -> Read<()> {
        match self.state {
            State::Preamble => {
                let (magic, version) = (item.u32()?, item.u32()?);
                let (tensors, entries) = (item.u32()?, item.u32()?);
                check_preamble(magic, version)?;
                self.expect_entries(entries, tensors);
            }
            State::Entry { entries, tensors } => {
                self.read_entry(item)?;
                self.expect_entries(entries - 1, tensors);
            }
            State::Padding { tensors } => {
                let at = item.offset();
                // The formula of the draft pads by 64 bytes if nothing is needed. No tensor info begins with 64 zeros.
                let needed = ALIGNMENT - at % ALIGNMENT;
                let mut after = *item;
                if after.bytes(needed)?.iter().all(|byte| *byte == 0) {
                    *item = after;
                } else if !at.is_multiple_of(ALIGNMENT) {
                    return Err(refusal(ErrorCode::BadStructure, "the padding", at, needed, "as many zeros").into());
                }
                self.expect_tensors(tensors);
            }
            State::Tensor { tensors } => {
                self.data.push(read_tensor(item, self.limits, &mut self.writer)?);
                self.expect_tensors(tensors - 1);
            }
            State::Done => {}
        }
        Ok(())
    }

    fn expect_entries(&mut self, entries: u32, tensors: u32) {
        self.state = match (entries, tensors) {
            (0, 0) => State::Done,
            (0, _) => State::Padding { tensors },
            _ => State::Entry { entries, tensors },
        };
    }

    fn expect_tensors(&mut self, tensors: u32) {
        self.state = if tensors == 0 { State::Done } else { State::Tensor { tensors } };
    }

    fn read_entry(&mut self, item: &mut Item<'_>) -> Read<()> {
        let at = item.offset();
        let key_length = item.u32()?;
        let key = item.bytes(key_length.into())?;
        let value_length = item.u32()?;
        let type_at = item.offset();
        // A type that the draft does not have is reported before the bytes of its value arrive.
        let value_type = value_type(item.u32()?, type_at)?;
        let value_at = item.offset();
        let value = read_value(value_type, Item::new(item.bytes(value_length.into())?, value_at), self.limits)?;
        let added = match self.writer.get(key) {
            Some(_) => Err(key_taken(key)),
            None => self.writer.put(key, value),
        };
        Ok(added.map_err(|error| error.at(at))?)
    }
}

fn check_preamble(magic: u32, version: u32) -> Result<()> {
    if magic != u32::from_le_bytes(MAGIC) {
        return Err(refusal(ErrorCode::BadMagic, "the magic", 0, magic.into(), "1179993927, the letters GGUF"));
    }
    match version {
        1 => Ok(()),
        _ => Err(refusal(ErrorCode::UnsupportedVersion, "the version", 4, version.into(), "1")),
    }
}
