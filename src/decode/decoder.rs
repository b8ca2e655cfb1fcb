//! The push state machine that builds a [`Header`].
//!
//! An item is read when all its bytes have arrived, from the retained bytes, and the position then
//! moves past it for good. So nothing is accumulated in a state and no value is begun twice; arrays
//! inside arrays stand on a bounded stack.

use alloc::vec::Vec;

use crate::decode::predict::{self, PartialArray, Reading};
use crate::error::{Error, ErrorKind, Result};
use crate::format::header::Header;
use crate::format::storage::{ArrayIndex, STRIDE};
use crate::format::value::{Str, ValueType};
use crate::format::version::{Format, MAGIC};
use crate::limits::{Limit, Limits};

/// Reads the header of a file that is in memory, as a whole or at least as far as the header goes.
///
/// # Errors
///
/// If the header cannot be read: see [`ErrorKind`].
///
/// # Examples
///
/// ```
#[doc = include_str!("../doc_example.txt")]
/// let header = gguf_wasm::parse(&file)?;
/// assert_eq!(header.get("general.architecture").unwrap().value().as_str().unwrap(), "llama");
/// assert_eq!(header.tensor("output.weight").unwrap().ggml_type().to_string(), "Q4_0");
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn parse(bytes: &[u8]) -> Result<Header> {
    let mut decoder = Decoder::new();
    decoder.push(bytes)?;
    decoder.into_header()
}

/// Builds a [`Header`] from bytes that arrive in pieces of any size.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{Decoder, Progress};
///
#[doc = include_str!("../doc_example.txt")]
/// let mut decoder = Decoder::new();
/// for piece in file.chunks(7) {
///     if let Progress::Done { .. } = decoder.push(piece)? {
///         break;
///     }
/// }
/// let header = decoder.into_header()?;
/// assert_eq!(header.tensors().len(), 1);
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub struct Decoder {
    header: Header,
    limits: Limits,
    state: State,
    /// File offset up to which items have been read.
    position: u64,
    /// File offset up to which the next item reaches, as far as is known.
    needed: u64,
    /// The next item, for the error if the file ends in it.
    item: &'static str,
    /// File offset of the metadata entry or the tensor info that is being read.
    start: u64,
    /// The arrays that are being read, the outermost first.
    arrays: Vec<UnfinishedArray>,
    /// The size of the header, if the caller knows it.
    known_size: Option<u64>,
}

/// What comes next.
enum State {
    Magic,
    Version,
    Counts,
    Key,
    ValueType,
    Value(ValueType),
    ArrayStart,
    Elements,
    TensorName,
    DimensionCount,
    /// Dimensions, type and offset, up to a file offset.
    TensorRest(u64),
    Done,
    Failed(Error),
}

struct UnfinishedArray {
    element_type: ValueType,
    index: u64,
    len: u64,
    /// The array's place in the header's list of arrays with known offsets.
    known: Option<usize>,
}

/// How far the header is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The header is not complete.
    NeedMore {
        /// Bytes that are at least still missing.
        at_least: u64,
    },
    /// The header is complete.
    Done {
        /// How many of the bytes that were just given belong to the header; the rest was ignored.
        consumed: usize,
    },
}

