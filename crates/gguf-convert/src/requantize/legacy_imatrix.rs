//! Importance matrices in the older binary form, which `llama-imatrix` wrote until 2025. All numbers are little-endian.
//!
//! ```text
//! entries    i32, then for each entry:
//!   length   i32
//!   name     that many bytes
//!   calls    i32
//!   values   i32
//!   sums     that many f32
//! chunks     i32, optional
//! length     i32, optional
//! dataset    that many bytes, optional
//! ```

use alloc::{boxed::Box, collections::BTreeMap, rc::Rc, string::String, string::ToString, vec::Vec};
use core::ops::Range;

use super::imatrix::{Counts, Imatrix, ImatrixEntry, ReadSums, Sums, wrong};
use gguf_format::error::Result;
use gguf_format::error::shown::Shown;
use gguf_format::io::{Buffer, Merge, RangeReader, Source};

/// Bytes that are read at once.
const BYTES_AT_ONCE: u64 = 256 << 10;

/// The longest name in bytes. Tensor names have at most 63.
const LONGEST_NAME: i32 = 4096;

/// The most entries.
const MOST_ENTRIES: i32 = 1 << 20;

struct LegacySums<S: Source>(Rc<RangeReader<S>>);

impl<S: Source> Sums for LegacySums<S> {
    fn read<'a>(&'a self, entry: &'a ImatrixEntry, range: Range<u64>) -> ReadSums<'a> {
        Box::pin(async move {
            let bytes = entry.place + 4 * range.start..entry.place + 4 * range.end;
            if bytes.is_empty() {
                return Ok(Vec::new());
            }
            let buffer = self.0.request(bytes, Merge::Close).bytes().await?;
            let mut bytes = gguf_format::io::memory::zeros(buffer.len())?;
            buffer.copy_to(&mut bytes)?;
            Ok(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
        })
    }
}

/// Reads the entries of a file.
pub(super) async fn open<S: Source>(source: S, file_name: &str) -> Result<Imatrix> {
    let mut reader = Reader { source: &source, position: 0, bytes: Vec::new(), used: 0, is_at_end: false };
    let count = reader.number("the number of entries").await?;
    if !(1..=MOST_ENTRIES).contains(&count) {
        return Err(wrong(
            &format!("it begins neither with \"GGUF\" nor with a number of entries, but with {count}"),
            0,
        ));
    }
    let mut entries = BTreeMap::new();
    for _ in 0..count {
        let start = reader.offset();
        let length = reader.number("the length of a name").await?;
        if !(1..=LONGEST_NAME).contains(&length) {
            return Err(wrong(&format!("a name has {length} bytes, expected 1 to {LONGEST_NAME}"), start));
        }
        let name = reader.take(length as usize, "a name").await?;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
        let calls = reader.number("a number of calls").await?;
        let start = reader.offset();
        let value_count = reader.number("a number of values").await?;
        if value_count < 1 {
            let name = Shown(&name);
            return Err(wrong(&format!("tensor \"{name}\" has {value_count} values, expected at least 1"), start));
        }
        let place = reader.offset();
        let broken_at = reader.check_floats(value_count as u64, &name).await?;
        let entry = ImatrixEntry { value_count: value_count as u64, place, counts: Counts::OfCalls(calls), broken_at };
        entries.insert(name, entry);
    }
    let (mut chunk_count, mut datasets) = (None, Vec::new());
    if reader.has(4).await? {
        chunk_count = u32::try_from(reader.number("the number of chunks").await?).ok();
        if reader.has(4).await? {
            let length = reader.number("the length of the dataset's name").await?;
            if (1..=LONGEST_NAME).contains(&length) && reader.has(length as usize).await? {
                let name = reader.take(length as usize, "the dataset's name").await?;
                let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
                datasets.push(String::from_utf8_lossy(name).into_owned());
            }
        }
    }
    let file_name = file_name.to_string();
    let sums = Box::new(LegacySums(RangeReader::new(source)));
    Ok(Imatrix { file_name, entries, datasets, chunk_count, sums })
}

/// Reads a file from the start to the end.
struct Reader<'a, S: Source> {
    source: &'a S,
    /// The position of `bytes` in the file.
    position: u64,
    bytes: Vec<u8>,
    /// The bytes of `bytes` that have been taken.
    used: usize,
    is_at_end: bool,
}

impl<S: Source> Reader<'_, S> {
    /// The position in the file.
    fn offset(&self) -> u64 {
        self.position + self.used as u64
    }

    /// Reads until `length` more bytes are there. Returns whether the file has them.
    async fn has(&mut self, length: usize) -> Result<bool> {
        while self.bytes.len() - self.used < length && !self.is_at_end {
            let start = self.position + self.bytes.len() as u64;
            let read = self.source.read(start..start + BYTES_AT_ONCE).await?;
            self.is_at_end = read.len() < BYTES_AT_ONCE;
            self.position += self.used as u64;
            self.bytes.drain(..self.used);
            self.used = 0;
            let old = self.bytes.len();
            self.bytes.resize(old + read.len() as usize, 0);
            read.copy_to(&mut self.bytes[old..])?;
        }
        Ok(self.bytes.len() - self.used >= length)
    }

    async fn take(&mut self, length: usize, what: &str) -> Result<&[u8]> {
        if !self.has(length).await? {
            return Err(wrong(&format!("the file ends within {what}"), self.offset()));
        }
        self.used += length;
        Ok(&self.bytes[self.used - length..self.used])
    }

    async fn number(&mut self, what: &str) -> Result<i32> {
        let bytes = self.take(4, what).await?;
        Ok(bytes.first_chunk().map_or(0, |bytes| i32::from_le_bytes(*bytes)))
    }

    /// Passes values. Returns the offset of the first one that is not finite.
    async fn check_floats(&mut self, mut count: u64, name: &[u8]) -> Result<Option<u64>> {
        let mut broken_at = None;
        while count > 0 {
            let part = count.min(BYTES_AT_ONCE / 4);
            let start = self.offset();
            let what = format!("the values of tensor \"{}\"", Shown(name));
            let bytes = self.take(part as usize * 4, &what).await?;
            let mut floats = (start..).step_by(4).zip(bytes.as_chunks().0);
            let first = floats.find(|(_, bytes)| !f32::from_le_bytes(**bytes).is_finite());
            broken_at = broken_at.or(first.map(|(offset, _)| offset));
            count -= part;
        }
        Ok(broken_at)
    }
}
