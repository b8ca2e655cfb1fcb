//! A new file.
//!
//! ```text
//! header     magic, version, counts, metadata entries, tensor infos     up to header_size
//! padding    zeros up to the alignment, if there are tensors            up to data_offset
//! data       the data of each tensor, and zeros up to the alignment     up to size
//! ```
//!
//! A [`Writer`] knows the header, and so the place of all data. It never has the data itself. The caller combines both in one
//! of three ways, which the writer of ggml also has.

mod sizes;
mod tensor;

use alloc::vec::Vec;

use crate::distinct_names::DistinctNames;
use crate::error::{Result, error, no_memory};
use crate::format::ggml_type::GgmlType;
use crate::format::version::{DEFAULT_ALIGNMENT, Format};
use crate::limits::Limits;
use crate::limits::MAX_FILE_SIZE;
use crate::write::checks::{
    ALIGNMENT, check_alignment, check_count, check_header_size, check_key, check_readable, check_tensor_name,
    key_taken, lossy, name_taken,
};
use crate::write::encode::{Encoder, OwnedValue};
use crate::write::new_value::NewValue;
use crate::write::plan::{MAX_PADDING, PlanBuilder, Segment, WritePlan};
use sizes::Sizes;
pub use tensor::NewTensor;
use tensor::Tensor;
#[doc(hidden)]
pub use tensor::byte_length;

/// The size of magic, version and both counts in versions 2 and 3.
const PREAMBLE_SIZE: u64 = 24;

/// A new file: its header, and the places of its tensors' data.
///
/// Additions pass the same checks as the changes of an [`Edit`](crate::edit::Edit), so llama.cpp reads every file that a writer
/// makes. There are two exceptions: llama.cpp refuses nested arrays, and reads big-endian files only on big-endian machines.
/// The data is written unchanged. The caller must give it in the byte order of the file.
///
/// # Examples
///
/// **All at once.** The [`plan`](Self::plan) is the whole file. Source `i` of it is the data of tensor `i`:
///
/// ```
/// use gguf_format::{Format, GgmlType, write::{Segment, Writer}};
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
///         Segment::Swap { .. } => unreachable!("a writer copies data unchanged"),
///     }
/// }
/// assert_eq!(file.len() as u64, writer.size());
/// assert_eq!(gguf_format::parse(&file)?.tensor("output_norm.weight").unwrap().offset(), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **Metadata first.** The data is appended tensor by tensor, when it becomes available:
///
/// ```
/// use gguf_format::{Format, GgmlType, write::Writer};
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
/// # Ok::<(), gguf_format::Error>(())
/// ```
///
/// **Data first.** The space of the header is reserved. The metadata is written last, with values that depend on the data:
///
/// ```
/// use std::io::{Cursor, Seek, SeekFrom, Write};
/// use gguf_format::{Format, GgmlType, write::Writer};
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
/// let header = gguf_format::parse(file.get_ref())?;
/// assert_eq!(header.get("example.sum").unwrap().value().as_f64(), Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Writer {
    format: Format,
    keys: DistinctNames,
    /// The value of each key.
    values: Vec<NewValue>,
    tensor_names: DistinctNames,
    /// The tensor of each name.
    tensors: Vec<Tensor>,
    sizes: Sizes,
    is_reserved: bool,
}

impl Writer {
    /// A file without entries and tensors.
    ///
    /// # Errors
    ///
    /// `unsupported-version` if the version is neither 2 nor 3. Every reader of version 1 also reads these.
    pub fn new(format: Format) -> Result<Self> {
        if !matches!(format.version, 2 | 3) {
            return Err(error!(UnsupportedVersion:
                "cannot write a file of version {}: use version 2 or 3", format.version));
        }
        Ok(Self {
            format,
            keys: DistinctNames::default(),
            values: Vec::new(),
            tensor_names: DistinctNames::default(),
            tensors: Vec::new(),
            sizes: Sizes { header: PREAMBLE_SIZE, alignment: DEFAULT_ALIGNMENT, data: 0 },
            is_reserved: false,
        })
    }

    /// The version and the byte order of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Adds a metadata entry at the end. The entry `general.alignment` sets the alignment of the data.
    ///
    /// # Errors
    ///
    /// `key-taken`, `bad-key`, `does-not-fit`, `bad-alignment`, `limit-exceeded`, `no-room`.
    pub fn add(&mut self, key: &[u8], value: &OwnedValue) -> Result<()> {
        let value = NewValue::new(value)?;
        if self.keys.find(key).is_some() { Err(key_taken(key)) } else { self.put(key, value) }
    }

