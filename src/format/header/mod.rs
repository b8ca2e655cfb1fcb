//! The index of a parsed header, and look-ups in it.
//!
//! ```text
//! magic           4 bytes  "GGUF"
//! version         u32
//! tensor count    length
//! metadata count  length
//! metadata        per entry: key (string), value type (u32), value
//! tensor infos    per tensor: name (string), dimension count (u32),
//!                 dimensions (lengths, fastest first), ggml type (u32), offset (u64)
//! ```
//!
//! A length is a `u64`, in version 1 a `u32`; a string is a length and its bytes. The tensors' data
//! begins at the next multiple of the alignment.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::error::{Error, ErrorKind, Result};
use crate::format::ggml_type::GgmlType;
use crate::format::header_bytes::{HeaderBytes, hash};
use crate::format::storage::Storage;
use crate::format::value::{Str, Value, ValueType, stored_type};
use crate::format::version::{ALIGNMENT, DEFAULT_ALIGNMENT, Format, LONGEST_KEY};
use crate::limits::Limits;

/// A GGUF file's header: its metadata and what it says of its tensors.
///
/// It keeps the header's bytes; entries, values and tensors are views that decode on request.
///
/// # Examples
///
/// ```
#[doc = include_str!("../../doc_example.txt")]
/// let header = gguf_wasm::parse(&file)?;
/// for entry in header.metadata() {
///     println!("{}: {} = {:?}", entry.key(), entry.value_type(), entry.value());
/// }
/// for tensor in header.tensors() {
///     println!("{}: {} {:?}", tensor.name(), tensor.ggml_type(), tensor.dimensions());
/// }
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
#[derive(Default)]
pub struct Header {
    pub(crate) storage: Storage,
    metadata: Names,
    tensors: Names,
    /// File offset after the last item that was read.
    end: u64,
    alignment: Option<u64>,
    /// See [`Header::entries_beyond`].
    entries_beyond: u64,
}

/// How many bytes [`Header::look_beyond`] needs after the header.
const BEYOND: u64 = 24;

/// The bytes of the shortest entry: of version 1, without a key, and with a value of one byte.
const LEAST_ENTRY: u64 = 9;

/// The offsets of entries that begin with a name, and their order by name.
#[derive(Default)]
struct Names {
    /// How many the file announces.
    count: u64,
    /// File offset of each entry that was read: of its name's length.
    starts: Vec<u64>,
    /// The hash of each name in the upper half and its index in the lower, in order; empty while the header
    /// is incomplete.
    sorted: Vec<u64>,
}

impl Header {
    /// What has a single entry and is in no file: `entry` is a key, a value type and a value of version 3, little-endian.
    pub(crate) fn of_entry(entry: &[u8]) -> Self {
        let storage = Storage { bytes: HeaderBytes::of(entry), ..Storage::default() };
        let end = storage.bytes.len();
        let metadata = Names { count: 1, starts: Vec::from([0]), sorted: Vec::new() };
        Self { storage, metadata, end, ..Self::default() }
    }

    /// The version and byte order of the file.
    pub fn format(&self) -> Format {
        self.storage.format
    }

    /// How many metadata entries the file announces.
    pub fn metadata_count(&self) -> u64 {
        self.metadata.count
    }

    /// How many tensors the file announces.
    pub fn tensor_count(&self) -> u64 {
        self.tensors.count
    }

