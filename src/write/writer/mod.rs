//! A new file from nothing.
//!
//! ```text
//! header     magic, version, counts, metadata entries, tensor infos     up to header_size
//! padding    zeros up to the alignment, if there are tensors            up to data_offset
//! data       each tensor's, followed by zeros up to the alignment       up to size
//! ```
//!
//! A [`Writer`] knows what the header says, and so where everything is; the data it never sees. Whoever has it puts the
//! two together, in one of the three ways that ggml's own writer has.

mod name_index;

use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use crate::error::ErrorCode;
use crate::format::ggml_type::{GgmlType, MOST_ELEMENTS};
use crate::format::version::{DEFAULT_ALIGNMENT, Format};
use crate::limits::Limits;
use crate::write::checks::{
    ALIGNMENT, check_alignment, check_count, check_header_size, check_inside, check_key, check_tensor_name, key_taken,
    name_taken,
};
use crate::write::encode::{Encoder, OwnedValue};
use crate::write::error::{EditError, Result, no_memory, not_there};
use crate::write::new_value::NewValue;
use crate::write::plan::{Layout, MOST_BYTES, MOST_PADDING, Segment, WritePlan};
use name_index::Names;

/// The most dimensions that ggml's tensors have: `GGML_MAX_DIMS`.
const MOST_DIMENSIONS: usize = 4;

/// Magic, version and the two counts of versions 2 and 3.
const BEGINNING: u64 = 24;

/// The header of a new file, and where its tensors' data goes.
///
/// What is added is checked as changes of an [`Edit`](crate::Edit) are: llama.cpp reads every file that comes out, unless it
/// has nested arrays, which it refuses, or is big-endian, which it reads on big-endian machines only, and which the
/// specification has since version 3. The data is written as it is given, so it must have the byte order of the file
/// already.
///
/// # Examples
///
/// **All at once.** The [`plan`](Self::plan) is the whole file, in which source `i` is the data of tensor `i`:
///
/// ```
/// use gguf_wasm::{Format, GgmlType, Segment, Writer};
///
/// let data: [&[u8]; 2] = [&[0; 36], &[0; 8]];
/// let mut writer = Writer::new(Format::default())?;
/// writer.add(b"general.architecture", &"llama".into())?;
/// writer.add_tensor(b"output.weight", &[32, 2], GgmlType::Q4_0)?;
/// writer.add_tensor(b"output_norm.weight", &[2], GgmlType::F32)?;
///
/// let mut file = Vec::new();
/// for segment in writer.plan()?.segments() {
///     match segment {
///         Segment::Bytes(bytes) => file.extend_from_slice(bytes),
///         Segment::Copy { source, range } => {
///             file.extend_from_slice(&data[*source][range.start as usize..range.end as usize]);
///         }
///         Segment::Swap { .. } => unreachable!("data is written as it is"),
///     }
/// }
/// assert_eq!(file.len() as u64, writer.size());
/// assert_eq!(gguf_wasm::parse(&file)?.tensor("output_norm.weight").unwrap().offset(), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **Metadata first.** The data is appended later, as it comes about, a tensor after the other:
///
/// ```
/// use gguf_wasm::{Format, GgmlType, Writer};
///
/// let mut writer = Writer::new(Format::default())?;
/// writer.add_tensor(b"output.weight", &[32, 2], GgmlType::Q4_0)?;
/// writer.add_tensor(b"output_norm.weight", &[2], GgmlType::F32)?;
///
/// let mut file = writer.header()?;
/// for tensor in writer.tensors() {
///     assert_eq!(file.len() as u64, tensor.position());
///     file.extend(std::iter::repeat_n(0x2a, tensor.byte_length() as usize));
///     file.resize((tensor.position() + tensor.padded_length()) as usize, 0);
/// }
/// assert_eq!(file.len() as u64, writer.size());
/// # Ok::<(), gguf_wasm::EditError>(())
/// ```
///
/// **Data first.** Space is reserved, and the metadata comes last, with what only the data has told:
///
/// ```
/// use std::io::{Cursor, Seek, SeekFrom, Write};
/// use gguf_wasm::{Format, GgmlType, Writer};
///
/// let mut writer = Writer::new(Format::default())?;
/// writer.add(b"example.sum", &0f32.into())?;
/// let norm = writer.add_tensor(b"output_norm.weight", &[2], GgmlType::F32)?;
/// writer.reserve();
///
/// # let mut file = Cursor::new(Vec::new());
/// let weights = [0.5f32, 1.5];
/// let place = writer.tensor(norm).unwrap();
/// file.seek(SeekFrom::Start(place.position()))?;
/// file.write_all(weights.map(f32::to_le_bytes).as_flattened())?;
/// file.write_all(&vec![0; (place.padded_length() - place.byte_length()) as usize])?;
///
/// writer.set(b"example.sum", &weights.iter().sum::<f32>().into())?;
/// file.rewind()?;
/// file.write_all(&writer.header()?)?;
///
/// let header = gguf_wasm::parse(file.get_ref())?;
/// assert_eq!(header.get("example.sum").unwrap().value().as_f64(), Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Writer {
    format: Format,
    keys: Names,
    /// A value for each key.
    values: Vec<NewValue>,
    tensor_names: Names,
    /// A tensor for each name.
    tensors: Vec<Tensor>,
    sizes: Sizes,
    is_reserved: bool,
}

