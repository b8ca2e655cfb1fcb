//! The state machine of the decoder: one step for each item of the header.
//!
//! The header is a sequence of items: numbers, strings, and the parts of a tensor info. An item is read when all its bytes
//! have arrived, from the retained bytes, and is never read again. So a state holds no partial value. Arrays inside arrays
//! are on a stack of limited depth, so there is no recursion.

use alloc::vec::Vec;

use super::predict::{PartialArray, PartialEntry};
use crate::error::{ErrorKind, HeaderError, HeaderResult};
use crate::format::header::Header;
use crate::format::storage::{ArrayIndex, STRIDE};
use crate::format::value::{Str, ValueType};
use crate::format::version::{Format, MAGIC};
use crate::limits::{Limit, Limits};

/// Reads the items of a header from the bytes that have arrived.
pub(super) struct ItemReader {
    /// The header so far. It keeps the bytes that have arrived.
    pub header: Header,
    pub state: State,
    /// File offset up to which bytes must arrive before the next item can be read, as far as is known.
    pub needed: u64,
    limits: Limits,
    /// File offset of the next item.
    position: u64,
    /// The name of the next item, for the error if the file ends in it.
    item: &'static str,
    /// File offset of the metadata entry or tensor info that the next item belongs to.
    start: u64,
    /// The arrays that the next item belongs to, the outermost first.
    arrays: Vec<UnfinishedArray>,
    /// The size of the header, if the caller knows it.
    known_size: Option<u64>,
}

/// The next item.
pub(super) enum State {
    Magic,
    Version,
    /// The counts of tensors and metadata entries.
    Counts,
    Key,
    ValueType,
    /// A value that is not an array.
    Value(ValueType),
    /// The element type and length of an array.
    ArrayStart,
    /// The elements of the innermost array.
    Elements,
    TensorName,
    DimensionCount,
    /// The dimensions, the type and the offset of a tensor, up to a file offset.
    TensorRest(u64),
    Done,
    Failed(HeaderError),
}

/// An array of strings or arrays whose elements have not all been read.
struct UnfinishedArray {
    element_type: ValueType,
    /// The number of elements that have been read.
    index: u64,
    len: u64,
    /// The position of the array's index in `Storage::arrays`, if it is long enough to have one.
    array_index: Option<usize>,
}

impl ItemReader {
    /// A reader at the start of a file. `known_size` is the size of the header, if the caller knows it.
    pub fn new(limits: Limits, known_size: Option<u64>) -> Self {
        Self {
            header: Header::default(),
            state: State::Magic,
            needed: MAGIC.len() as u64,
            limits,
            position: 0,
            item: "the magic",
            start: 0,
            arrays: Vec::new(),
            known_size,
        }
    }

    /// The number of bytes that have arrived.
    pub fn bytes_read(&self) -> u64 {
        self.header.storage.bytes.len()
    }