    /// The metadata entries in file order, duplicates included. While the header arrives: those that
    /// are complete.
    pub fn metadata(&self) -> impl ExactSizeIterator<Item = MetadataKv<'_>> + DoubleEndedIterator {
        (0..self.metadata.starts.len()).map(|index| self.entry(index))
    }

    /// The metadata entry at a position in the file.
    pub fn metadata_at(&self, index: usize) -> Option<MetadataKv<'_>> {
        (index < self.metadata.starts.len()).then(|| self.entry(index))
    }

    /// The first metadata entry with a key. Takes logarithmic time once the header is complete.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Option<MetadataKv<'_>> {
        self.positions_named(false, key.as_ref()).next().map(|index| self.entry(index))
    }

    /// The tensors in file order. While the header arrives: those that are complete.
    pub fn tensors(&self) -> impl ExactSizeIterator<Item = TensorInfo<'_>> + DoubleEndedIterator {
        (0..self.tensors.starts.len()).map(|index| self.tensor_info(index))
    }

    /// The tensor at a position in the file's list.
    pub fn tensor_at(&self, index: usize) -> Option<TensorInfo<'_>> {
        (index < self.tensors.starts.len()).then(|| self.tensor_info(index))
    }

    /// The first tensor with a name. Takes logarithmic time once the header is complete.
    pub fn tensor(&self, name: impl AsRef<[u8]>) -> Option<TensorInfo<'_>> {
        self.positions_named(true, name.as_ref()).next().map(|index| self.tensor_info(index))
    }

    /// What the data section and each tensor in it are aligned to, in bytes: the first
    /// `general.alignment`, or 32 where that is absent, not an integer, or not in 1..2^32.
    pub fn alignment(&self) -> u64 {
        self.alignment.unwrap_or(DEFAULT_ALIGNMENT)
    }

    /// Bytes from the start of the file to the end of the tensor infos. While the header arrives: to
    /// the end of the last complete item.
    pub fn header_size(&self) -> u64 {
        self.end
    }

    /// Where the tensors' data begins: the header's size rounded up to the alignment.
    pub fn data_offset(&self) -> u64 {
        self.end.next_multiple_of(self.alignment())
    }

    /// The number of parameters: the sum of the tensors' element counts, leaving out those that do
    /// not fit; `u64::MAX` if the sum does not fit.
    pub fn parameter_count(&self) -> u64 {
        self.tensors().filter_map(|tensor| tensor.element_count()).fold(0, u64::saturating_add)
    }

    /// The header as stored.
    pub fn bytes(&self) -> &HeaderBytes {
        &self.storage.bytes
    }

    /// The positions of the entries, or tensors, below the hashes of their keys or names up to a NUL, in order. None while
    /// the header is incomplete.
    pub(crate) fn by_hash(&self, of_tensors: bool) -> &[u64] {
        &self.names(of_tensors).sorted
    }

    /// The key of an entry, or the name of a tensor.
    pub(crate) fn name(&self, of_tensors: bool, index: usize) -> Str<'_> {
        Str::at(&self.storage, self.names(of_tensors).starts[index])
    }

    /// The positions of all entries with a key, or of all tensors with a name, in ascending order.
    pub(crate) fn positions_named(&self, of_tensors: bool, name: &[u8]) -> impl Iterator<Item = usize> {
        self.names(of_tensors).named(&self.storage, name)
    }

    fn names(&self, of_tensors: bool) -> &Names {
        if of_tensors { &self.tensors } else { &self.metadata }
    }

    fn entry(&self, index: usize) -> MetadataKv<'_> {
        let start = self.metadata.starts[index];
        let end = self.metadata.starts.get(index + 1).or(self.tensors.starts.first()).unwrap_or(&self.end);
        MetadataKv { storage: &self.storage, index, start, key_end: self.storage.string_end(start), end: *end }
    }

    fn tensor_info(&self, index: usize) -> TensorInfo<'_> {
        let start = self.tensors.starts[index];
        let name_end = self.storage.string_end(start);
        TensorInfo { header: self, index, start, name_end, dimension_count: self.storage.u32(name_end) }
    }

    pub(crate) fn announce(&mut self, tensor_count: u64, metadata_count: u64, end: u64) {
        self.tensors.count = tensor_count;
        self.metadata.count = metadata_count;
        self.end = end;
    }

    /// Makes room for the whole header, whose size is known. No more room is made for names than have room in the header.
    pub(crate) fn make_room(&mut self, header_size: u64) {
        let names = (self.metadata.count.saturating_add(self.tensors.count)).min(header_size / LEAST_ENTRY);
        // Two numbers of 8 bytes for each name, and some percent for the offsets of elements of arrays.
        self.storage.bytes.make_room(header_size, header_size / 32 + 16 * names + (64 << 10));
        for list in [&mut self.metadata, &mut self.tensors] {
            let _ = list.starts.try_reserve_exact(list.count.min(names) as usize);
        }
    }

    /// Adds the metadata entry that takes the bytes of `range`.
    pub(crate) fn push_metadata(&mut self, range: Range<u64>) -> Result<()> {
        self.metadata.push(range.start)?;
        self.end = range.end;
        if self.alignment.is_none() {
            let entry = self.entry(self.metadata.starts.len() - 1);
            if entry.key() == ALIGNMENT {
                let valid = entry.value().as_u64().filter(|alignment| (1..1 << 32).contains(alignment));
                self.alignment = Some(valid.unwrap_or(DEFAULT_ALIGNMENT));
            }
        }
        Ok(())
    }

    /// Adds the tensor info that takes the bytes of `range`.
    pub(crate) fn push_tensor(&mut self, range: Range<u64>) -> Result<()> {
        self.tensors.push(range.start)?;
        self.end = range.end;
        Ok(())
    }

    /// Reads the bytes after an empty header of version 1 as versions 2 and 3 have them, if they have arrived with it. There
    /// the number of tensors takes 8 bytes. If it is 0, they read as both counts of version 1, and the number of entries
    /// follows.
    ///
    /// ```text
    /// metadata count  u64
    /// key             its length as a u64, and its first bytes
    /// ```
    fn look_beyond(&mut self) {
        let is_empty = self.metadata.count == 0 && self.tensors.count == 0;
        if self.format().version != 1 || !is_empty || self.storage.bytes.len() < self.end + BEYOND {
            return;
        }
        let (endian, bytes) = (self.format().endian, &self.storage.bytes);
        let number = |at| endian.u64(bytes.array(self.end + at));
        let (count, key_length, key) = (number(0), number(8), bytes.array::<8>(self.end + 16));
        let key = &key[..key_length.min(8) as usize];
        let is_key = (1..=LONGEST_KEY as u64).contains(&key_length) && key.iter().all(u8::is_ascii_graphic);
        if is_key && count <= Limits::default().metadata_count {
            self.entries_beyond = count;
        }
    }

    /// How many entries follow an empty header of version 1 if the bytes after it are read as those of versions 2 and 3; 0
    /// if they do not read so, or did not arrive together with the header.
    pub(crate) fn entries_beyond(&self) -> u64 {
        self.entries_beyond
    }

    /// Whether everything that the file announces has been read.
    pub(crate) fn is_whole(&self) -> bool {
        self.has_all_metadata() && self.tensors.starts.len() as u64 == self.tensors.count
    }

    pub(crate) fn has_all_metadata(&self) -> bool {
        self.metadata.starts.len() as u64 == self.metadata.count
    }

    /// Forgets what follows the header and orders the names for look-ups.
    pub(crate) fn complete(&mut self) -> Result<()> {
        self.look_beyond();
        self.storage.bytes.truncate(self.end);
        self.metadata.sort(&self.storage)?;
        self.tensors.sort(&self.storage)
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Header")
            .field("format", &self.format())
            .field("metadata", &self.metadata.starts.len())
            .field("tensors", &self.tensors.starts.len())
            .field("header_size", &self.end)
            .finish_non_exhaustive()
    }
}