/// How large the parts of a file are, in bytes.
#[derive(Clone, Copy)]
struct Sizes {
    header: u64,
    alignment: u64,
    /// All tensors' data, with what follows each.
    data: u64,
}

struct Tensor {
    dimensions: Vec<u64>,
    ggml_type: GgmlType,
    /// From the start of the data section.
    offset: u64,
    byte_length: u64,
}

impl Sizes {
    fn data_offset(self) -> u64 {
        self.header.next_multiple_of(self.alignment)
    }

    /// The data with that of another tensor after it.
    fn with_data(self, byte_length: u64) -> Option<Self> {
        let data = self.data.checked_add(byte_length)?.checked_next_multiple_of(self.alignment)?;
        Some(Self { data, ..self })
    }
}

impl Writer {
    /// A file that has nothing in it yet.
    ///
    /// # Errors
    ///
    /// `unsupported-version` for another one than 2 and 3: what reads version 1 reads those too.
    pub fn new(format: Format) -> Result<Self> {
        if !matches!(format.version, 2 | 3) {
            let message = format!("version {}: new files have version 2 or 3", format.version);
            return Err(EditError::new(ErrorCode::UnsupportedVersion, message));
        }
        Ok(Self {
            format,
            keys: Names::default(),
            values: Vec::new(),
            tensor_names: Names::default(),
            tensors: Vec::new(),
            sizes: Sizes { header: BEGINNING, alignment: DEFAULT_ALIGNMENT, data: 0 },
            is_reserved: false,
        })
    }

    /// The version and the byte order of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Adds a metadata entry after those there are. The key `general.alignment` says what the data is aligned to.
    ///
    /// # Errors
    ///
    /// `key-taken`, `bad-key`, `does-not-fit`, `bad-alignment`, `limit-exceeded`, `no-room`.
    pub fn add(&mut self, key: &[u8], value: &OwnedValue) -> Result<()> {
        let value = NewValue::new(value)?;
        if self.keys.find(key).is_some() { Err(key_taken(key)) } else { self.put(key, value) }
    }

    /// Gives an entry another value, of another type if need be.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `does-not-fit`, `bad-alignment`, `limit-exceeded`, `no-room`.
    pub fn set(&mut self, key: &[u8], value: &OwnedValue) -> Result<()> {
        let value = NewValue::new(value)?;
        if self.keys.find(key).is_none() {
            return Err(not_there(ErrorCode::UnknownKey, "entry", Ok(key)));
        }
        self.put(key, value)
    }

    /// Gives an entry another value, or adds it after those there are if there is none with the key.
    ///
    /// # Errors
    ///
    /// `bad-key`, `bad-alignment`, `limit-exceeded`, `no-room`.
    pub fn put(&mut self, key: &[u8], value: NewValue) -> Result<()> {
        check_alignment(key, Some(value.value()))?;
        check_inside(key, value.value(), self.format.version, Limits::default().array_depth)?;
        let position = self.keys.find(key);
        let header = match position {
            Some(position) => self.sizes.header - self.values[position].byte_length() + value.byte_length(),
            None => {
                check_count(key, self.keys.len(), Limits::default().metadata_count, "entries")?;
                check_key(key)?;
                self.sizes.header + 8 + key.len() as u64 + 4 + value.byte_length()
            }
        };
        let mut sizes = Some(Sizes { header, ..self.sizes });
        let alignment = value.value().as_u64().filter(|_| key == ALIGNMENT);
        if let Some(alignment) = alignment {
            sizes = sizes.map(|sizes| Sizes { alignment, data: 0, ..sizes });
            for tensor in &self.tensors {
                sizes = sizes.and_then(|sizes| sizes.with_data(tensor.byte_length));
            }
        }
        self.sizes = self.checked(sizes, key)?;
        match position {
            Some(position) => self.values[position] = value,
            None => {
                self.keys.push(key);
                self.values.push(value);
            }
        }
        if alignment.is_some() {
            self.place();
        }
        Ok(())
    }

    /// The value of an entry.
    pub fn get(&self, key: &[u8]) -> Option<&NewValue> {
        self.values.get(self.keys.find(key)?)
    }