impl Decoder {
    /// A decoder with the default [`Limits`].
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// A decoder with limits of one's own.
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            header: Header::default(),
            limits,
            state: State::Magic,
            position: 0,
            needed: MAGIC.len() as u64,
            item: "the magic",
            start: 0,
            arrays: Vec::new(),
            known_size: None,
        }
    }

    /// A decoder without limits, for a header of a known size. It takes the memory for all of it at once.
    #[cfg(any(feature = "web", test))]
    pub(crate) fn with_known_size(header_size: u64) -> Self {
        Self { known_size: Some(header_size), ..Self::with_limits(Limits::none()) }
    }

    /// Takes the next bytes of the file, as many as there are.
    ///
    /// Copies what belongs to the header and ignores what follows it.
    ///
    /// # Errors
    ///
    /// If the header cannot be read; the same again on every later call.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<Progress> {
        let before = self.bytes_read();
        loop {
            let spare = self.spare()?;
            let taken = spare.len().min(bytes.len());
            spare[..taken].copy_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            match self.commit(taken)? {
                Progress::NeedMore { .. } if !bytes.is_empty() => {}
                Progress::Done { .. } => {
                    return Ok(Progress::Done { consumed: (self.bytes_read() - before) as usize });
                }
                need_more @ Progress::NeedMore { .. } => return Ok(need_more),
            }
        }
    }

    /// Memory into which the next bytes can be written without another copy; [`commit`](Self::commit)
    /// then says how many they were. Empty once the header is complete.
    ///
    /// # Errors
    ///
    /// If there is no memory for them, or the decoder has failed before.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Read;
    /// use gguf_wasm::{Decoder, Progress};
    ///
    #[doc = include_str!("../doc_example.txt")]
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
    pub fn spare(&mut self) -> Result<&mut [u8]> {
        match &self.state {
            State::Done => Ok(&mut []),
            State::Failed(error) => Err(error.clone()),
            _ => {
                self.make_room();
                self.header.storage.bytes.spare().inspect_err(|error| self.state = State::Failed(error.clone()))
            }
        }
    }

    /// Counts the first `n` bytes of [`spare`](Self::spare) as arrived, and reads what has become
    /// complete.
    ///
    /// # Errors
    ///
    /// If the header cannot be read; the same again on every later call.
    pub fn commit(&mut self, n: usize) -> Result<Progress> {
        match &self.state {
            State::Done => return Ok(Progress::Done { consumed: 0 }),
            State::Failed(error) => return Err(error.clone()),
            _ => {}
        }
        let before = self.bytes_read();
        self.header.storage.bytes.commit(n);
        if self.bytes_read() >= self.needed {
            self.advance()?;
        }
        Ok(match self.state {
            State::Done => Progress::Done { consumed: (self.header.header_size() - before) as usize },
            _ => Progress::NeedMore { at_least: self.needed - self.bytes_read() },
        })
    }

    /// Says that there are no more bytes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnexpectedEof`] if the header is not complete, or what has failed before.
    pub fn finish(&mut self) -> Result<()> {
        match &self.state {
            State::Done => Ok(()),
            State::Failed(error) => Err(error.clone()),
            _ => {
                let (needed, available) = (self.needed - self.position, self.bytes_read() - self.position);
                let kind = ErrorKind::UnexpectedEof { item: self.item, needed, available };
                Err(self.fail(Error::new(kind, self.position)))
            }
        }
    }

    /// What is known so far.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The header, there being no more bytes.
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish).
    pub fn into_header(mut self) -> Result<Header> {
        self.finish()?;
        Ok(self.header)
    }

    /// Bytes of the header that have arrived.
    pub fn bytes_read(&self) -> u64 {
        self.header.storage.bytes.len()
    }

    /// Estimates the size of the whole header in bytes, from what is known of it: never less than what is
    /// being read is known to take.
    ///
    /// # Examples
    ///
    /// ```
    /// # use gguf_wasm::{Decoder, Format, ValueType, encode::{Encoder, OwnedValue}};
    /// # let tokens = OwnedValue::array(ValueType::String, ["token"; 10_000]);
    /// # let file = Encoder::new(Format::default()).header(0, 1).kv(b"tokenizer.ggml.tokens", &tokens).as_bytes().to_vec();
    /// let mut decoder = Decoder::new();
    /// decoder.push(&file[..30_000])?;
    /// let estimate = decoder.estimated_size() as f64;
    /// assert!((estimate / file.len() as f64 - 1.0).abs() < 0.1);
    /// # Ok::<(), gguf_wasm::Error>(())
    /// ```
    pub fn estimated_size(&self) -> u64 {
        let storage = &self.header.storage;
        let in_entry = !matches!(self.state, State::Magic | State::Version | State::Counts | State::Key | State::Done);
        let array = self.arrays.first().and_then(|array| {
            let offsets = &storage.arrays.get(array.known?)?.offsets;
            let middle = offsets.len().saturating_sub(1) / 2;
            let (half, half_index) = (*offsets.get(middle)?, middle as u64 * STRIDE);
            Some(PartialArray { half, half_index, position: self.position, index: array.index, len: array.len })
        });
        let key = (in_entry && !self.header.has_all_metadata()).then(|| Str::at(storage, self.start));
        predict::header_size(&self.header, &Reading { needed: self.needed.max(self.position), key, array })
    }

    /// Makes room for what is estimated to come, but for no more bytes than have arrived: a file can claim anything.
    fn make_room(&mut self) {
        if self.header.storage.bytes.is_out_of_room() {
            let arrived = self.bytes_read();
            let expected = self.estimated_size().saturating_sub(arrived).clamp(arrived / 16, arrived);
            self.header.storage.bytes.make_room(expected, 0);
        }
    }

    fn fail(&mut self, error: Error) -> Error {
        self.state = State::Failed(error.clone());
        error
    }

    /// Reads items until one is not complete.
    fn advance(&mut self) -> Result<()> {
        loop {
            match self.step() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) => return Err(self.fail(error)),
            }
        }
    }

    /// Reads the next item, if all its bytes have arrived.
    fn step(&mut self) -> Result<bool> {
        let at = self.position;
        let length_size = self.header.storage.format.length_size();
        match self.state {
            State::Magic => {
                if !self.has(at + 4, "the magic")? {
                    return Ok(false);
                }
                let found = self.header.storage.bytes.array(at);
                if found != MAGIC {
                    return Err(Error::new(ErrorKind::BadMagic { found }, at));
                }
                self.go(at + 4, State::Version);
            }
            State::Version => {
                if !self.has(at + 4, "the version")? {
                    return Ok(false);
                }
                let format = Format::from_version_bytes(self.header.storage.bytes.array(at));
                if !(1..=3).contains(&format.version) {
                    return Err(Error::new(ErrorKind::UnsupportedVersion { found: format.version }, at));
                }
                self.header.storage.format = format;
                self.go(at + 4, State::Counts);
            }
            State::Counts => {
                let (metadata_at, end) = (at + length_size, at + 2 * length_size);
                if !self.has(end, "the counts of tensors and metadata entries")? {
                    return Ok(false);
                }
                let tensor_count = self.header.storage.length(at);
                let metadata_count = self.header.storage.length(metadata_at);
                check(Limit::TensorCount, tensor_count, self.limits.tensor_count, at)?;
                check(Limit::MetadataCount, metadata_count, self.limits.metadata_count, metadata_at)?;
                self.header.announce(tensor_count, metadata_count, end);
                if let Some(size) = self.known_size {
                    self.header.make_room(size);
                }
                self.go(end, State::Key);
                return self.next_entry();
            }
            State::Key => {
                let Some(end) = self.string_end(at, "a key")? else { return Ok(false) };
                self.go(end, State::ValueType);
            }
            State::ValueType => {
                if !self.has(at + 4, "a value type")? {
                    return Ok(false);
                }
                let value_type = self.value_type(at)?;
                let value = if value_type == ValueType::Array { State::ArrayStart } else { State::Value(value_type) };
                self.go(at + 4, value);
            }
            State::Value(value_type) => {
                let end = match value_type.size() {
                    Some(size) => self.has(at + size, value_type.name())?.then_some(at + size),
                    None => self.string_end(at, "a string")?,
                };
                let Some(end) = end else { return Ok(false) };
                return self.end_value(end);
            }
            State::ArrayStart => return self.array_start(at),
            State::Elements => return self.elements(),
            State::TensorName => {
                let Some(end) = self.string_end(at, "a tensor's name")? else { return Ok(false) };
                self.go(end, State::DimensionCount);
            }
            State::DimensionCount => {
                if !self.has(at + 4, "a tensor's dimension count")? {
                    return Ok(false);
                }
                let count = u64::from(self.header.storage.u32(at));
                check(Limit::DimensionCount, count, self.limits.dimension_count, at)?;
                self.go(at + 4, State::TensorRest(at + 4 + count * length_size + 12));
            }
            State::TensorRest(end) => {
                if !self.has(end, "a tensor's dimensions, type and offset")? {
                    return Ok(false);
                }
                self.header.push_tensor(self.start..end)?;
                self.go(end, State::TensorName);
                return self.next_entry();
            }
            State::Done | State::Failed(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Begins the next metadata entry or tensor info, or ends the header.
    fn next_entry(&mut self) -> Result<bool> {
        self.start = self.position;
        if self.header.is_whole() {
            self.header.complete()?;
            self.state = State::Done;
        } else {
            self.state = if self.header.has_all_metadata() { State::TensorName } else { State::Key };
        }
        Ok(true)
    }

    /// Ends the value that reaches up to `end`: the entry's, or an element of an array.
    fn end_value(&mut self, end: u64) -> Result<bool> {
        self.go(end, State::Elements);
        if self.arrays.is_empty() {
            self.header.push_metadata(self.start..end)?;
            return self.next_entry();
        }
        Ok(true)
    }

    fn array_start(&mut self, at: u64) -> Result<bool> {
        let length_size = self.header.storage.format.length_size();
        let start = at + 4 + length_size;
        if !self.has(start, "an array's element type and length")? {
            return Ok(false);
        }
        let element_type = self.value_type(at)?;
        let len = self.header.storage.length(at + 4);
        check(Limit::ArrayLength, len, self.limits.array_length, at + 4)?;
        check(Limit::ArrayDepth, self.arrays.len() as u64 + 1, self.limits.array_depth, at)?;
        let least = match element_type {
            ValueType::String => length_size,
            ValueType::Array => 4 + length_size,
            _ => element_type.size().unwrap_or(0),
        };
        // Says at once what would otherwise be found only after a gigabyte has been read.
        let end = start.saturating_add(len.saturating_mul(least));
        check(Limit::HeaderBytes, end, self.limits.header_bytes, at)?;
        if element_type.size().is_some() {
            return if self.has(end, "an array")? { self.end_value(end) } else { Ok(false) };
        }
        let known = if len > STRIDE { Some(self.add_array_index(start)?) } else { None };
        reserve(&mut self.arrays, at)?;
        self.arrays.push(UnfinishedArray { element_type, index: 0, len, known });
        self.go(start, State::Elements);
        Ok(true)
    }

    fn add_array_index(&mut self, start: u64) -> Result<usize> {
        let arrays = &mut self.header.storage.arrays;
        reserve(arrays, start)?;
        arrays.push(ArrayIndex { start, end: start, offsets: Vec::new() });
        Ok(arrays.len() - 1)
    }

    /// Reads elements of the innermost array until one is not complete or is an array itself.
    fn elements(&mut self) -> Result<bool> {
        let Some(mut array) = self.arrays.pop() else { return Ok(false) };
        while array.index < array.len {
            let at = self.position;
            if let Some(known) = array.known
                && array.index % STRIDE == 0
            {
                let offsets = &mut self.header.storage.arrays[known].offsets;
                // Not again, if the element's bytes were not all there the last time.
                if offsets.len() as u64 == array.index / STRIDE {
                    reserve(offsets, at)?;
                    offsets.push(at);
                }
            }
            if array.element_type == ValueType::Array {
                array.index += 1;
                self.arrays.push(array);
                self.state = State::ArrayStart;
                return Ok(true);
            }
            let count = (array.len - array.index).min(STRIDE - array.index % STRIDE);
            let (readable, longest) = (self.readable(), self.limits.string_bytes);
            let (passed, end) = self.header.storage.pass_strings(at, readable, count, longest);
            if passed > 0 {
                array.index += passed;
                self.position = end;
                continue;
            }
            match self.string_end(at, "a string in an array")? {
                Some(end) => {
                    array.index += 1;
                    self.position = end;
                }
                None => {
                    self.arrays.push(array);
                    return Ok(false);
                }
            }
        }
        if let Some(known) = array.known {
            self.header.storage.arrays[known].end = self.position;
        }
        self.end_value(self.position)
    }

    fn go(&mut self, position: u64, state: State) {
        self.position = position;
        self.state = state;
    }

    /// File offset up to which items may be read: what has arrived, and no more than is allowed.
    fn readable(&self) -> u64 {
        self.bytes_read().min(self.limits.header_bytes)
    }

    /// Whether the item at the position, which reaches up to `end`, has arrived.
    #[inline]
    fn has(&mut self, end: u64, item: &'static str) -> Result<bool> {
        if end <= self.readable() {
            return Ok(true);
        }
        check(Limit::HeaderBytes, end, self.limits.header_bytes, self.position)?;
        self.needed = end;
        self.item = item;
        Ok(false)
    }

    /// File offset after the string at `at`, if it has arrived.
    #[inline]
    fn string_end(&mut self, at: u64, item: &'static str) -> Result<Option<u64>> {
        let start = at + self.header.storage.format.length_size();
        if !self.has(start, item)? {
            return Ok(None);
        }
        let len = self.header.storage.length(at);
        check(Limit::StringBytes, len, self.limits.string_bytes, at)?;
        let end = start.saturating_add(len);
        Ok(self.has(end, item)?.then_some(end))
    }

    fn value_type(&self, at: u64) -> Result<ValueType> {
        let found = self.header.storage.u32(at);
        ValueType::from_id(found).ok_or(Error::new(ErrorKind::UnknownValueType { found }, at))
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

#[inline]
fn check(limit: Limit, found: u64, allowed: u64, offset: u64) -> Result<()> {
    if found > allowed {
        return Err(Error::new(ErrorKind::LimitExceeded { limit, found, allowed }, offset));
    }
    Ok(())
}

/// Room for one more element, without a trap where there is none.
fn reserve<T>(elements: &mut Vec<T>, offset: u64) -> Result<()> {
    let bytes = (elements.len() * 2 * size_of::<T>()) as u64;
    elements.try_reserve(1).map_err(|_| Error::new(ErrorKind::TooLarge { bytes }, offset))
}