impl Names {
    fn push(&mut self, start: u64) -> Result<()> {
        self.starts.try_reserve(1).map_err(|_| too_large(self.starts.len() * 16, start))?;
        self.starts.push(start);
        Ok(())
    }

    fn sort(&mut self, storage: &Storage) -> Result<()> {
        let starts = &self.starts;
        self.sorted.try_reserve_exact(starts.len()).map_err(|_| too_large(starts.len() * 8, storage.bytes.len()))?;
        let names = starts.iter().map(|start| Str::at(storage, *start));
        self.sorted.extend(names.zip(0..).map(|(name, index)| u64::from(hash(&name.to_bytes())) << 32 | index));
        heap_sort(&mut self.sorted);
        Ok(())
    }

    /// The positions of all entries with a name, in ascending order.
    fn named(&self, storage: &Storage, name: &[u8]) -> impl Iterator<Item = usize> {
        let hash = u64::from(hash(name));
        let first = self.sorted.partition_point(|entry| entry >> 32 < hash);
        let same_hash = self.sorted.iter().skip(first).take_while(move |entry| *entry >> 32 == hash);
        // While the header is incomplete, there is no order to search in.
        let unsorted = if self.sorted.is_empty() { 0..self.starts.len() } else { 0..0 };
        let candidates = same_hash.map(|entry| *entry as u32 as usize).chain(unsorted);
        candidates.filter(move |index| Str::at(storage, self.starts[*index]) == *name)
    }
}

/// Sorts numbers in place, as [`heap_sort_by`] does.
pub(crate) fn heap_sort(items: &mut [u64]) {
    heap_sort_by(items, &|a, b| a < b);
}

/// Sorts in place, without further memory, in n log n steps whatever the order was. The standard
/// library's sorts do as well, and take a sixth of the wasm module for it.
#[inline(never)]
pub(crate) fn heap_sort_by(items: &mut [u64], is_before: &dyn Fn(u64, u64) -> bool) {
    fn sift_down(heap: &mut [u64], mut parent: usize, is_before: &dyn Fn(u64, u64) -> bool) {
        loop {
            let Some(left) = heap.get(2 * parent + 1) else { return };
            let right = heap.get(2 * parent + 2).is_some_and(|right| is_before(*left, *right));
            let child = 2 * parent + 1 + usize::from(right);
            if !is_before(heap[parent], heap[child]) {
                return;
            }
            heap.swap(parent, child);
            parent = child;
        }
    }
    for parent in (0..items.len() / 2).rev() {
        sift_down(items, parent, is_before);
    }
    for end in (1..items.len()).rev() {
        items.swap(0, end);
        sift_down(&mut items[..end], 0, is_before);
    }
}