    /// The metadata entry or tensor info that the next item belongs to.
    pub fn partial_entry(&self) -> PartialEntry<'_> {
        let storage = &self.header.storage;
        let in_entry = !matches!(self.state, State::Magic | State::Version | State::Counts | State::Key | State::Done);
        let array = self.arrays.first().and_then(|array| {
            let offsets = &storage.arrays.get(array.array_index?)?.offsets;
            let middle = offsets.len().saturating_sub(1) / 2;
            let (half, half_index) = (*offsets.get(middle)?, middle as u64 * STRIDE);
            Some(PartialArray { half, half_index, position: self.position, index: array.index, len: array.len })
        });
        let key = (in_entry && !self.header.has_all_metadata()).then(|| Str::at(storage, self.start));
        PartialEntry { end: self.needed.max(self.position), key, array }
    }

    /// Stops the reader, because the file ends before the next item does.
    pub fn fail_at_end(&mut self) -> HeaderError {
        let (needed, available) = (self.needed - self.position, self.bytes_read() - self.position);
        let kind = ErrorKind::UnexpectedEof { item: self.item, needed, available };
        self.fail(HeaderError::new(kind, self.position))
    }

    /// Reads items until one is incomplete.
    pub fn advance(&mut self) -> HeaderResult<()> {
        loop {
            match self.step() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) => return Err(self.fail(error)),
            }
        }
    }

    /// Reads the next item. Returns false if its bytes have not all arrived.
    fn step(&mut self) -> HeaderResult<bool> {
        let at = self.position;
        let length_size = self.header.storage.format.length_size();
        match self.state {
            State::Magic => {
                if !self.has_arrived(at + 4, "the magic")? {
                    return Ok(false);
                }
                let found = self.header.storage.bytes.array(at);
                if found != MAGIC {
                    return Err(HeaderError::new(ErrorKind::BadMagic { found }, at));
                }
                self.move_to(at + 4, State::Version);
            }
            State::Version => {
                if !self.has_arrived(at + 4, "the version")? {
                    return Ok(false);
                }
                let format = Format::from_version_bytes(self.header.storage.bytes.array(at));
                if !(1..=3).contains(&format.version) {
                    return Err(HeaderError::new(ErrorKind::UnsupportedVersion { found: format.version }, at));
                }
                self.header.storage.format = format;
                self.move_to(at + 4, State::Counts);
            }
            State::Counts => {
                let (metadata_at, end) = (at + length_size, at + 2 * length_size);
                if !self.has_arrived(end, "the counts of tensors and metadata entries")? {
                    return Ok(false);
                }
                let tensor_count = self.header.storage.length(at);
                let metadata_count = self.header.storage.length(metadata_at);
                check(Limit::TensorCount, tensor_count, self.limits.tensor_count, at)?;
                check(Limit::MetadataCount, metadata_count, self.limits.metadata_count, metadata_at)?;
                self.header.set_counts(tensor_count, metadata_count, end);
                if let Some(size) = self.known_size {
                    self.header.reserve(size);
                }
                self.move_to(end, State::Key);
                return self.next_entry();
            }
            State::Key => {
                let Some(end) = self.string_end(at, "a key")? else { return Ok(false) };
                self.move_to(end, State::ValueType);
            }
            State::ValueType => {
                if !self.has_arrived(at + 4, "a value type")? {
                    return Ok(false);
                }
                let value_type = self.value_type(at)?;
                let value = if value_type == ValueType::Array { State::ArrayStart } else { State::Value(value_type) };
                self.move_to(at + 4, value);
            }
            State::Value(value_type) => {
                let end = match value_type.size() {
                    Some(size) => self.has_arrived(at + size, value_type.name())?.then_some(at + size),
                    None => self.string_end(at, "a string")?,
                };
                let Some(end) = end else { return Ok(false) };
                return self.end_value(end);
            }
            State::ArrayStart => return self.array_start(at),
            State::Elements => return self.elements(),
            State::TensorName => {
                let Some(end) = self.string_end(at, "a tensor's name")? else { return Ok(false) };
                self.move_to(end, State::DimensionCount);
            }
            State::DimensionCount => {
                if !self.has_arrived(at + 4, "a tensor's dimension count")? {
                    return Ok(false);
                }
                let count = u64::from(self.header.storage.u32(at));
                check(Limit::DimensionCount, count, self.limits.dimension_count, at)?;
                self.move_to(at + 4, State::TensorRest(at + 4 + count * length_size + 12));
            }
            State::TensorRest(end) => {
                if !self.has_arrived(end, "a tensor's dimensions, type and offset")? {
                    return Ok(false);
                }
                self.header.push_tensor(self.start..end)?;
                self.move_to(end, State::TensorName);
                return self.next_entry();
            }
            State::Done | State::Failed(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Begins the next metadata entry or tensor info, or ends the header.
    fn next_entry(&mut self) -> HeaderResult<bool> {
        self.start = self.position;
        if self.header.is_complete() {
            self.header.complete()?;
            self.state = State::Done;
        } else {
            self.state = if self.header.has_all_metadata() { State::TensorName } else { State::Key };
        }
        Ok(true)
    }

    /// Ends the value at file offset `end`: the value of an entry, or an element of an array.
    fn end_value(&mut self, end: u64) -> HeaderResult<bool> {
        self.move_to(end, State::Elements);
        if self.arrays.is_empty() {
            self.header.push_metadata(self.start..end)?;
            return self.next_entry();
        }
        Ok(true)
    }

    /// Reads the element type and the length of an array. Elements of fixed size are one item together with them.
    fn array_start(&mut self, at: u64) -> HeaderResult<bool> {
        let length_size = self.header.storage.format.length_size();
        let start = at + 4 + length_size;
        if !self.has_arrived(start, "an array's element type and length")? {
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
        // Without this check, a length that exceeds the limit would be found only after a gigabyte has been read.
        let end = start.saturating_add(len.saturating_mul(least));
        check(Limit::HeaderBytes, end, self.limits.header_bytes, at)?;
        if element_type.size().is_some() {
            return if self.has_arrived(end, "an array")? { self.end_value(end) } else { Ok(false) };
        }
        let array_index = if len > STRIDE { Some(self.add_array_index(start)?) } else { None };
        reserve_one(&mut self.arrays, at)?;
        self.arrays.push(UnfinishedArray { element_type, index: 0, len, array_index });
        self.move_to(start, State::Elements);
        Ok(true)
    }

    /// Adds an index of the array whose elements begin at `start`.
    fn add_array_index(&mut self, start: u64) -> HeaderResult<usize> {
        let arrays = &mut self.header.storage.arrays;
        reserve_one(arrays, start)?;
        arrays.push(ArrayIndex { start, end: start, offsets: Vec::new() });
        Ok(arrays.len() - 1)
    }

    /// Reads elements of the innermost array until one is incomplete, or is itself an array.
    fn elements(&mut self) -> HeaderResult<bool> {
        let Some(mut array) = self.arrays.pop() else { return Ok(false) };
        while array.index < array.len {
            let at = self.position;
            if let Some(array_index) = array.array_index
                && array.index % STRIDE == 0
            {
                let offsets = &mut self.header.storage.arrays[array_index].offsets;
                // If the element was incomplete in an earlier call, its offset is kept already.
                if offsets.len() as u64 == array.index / STRIDE {
                    reserve_one(offsets, at)?;
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
            let (skipped, end) = self.header.storage.skip_strings(at, readable, count, longest);
            if skipped > 0 {
                array.index += skipped;
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
        if let Some(array_index) = array.array_index {
            self.header.storage.arrays[array_index].end = self.position;
        }
        self.end_value(self.position)
    }

    /// Stops the reader with an error.
    fn fail(&mut self, error: HeaderError) -> HeaderError {
        self.state = State::Failed(error.clone());
        error
    }

    /// Moves past an item.
    fn move_to(&mut self, position: u64, state: State) {
        self.position = position;
        self.state = state;
    }

    /// File offset up to which items can be read: the bytes that have arrived, within the limit.
    fn readable(&self) -> u64 {
        self.bytes_read().min(self.limits.header_bytes)
    }

    /// Whether the next item, which ends at file offset `end`, has arrived.
    #[inline]
    fn has_arrived(&mut self, end: u64, item: &'static str) -> HeaderResult<bool> {
        if end <= self.readable() {
            return Ok(true);
        }
        check(Limit::HeaderBytes, end, self.limits.header_bytes, self.position)?;
        self.needed = end;
        self.item = item;
        Ok(false)
    }

    /// The file offset after the string at `at`, if the string has arrived.
    #[inline]
    fn string_end(&mut self, at: u64, item: &'static str) -> HeaderResult<Option<u64>> {
        let start = at + self.header.storage.format.length_size();
        if !self.has_arrived(start, item)? {
            return Ok(None);
        }
        let len = self.header.storage.length(at);
        check(Limit::StringBytes, len, self.limits.string_bytes, at)?;
        let end = start.saturating_add(len);
        Ok(self.has_arrived(end, item)?.then_some(end))
    }

    /// The value type at a file offset.
    fn value_type(&self, at: u64) -> HeaderResult<ValueType> {
        let found = self.header.storage.u32(at);
        ValueType::from_id(found).ok_or(HeaderError::new(ErrorKind::UnknownValueType { found }, at))
    }
}

/// Checks a number against a limit.
#[inline]
fn check(limit: Limit, found: u64, allowed: u64, offset: u64) -> HeaderResult<()> {
    if found > allowed {
        return Err(HeaderError::new(ErrorKind::LimitExceeded { limit, found, allowed }, offset));
    }
    Ok(())
}

/// Reserves memory for one more element. A failed allocation is an error, not a trap.
fn reserve_one<T>(elements: &mut Vec<T>, offset: u64) -> HeaderResult<()> {
    let bytes = (elements.len() * 2 * size_of::<T>()) as u64;
    elements.try_reserve(1).map_err(|_| HeaderError::new(ErrorKind::TooLarge { bytes }, offset))
}
