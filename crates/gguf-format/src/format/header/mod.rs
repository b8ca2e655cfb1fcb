//! The decoded header: its bytes, and where each entry and tensor info lies in them.
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
//! A length is a `u64`, in version 1 a `u32`. A string is a length and its bytes. The data section, with the data of all
//! tensors, begins at the next multiple of the alignment.

use core::fmt;
use core::ops::Range;

use crate::error::HeaderResult;
use crate::format::ggml_type::GgmlTypeInfo;
use crate::format::header_bytes::HeaderBytes;
use crate::format::storage::Storage;
use crate::format::version::{ALIGNMENT, DEFAULT_ALIGNMENT, Format, LONGEST_KEY};
use crate::limits::Limits;

mod meanings;
mod metadata_kv;
mod model;
mod name_index;
mod tensor_info;

pub use metadata_kv::MetadataKv;
use name_index::NameIndex;
#[doc(hidden)]
pub use name_index::{NameList, hash};
pub use tensor_info::{Dimensions, TensorInfo};

/// The header of a GGUF file: its metadata entries and tensor infos.
///
/// It keeps the header's bytes. Entries, values and tensor infos are views that decode on request.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// for entry in header.metadata() {
///     println!("{}: {} = {:?}", entry.key(), entry.value_type(), entry.value());
/// }
/// for tensor in header.tensors() {
///     println!("{}: {} {:?}", tensor.name(), tensor.ggml_type(), tensor.dimensions());
/// }
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Default)]
pub struct Header {
    #[doc(hidden)]
    pub storage: Storage,
    metadata: NameIndex,
    tensors: NameIndex,
    /// File offset after the last item that was read.
    end: u64,
    alignment: Option<u64>,
    entries_as_later_version: u64,
    /// The file offset of the data section, if it does not follow from the header: see [`Header::describe_other_file`].
    data_offset: Option<u64>,
}

/// The number of bytes after an empty header of version 1 that [`Header::read_as_later_version`] needs.
const LATER_VERSION_BYTES: u64 = 24;

/// The size of the smallest item in bytes: an entry of version 1 with an empty key and a value of one byte.
const SMALLEST_ITEM: u64 = 9;

impl Header {
    /// A header that belongs to no file and has one entry: a key, a value type and a value of version 3, little-endian.
    pub(crate) fn of_entry(entry: &[u8]) -> Self {
        let storage = Storage { bytes: HeaderBytes::of(entry), ..Storage::default() };
        let end = storage.bytes.len();
        Self { storage, metadata: NameIndex::of_one(), end, ..Self::default() }
    }

    /// Makes the header describe a file of another format, which does not contain the header: the offset of a tensor is its
    /// offset in that file, and its type may be one of `types`.
    #[doc(hidden)]
    pub fn describe_other_file(&mut self, types: &'static [GgmlTypeInfo]) {
        self.storage.own_types = types;
        self.data_offset = Some(0);
    }

    /// Whether the header describes a file that does not contain it.
    #[doc(hidden)]
    pub fn is_of_other_file(&self) -> bool {
        self.data_offset.is_some()
    }

    /// The version and byte order of the file.
    pub fn format(&self) -> Format {
        self.storage.format
    }

    /// The number of metadata entries that the file announces.
    pub fn metadata_count(&self) -> u64 {
        self.metadata.announced
    }

    /// The number of tensors that the file announces.
    pub fn tensor_count(&self) -> u64 {
        self.tensors.announced
    }