    /// Sets the value of an existing entry. The new value may have another type.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `does-not-fit`, `bad-alignment`, `limit-exceeded`, `no-room`.
    pub fn set(&mut self, key: &[u8], value: &OwnedValue) -> Result<()> {
        let value = NewValue::new(value)?;
        if self.keys.find(key).is_none() {
            return Err(error!(UnknownKey:
                "cannot set the value of \"{}\": no entry has this key; add it first", lossy(key)));
        }
        self.put(key, value)
    }

    /// Sets the value of an entry. If no entry has the key, adds one at the end.
    ///
    /// # Errors
    ///
    /// `bad-key`, `bad-alignment`, `limit-exceeded`, `no-room`.
    pub fn put(&mut self, key: &[u8], value: NewValue) -> Result<()> {
        check_alignment(key, Some(value.value()))?;
        check_readable(key, value.value(), self.format.version)?;
        let position = self.keys.find(key);
        let header = match position {
            Some(position) => self.sizes.header - self.values[position].byte_length() + value.byte_length(),
            None => {
                check_count("entry", key, self.keys.count(), Limits::default().metadata_count)?;
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
        self.sizes = self.check_sizes(sizes, key)?;
        match position {
            Some(position) => self.values[position] = value,
            None => {
                self.keys.push(key);
                self.values.push(value);
            }
        }
        if alignment.is_some() {
            self.place_data();
        }
        Ok(())
    }

    /// The value of an entry.
    pub fn get(&self, key: &[u8]) -> Option<&NewValue> {
        self.values.get(self.keys.find(key)?)
    }

    /// The alignment of the data section and of each tensor in it, in bytes.
    pub fn alignment(&self) -> u64 {
        self.sizes.alignment
    }

    /// Sets the alignment in bytes: changes `general.alignment`, or adds it. Without that entry it is 32.
    ///
    /// # Errors
    ///
    /// `bad-alignment`, `limit-exceeded`, `no-room`.
    pub fn set_alignment(&mut self, alignment: u32) -> Result<()> {
        let value = alignment.into();
        if self.keys.find(ALIGNMENT).is_some() { self.set(ALIGNMENT, &value) } else { self.add(ALIGNMENT, &value) }
    }

    /// Adds a tensor at the end. `dimensions` are in elements, the fastest first, as `ne` of ggml. Returns the position of the
    /// tensor.
    ///
    /// # Errors
    ///
    /// `name-taken`, `bad-name`, `unknown-type`. `does-not-fit` if a row does not consist of whole blocks. `limit-exceeded` if
    /// there are more than 4 dimensions or more elements than ggml accepts. `no-room`.
    pub fn add_tensor(&mut self, name: &[u8], dimensions: &[u64], ggml_type: GgmlType) -> Result<usize> {
        check_count("tensor", name, self.tensors.len(), Limits::default().tensor_count)?;
        check_tensor_name(name)?;
        if self.tensor_names.find(name).is_some() {
            return Err(name_taken(name));
        }
        let byte_length = byte_length(name, dimensions, ggml_type)?;
        let header = self.sizes.header + 8 + name.len() as u64 + 4 + 8 * dimensions.len() as u64 + 12;
        let offset = self.sizes.data;
        self.sizes = self.check_sizes(Sizes { header, ..self.sizes }.with_data(byte_length), name)?;
        self.tensors.push(Tensor { dimensions: dimensions.into(), ggml_type, offset, byte_length });
        self.tensor_names.push(name);
        Ok(self.tensors.len() - 1)
    }

    /// The number of tensors.
    pub fn tensor_count(&self) -> usize {
        self.tensors.len()
    }

    /// The tensor at a position.
    pub fn tensor(&self, index: usize) -> Option<NewTensor<'_>> {
        (index < self.tensors.len()).then(|| self.new_tensor(index))
    }

    /// The tensors in the order in which they were added.
    pub fn tensors(&self) -> impl ExactSizeIterator<Item = NewTensor<'_>> {
        (0..self.tensors.len()).map(|index| self.new_tensor(index))
    }