fn too_large(bytes: usize, offset: u64) -> Error {
    Error::new(ErrorKind::TooLarge { bytes: bytes as u64 }, offset)
}

/// One key and its value: `metadata_kv`.
#[derive(Clone, Copy)]
pub struct MetadataKv<'a> {
    storage: &'a Storage,
    index: usize,
    start: u64,
    key_end: u64,
    end: u64,
}

impl<'a> MetadataKv<'a> {
    /// The header that it is in.
    pub(crate) fn storage(&self) -> &'a Storage {
        self.storage
    }

    /// The position in the file.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The key.
    pub fn key(&self) -> Str<'a> {
        Str::new(self.storage, self.start..self.key_end)
    }

    /// The type of the value.
    pub fn value_type(&self) -> ValueType {
        stored_type(self.storage, self.key_end)
    }

    /// The value.
    pub fn value(&self) -> Value<'a> {
        Value::read(self.storage, self.value_type(), self.value_range())
    }

    /// The bytes of the entry in the file, from the key's length to the end of the value.
    pub fn range(&self) -> Range<u64> {
        self.start..self.end
    }

    /// The bytes of the value in the file: what follows the value type. A string's include its
    /// length; an array's its element type and length.
    pub fn value_range(&self) -> Range<u64> {
        self.key_end + 4..self.end
    }
}

impl fmt::Debug for MetadataKv<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {:?}", self.key(), self.value())
    }
}

/// What the header says of one tensor: `gguf_tensor_info`.
#[derive(Clone, Copy)]
pub struct TensorInfo<'a> {
    header: &'a Header,
    index: usize,
    start: u64,
    name_end: u64,
    dimension_count: u32,
}

impl<'a> TensorInfo<'a> {
    /// The position in the file's list.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name.
    pub fn name(&self) -> Str<'a> {
        Str::new(&self.header.storage, self.start..self.name_end)
    }

    /// The extents in elements, fastest first: `ne`.
    pub fn dimensions(&self) -> Dimensions<'a> {
        let storage = &self.header.storage;
        let first = self.name_end + 4;
        Dimensions { storage, offset: first, remaining: self.dimension_count as usize }
    }

    /// The type of the elements.
    pub fn ggml_type(&self) -> GgmlType {
        GgmlType(self.header.storage.u32(self.dimensions_end()))
    }

    /// Where the data begins, in bytes from the start of the data section.
    pub fn offset(&self) -> u64 {
        self.header.storage.u64(self.dimensions_end() + 4)
    }

    /// Where the data begins, in bytes from the start of the file: `None` if that does not fit.
    pub fn file_offset(&self) -> Option<u64> {
        self.header.data_offset().checked_add(self.offset())
    }

    /// How many elements there are, 1 if there are no dimensions: `None` if that does not fit.
    pub fn element_count(&self) -> Option<u64> {
        if self.dimensions().any(|extent| extent == 0) {
            return Some(0);
        }
        self.dimensions().try_fold(1, u64::checked_mul)
    }

    /// How many bytes the data takes: `None` if the type is unknown or removed, the first dimension
    /// is not made of whole blocks, or the size does not fit.
    pub fn byte_length(&self) -> Option<u64> {
        let row_length = self.dimensions().next().unwrap_or(1);
        self.ggml_type().byte_length(self.element_count()?, row_length)
    }

    /// The bytes of the tensor info itself in the file.
    pub fn range(&self) -> Range<u64> {
        self.start..self.dimensions_end() + 12
    }

    fn dimensions_end(&self) -> u64 {
        self.name_end + 4 + u64::from(self.dimension_count) * self.header.storage.format.length_size()
    }
}

impl fmt::Debug for TensorInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} {:?} at {:#x}", self.name(), self.ggml_type(), self.dimensions(), self.offset())
    }
}

/// Iterator over a tensor's dimensions, fastest first.
#[derive(Clone)]
pub struct Dimensions<'a> {
    storage: &'a Storage,
    offset: u64,
    remaining: usize,
}

impl Iterator for Dimensions<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.remaining = self.remaining.checked_sub(1)?;
        let extent = self.storage.length(self.offset);
        self.offset += self.storage.format.length_size();
        Some(extent)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl ExactSizeIterator for Dimensions<'_> {}

impl fmt::Debug for Dimensions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