    /// The metadata entries in file order, duplicates included. While the header arrives, only the complete ones.
    pub fn metadata(&self) -> impl ExactSizeIterator<Item = MetadataKv<'_>> + DoubleEndedIterator {
        (0..self.metadata.starts.len()).map(|index| self.entry(index))
    }

    /// The metadata entry at a position in the file.
    pub fn metadata_at(&self, index: usize) -> Option<MetadataKv<'_>> {
        (index < self.metadata.starts.len()).then(|| self.entry(index))
    }

    /// The first metadata entry with a key. Takes logarithmic time once the header is complete.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Option<MetadataKv<'_>> {
        self.keys().positions(key.as_ref()).next().map(|index| self.entry(index))
    }

    /// The tensor infos in file order. While the header arrives, only the complete ones.
    pub fn tensors(&self) -> impl ExactSizeIterator<Item = TensorInfo<'_>> + DoubleEndedIterator {
        (0..self.tensors.starts.len()).map(|index| self.tensor_info(index))
    }

    /// The tensor info at a position in the file.
    pub fn tensor_at(&self, index: usize) -> Option<TensorInfo<'_>> {
        (index < self.tensors.starts.len()).then(|| self.tensor_info(index))
    }

    /// The first tensor with a name. Takes logarithmic time once the header is complete.
    pub fn tensor(&self, name: impl AsRef<[u8]>) -> Option<TensorInfo<'_>> {
        self.tensor_names().positions(name.as_ref()).next().map(|index| self.tensor_info(index))
    }

    /// The alignment of the data section and of each tensor in it, in bytes: the value of the first
    /// `general.alignment`. 32 if there is no such entry, or if its value is not an integer in 1..2^32.
    pub fn alignment(&self) -> u64 {
        self.alignment.unwrap_or(DEFAULT_ALIGNMENT)
    }

    /// The size of the header in bytes: from the start of the file to the end of the tensor infos. While the header
    /// arrives, to the end of the last complete item.
    pub fn header_size(&self) -> u64 {
        self.end
    }

    /// The file offset of the data section: the header's size rounded up to the alignment. While the header arrives, it is
    /// not known yet, and this is the next multiple of the alignment after the last complete item.
    pub fn data_offset(&self) -> u64 {
        self.data_offset.unwrap_or_else(|| self.end.next_multiple_of(self.alignment()))
    }

    /// The number of parameters: the sum of the tensors' element counts. Counts that do not fit in 64 bits are left out;
    /// `u64::MAX` if the sum does not fit.
    pub fn parameter_count(&self) -> u64 {
        self.tensors().filter_map(|tensor| tensor.element_count()).fold(0, u64::saturating_add)
    }

    /// The bytes of the header as stored.
    pub fn bytes(&self) -> &HeaderBytes {
        &self.storage.bytes
    }

    /// The keys of the metadata entries.
    #[doc(hidden)]
    pub fn keys(&self) -> NameList<'_> {
        NameList { storage: &self.storage, index: &self.metadata }
    }

    /// The names of the tensors.
    #[doc(hidden)]
    pub fn tensor_names(&self) -> NameList<'_> {
        NameList { storage: &self.storage, index: &self.tensors }
    }

    fn entry(&self, index: usize) -> MetadataKv<'_> {
        let start = self.metadata.starts[index];
        let end = self.metadata.starts.get(index + 1).or(self.tensors.starts.first()).unwrap_or(&self.end);
        MetadataKv::new(&self.storage, index, start..*end)
    }

    fn tensor_info(&self, index: usize) -> TensorInfo<'_> {
        let data_offset = self.is_complete().then(|| self.data_offset());
        TensorInfo::new(&self.storage, index, self.tensors.starts[index], data_offset)
    }

    /// Sets the counts that the file announces. They end at file offset `end`.
    pub(crate) fn set_counts(&mut self, tensor_count: u64, metadata_count: u64, end: u64) {
        self.tensors.announced = tensor_count;
        self.metadata.announced = metadata_count;
        self.end = end;
    }

    /// Reserves memory for a header of a known size. The counts come from the file, so no more items are reserved than
    /// fit in the header.
    pub(crate) fn reserve(&mut self, header_size: u64) {
        let items = self.metadata.announced.saturating_add(self.tensors.announced).min(header_size / SMALLEST_ITEM);
        // Two numbers of 8 bytes for each item, and about 3 % for the offsets of array elements.
        self.storage.bytes.reserve(header_size, header_size / 32 + 16 * items + (64 << 10));
        for list in [&mut self.metadata, &mut self.tensors] {
            let _ = list.starts.try_reserve_exact(list.announced.min(items) as usize);
        }
    }

    /// Adds the metadata entry in the bytes of `range`.
    pub(crate) fn push_metadata(&mut self, range: Range<u64>) -> HeaderResult<()> {
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

    /// Adds the tensor info in the bytes of `range`.
    pub(crate) fn push_tensor(&mut self, range: Range<u64>) -> HeaderResult<()> {
        self.tensors.push(range.start)?;
        self.end = range.end;
        Ok(())
    }

    /// Reads the bytes after an empty header of version 1 as a header of version 2 or 3, if they arrived with the header.
    ///
    /// The tensor count of these versions has 8 bytes. If it is 0, it reads as the two counts of version 1. Then follow:
    ///
    /// ```text
    /// metadata count  u64
    /// first key       its length (u64), and its bytes
    /// ```
    fn read_as_later_version(&mut self) {
        let is_empty = self.metadata.announced == 0 && self.tensors.announced == 0;
        if self.format().version != 1 || !is_empty || self.storage.bytes.len() < self.end + LATER_VERSION_BYTES {
            return;
        }
        let (endian, bytes) = (self.format().endian, &self.storage.bytes);
        let number = |at| endian.u64(bytes.array(self.end + at));
        let (count, key_length, key) = (number(0), number(8), bytes.array::<8>(self.end + 16));
        let key = &key[..key_length.min(8) as usize];
        let is_key = (1..=LONGEST_KEY as u64).contains(&key_length) && key.iter().all(u8::is_ascii_graphic);
        if is_key && count <= Limits::default().metadata_count {
            self.entries_as_later_version = count;
        }
    }

    /// The number of entries of an empty file of version 1 if its bytes are read as version 2 or 3. 0 if they do not read
    /// as such, or did not arrive together with the header.
    #[doc(hidden)]
    pub fn entries_as_later_version(&self) -> u64 {
        self.entries_as_later_version
    }

    /// Whether all entries and tensor infos that the file announces have been read.
    #[doc(hidden)]
    pub fn is_complete(&self) -> bool {
        self.has_all_metadata() && self.tensors.starts.len() as u64 == self.tensors.announced
    }

    /// Whether all entries that the file announces have been read.
    #[doc(hidden)]
    pub fn has_all_metadata(&self) -> bool {
        self.metadata.starts.len() as u64 == self.metadata.announced
    }

    /// Drops the bytes after the header, and builds the indexes of keys and tensor names.
    pub(crate) fn complete(&mut self) -> HeaderResult<()> {
        self.read_as_later_version();
        // The bytes that read as a later version are kept: who reads a copy of the bytes finds them, too.
        let later = if self.entries_as_later_version > 0 { LATER_VERSION_BYTES } else { 0 };
        self.storage.bytes.truncate(self.end + later);
        self.metadata.sort(&self.storage)?;
        self.tensors.sort(&self.storage)?;
        self.settle_types(None);
        Ok(())
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