    fn new_tensor(&self, index: usize) -> NewTensor<'_> {
        let (name, tensor) = (self.tensor_names.get(index), &self.tensors[index]);
        NewTensor { index, name, tensor, sizes: self.sizes }
    }

    /// The size of the header in bytes: from the start of the file to the end of the tensor infos.
    pub fn header_size(&self) -> u64 {
        self.sizes.header
    }

    /// The offset of the data section, in bytes from the start of the file.
    pub fn data_offset(&self) -> u64 {
        self.sizes.data_offset()
    }

    /// The size of the file in bytes. The data of every tensor is padded, also of the last one. A file without tensors ends
    /// after its header.
    pub fn size(&self) -> u64 {
        if self.tensors.is_empty() { self.sizes.header } else { self.data_offset() + self.sizes.data }
    }

    /// Fixes the offset of the data section, so that the data can be written before the header. Returns the offset. From then
    /// on, a change that would move the data section is refused with `no-room`.
    ///
    /// A change fits if the header still ends in the padding before the data section, which is shorter than the alignment. A
    /// number of the same type and a string of the same length always fit.
    pub fn reserve(&mut self) -> u64 {
        self.is_reserved = true;
        self.data_offset()
    }

    /// The bytes of the header. If there are tensors, followed by the padding up to the data section.
    ///
    /// # Errors
    ///
    /// `too-large` if the header cannot be allocated.
    pub fn header(&self) -> Result<Vec<u8>> {
        let alignment = if self.tensors.is_empty() { 1 } else { self.sizes.alignment };
        if alignment > MAX_PADDING {
            return Err(no_memory(alignment));
        }
        let size = self.sizes.header.next_multiple_of(alignment);
        let mut header = Encoder::new(self.format);
        header.reserve(size).map_err(|_| no_memory(size))?;
        header.header(self.tensors.len() as u64, self.keys.count() as u64);
        for (key, value) in self.keys.iter().zip(&self.values) {
            let entry = value.entry();
            header.key(key, entry.value_type().id());
            header.copy_values(entry.storage(), entry.value_type(), 1, entry.value_range().start);
        }
        for (name, tensor) in self.tensor_names.iter().zip(&self.tensors) {
            header.tensor_info(name, &tensor.dimensions, tensor.ggml_type.0, tensor.offset);
        }
        header.pad_to(alignment);
        Ok(header.into_bytes())
    }

    /// Plans the whole file. Source `i` of the plan is the data of tensor `i`, which is copied as a whole.
    ///
    /// # Errors
    ///
    /// `too-large` if the header cannot be allocated.
    pub fn plan(&self) -> Result<WritePlan> {
        let mut plan = PlanBuilder::default();
        plan.push_bytes(self.header()?);
        for tensor in self.tensors() {
            plan.push(Segment::Copy { source: tensor.index(), range: 0..tensor.byte_length() });
            plan.pad_to(tensor.position() + tensor.padded_length()).map_err(no_memory)?;
        }
        Ok(plan.finish(self.header_size(), self.data_offset(), None))
    }

    /// Checks that the file can have other sizes. `name` is the key or the name of the item that changes them.
    fn check_sizes(&self, sizes: Option<Sizes>, name: &[u8]) -> Result<Sizes> {
        let Some(sizes) = sizes.filter(|sizes| sizes.data <= MAX_FILE_SIZE - sizes.data_offset().min(MAX_FILE_SIZE))
        else {
            let name = lossy(name);
            return Err(error!(LimitExceeded:
                "cannot add \"{name}\": the file would have more than {MAX_FILE_SIZE} bytes"));
        };
        check_header_size(sizes.header)?;
        let (offset, alignment) = (self.data_offset(), self.sizes.alignment);
        if self.is_reserved && (sizes.data_offset(), sizes.alignment) != (offset, alignment) {
            return Err(error!(NoRoom:
                "cannot change \"{}\": the data is fixed at offset {offset} with alignment {alignment}; a header of {} \
                 bytes with alignment {} would move it", lossy(name), sizes.header, sizes.alignment));
        }
        Ok(sizes)
    }

    /// Places the data of every tensor after the data of the tensor before it.
    fn place_data(&mut self) {
        let mut offset = 0;
        for tensor in &mut self.tensors {
            tensor.offset = offset;
            offset = (offset + tensor.byte_length).next_multiple_of(self.sizes.alignment);
        }
    }
}