    /// What the tensors' data is aligned to, in bytes.
    pub fn alignment(&self) -> u64 {
        self.sizes.alignment
    }

    /// Aligns the tensors' data to another number of bytes than 32: sets `general.alignment`, or adds it.
    ///
    /// # Errors
    ///
    /// `bad-alignment`, `limit-exceeded`, `no-room`.
    pub fn set_alignment(&mut self, alignment: u32) -> Result<()> {
        let value = alignment.into();
        if self.keys.find(ALIGNMENT).is_some() { self.set(ALIGNMENT, &value) } else { self.add(ALIGNMENT, &value) }
    }

    /// Adds a tensor after those there are; `dimensions` are in elements, the fastest first, as ggml's `ne`. Says which
    /// number it has.
    ///
    /// # Errors
    ///
    /// `name-taken`, `bad-name`, `unknown-type`, `does-not-fit` if a row is not made of whole blocks, `limit-exceeded` if
    /// there are more than 4 dimensions or more elements than ggml counts, `no-room`.
    pub fn add_tensor(&mut self, name: &[u8], dimensions: &[u64], ggml_type: GgmlType) -> Result<usize> {
        check_count(name, self.tensors.len(), Limits::default().tensor_count, "tensors")?;
        check_tensor_name(name)?;
        if self.tensor_names.find(name).is_some() {
            return Err(name_taken(name));
        }
        let byte_length = byte_length(name, dimensions, ggml_type)?;
        let header = self.sizes.header + 8 + name.len() as u64 + 4 + 8 * dimensions.len() as u64 + 12;
        let offset = self.sizes.data;
        self.sizes = self.checked(Sizes { header, ..self.sizes }.with_data(byte_length), name)?;
        self.tensors.push(Tensor { dimensions: dimensions.into(), ggml_type, offset, byte_length });
        self.tensor_names.push(name);
        Ok(self.tensors.len() - 1)
    }

    /// How many tensors there are.
    pub fn tensor_count(&self) -> usize {
        self.tensors.len()
    }

    /// The tensor with a number.
    pub fn tensor(&self, index: usize) -> Option<NewTensor<'_>> {
        (index < self.tensors.len()).then_some(NewTensor { writer: self, index })
    }

    /// The tensors, in the order in which they were added.
    pub fn tensors(&self) -> impl ExactSizeIterator<Item = NewTensor<'_>> {
        (0..self.tensors.len()).map(|index| NewTensor { writer: self, index })
    }

    /// Bytes from the start of the file to the end of the tensor infos.
    pub fn header_size(&self) -> u64 {
        self.sizes.header
    }

    /// Where the tensors' data begins.
    pub fn data_offset(&self) -> u64 {
        self.sizes.data_offset()
    }

    /// The size of the file in bytes. The last tensor's data is padded as all others', and a file without tensors ends
    /// with its header.
    pub fn size(&self) -> u64 {
        if self.tensors.is_empty() { self.sizes.header } else { self.data_offset() + self.sizes.data }
    }

    /// Fixes where the data begins, so that it can be written before the header is: from then on all that would move it
    /// is refused with `no-room`. Says where that is.
    ///
    /// Values can still be changed and entries and tensors added, as far as the header goes on ending less than the
    /// alignment before the data: the format knows no other spare room. Numbers of the same type always fit, and so do
    /// strings of the same length.
    pub fn reserve(&mut self) -> u64 {
        self.is_reserved = true;
        self.data_offset()
    }

    /// The header, and the padding up to the data if there are tensors: all that comes before their data.
    ///
    /// # Errors
    ///
    /// `too-large` if there is no memory for it.
    pub fn header(&self) -> Result<Vec<u8>> {
        let alignment = if self.tensors.is_empty() { 1 } else { self.sizes.alignment };
        if alignment > MOST_PADDING {
            return Err(no_memory(alignment));
        }
        let size = self.sizes.header.next_multiple_of(alignment);
        let mut header = Encoder::new(self.format);
        header.reserve(size).map_err(|_| no_memory(size))?;
        header.header(self.tensors.len() as u64, self.keys.len() as u64);
        for (key, value) in self.keys.iter().zip(&self.values) {
            let entry = value.entry();
            header.key(key, entry.value_type().id());
            header.recode(entry.storage(), entry.value_type(), 1, entry.value_range().start);
        }
        for (name, tensor) in self.tensor_names.iter().zip(&self.tensors) {
            header.tensor_info(name, &tensor.dimensions, tensor.ggml_type.0, tensor.offset);
        }
        header.pad_to(alignment);
        Ok(header.into_bytes())
    }

    /// Plans the whole file. Source `i` of it is the data of tensor `i`, of which all bytes are copied.
    ///
    /// # Errors
    ///
    /// `too-large` if there is no memory for the header.
    pub fn plan(&self) -> Result<WritePlan> {
        let mut layout = Layout::default();
        layout.bytes(self.header()?);
        for tensor in self.tensors() {
            layout.push(Segment::Copy { source: tensor.index(), range: 0..tensor.byte_length() });
            layout.pad_to(tensor.position() + tensor.padded_length()).map_err(no_memory)?;
        }
        Ok(layout.finish(self.header_size(), self.data_offset(), None))
    }

    /// The sizes that adding something would lead to, if the file can have them.
    fn checked(&self, sizes: Option<Sizes>, name: &[u8]) -> Result<Sizes> {
        let Some(sizes) = sizes.filter(|sizes| sizes.data <= MOST_BYTES - sizes.data_offset().min(MOST_BYTES)) else {
            let why = format_args!("readers take up to {MOST_BYTES} bytes");
            return Err(EditError::of(name, ErrorCode::LimitExceeded, why));
        };
        check_header_size(sizes.header)?;
        let (offset, alignment) = (self.data_offset(), self.sizes.alignment);
        if self.is_reserved && (sizes.data_offset(), sizes.alignment) != (offset, alignment) {
            let why = format_args!(
                "the data begins at {offset}, aligned to {alignment}: a header of {} bytes, aligned to {}, would move it",
                sizes.header, sizes.alignment
            );
            return Err(EditError::of(name, ErrorCode::NoRoom, why));
        }
        Ok(sizes)
    }

    /// Places every tensor after the one before.
    fn place(&mut self) {
        let mut offset = 0;
        for tensor in &mut self.tensors {
            tensor.offset = offset;
            offset = (offset + tensor.byte_length).next_multiple_of(self.sizes.alignment);
        }
    }
}

/// A tensor of a new file.
#[derive(Clone, Copy)]
pub struct NewTensor<'a> {
    writer: &'a Writer,
    index: usize,
}

impl<'a> NewTensor<'a> {
    /// Its number: the position in the file's list.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name.
    pub fn name(&self) -> &'a [u8] {
        self.writer.tensor_names.get(self.index)
    }

    /// The extents in elements, fastest first.
    pub fn dimensions(&self) -> &'a [u64] {
        &self.tensor().dimensions
    }

    /// The type of the elements.
    pub fn ggml_type(&self) -> GgmlType {
        self.tensor().ggml_type
    }

    /// How many bytes the data takes.
    pub fn byte_length(&self) -> u64 {
        self.tensor().byte_length
    }

    /// The bytes of the data and of the zeros that follow it: up to where the next tensor's data begins, or the file ends.
    pub fn padded_length(&self) -> u64 {
        self.byte_length().next_multiple_of(self.writer.alignment())
    }

    /// Where the data begins, in bytes from the start of the data section.
    pub fn offset(&self) -> u64 {
        self.tensor().offset
    }

    /// Where the data begins, in bytes from the start of the file.
    pub fn position(&self) -> u64 {
        self.writer.data_offset() + self.offset()
    }

    fn tensor(&self) -> &'a Tensor {
        &self.writer.tensors[self.index]
    }
}

/// How many bytes the data of a tensor takes, if there can be such a one.
pub(crate) fn byte_length(name: &[u8], dimensions: &[u64], ggml_type: GgmlType) -> Result<u64> {
    let refuse = |kind, why: fmt::Arguments<'_>| Err(EditError::of(name, kind, why));
    let Some(info) = ggml_type.info().filter(|info| !info.is_removed()) else {
        return refuse(ErrorCode::UnknownType, format_args!("ggml has no type {ggml_type}"));
    };
    if dimensions.len() > MOST_DIMENSIONS {
        return refuse(ErrorCode::LimitExceeded, format_args!("ggml has up to {MOST_DIMENSIONS} dimensions"));
    }
    let (row_length, block_size) = (dimensions.first().copied().unwrap_or(1), info.block_size);
    if !row_length.is_multiple_of(block_size.into()) {
        let why = format_args!("{row_length} elements in a row are not whole blocks of {block_size} of {ggml_type}");
        return refuse(ErrorCode::DoesNotFit, why);
    }
    // Also where a dimension is 0, no reader's product of the others is to overflow.
    let product = dimensions.iter().try_fold(1_u64, |product, extent| product.checked_mul((*extent).max(1)));
    let bytes = product
        .filter(|product| *product < MOST_ELEMENTS)
        .and_then(|product| ggml_type.byte_length(if dimensions.contains(&0) { 0 } else { product }, row_length));
    bytes.ok_or_else(|| EditError::of(name, ErrorCode::LimitExceeded, format_args!("more elements than ggml counts")))
}
