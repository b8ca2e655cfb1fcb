//! A model with adapters, as a file that is computed when it is read.

use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::Range;

use super::adapter::LoraAdapter;
use super::header::{NewTensor, encode};
use super::pairs::{Pair, Pairs, add_pairs};
use super::product::{Factor, add_change, zeros};
use crate::convert::model::queue::Queue;
use crate::declare::result;
use crate::decode::decoder::parse;
use crate::error::shown::Shown;
use crate::error::{Result, error};
use crate::format::ggml_type::GgmlType;
use crate::format::header::TensorInfo;
use crate::format::version::Endian;
use crate::io::{Buffer, BufferBuilder, Merge, Source, SourceChunks};
use crate::know::kind::Shard;
use crate::tensor::opened_file::OpenedFile;
use crate::tensor::{Quantizer, quantizer};

/// The most elements that are computed at once. Rows are not divided.
const ELEMENTS_AT_ONCE: u64 = 512 << 10;

/// `general.file_type` of a file whose matrices are F16.
const F16_FILE_TYPE: u32 = 1;

/// The types of the tensors that adapters change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergedTypes {
    /// F32 stays F32, all others become F16, as `llama-export-lora` has it.
    #[default]
    F16,
    /// All become F32, to be converted further.
    F32,
    /// They keep their types: changed tensors are quantised again, without an importance matrix.
    Keep,
}

/// How adapters are merged into a model.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct MergeOptions {
    /// The types of the tensors that adapters change.
    pub types: MergedTypes,
}

impl MergeOptions {
    /// The options with other types.
    #[must_use]
    pub fn with_types(self, types: MergedTypes) -> Self {
        Self { types }
    }
}

result! {
    /// A tensor of the new file.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("MergedModelTensor")]
    pub struct MergedTensor {
        /// The name.
        #[rust]
        pub name: Vec<u8>,
        /// The name.
        give name: alloc::string::String = |tensor| alloc::string::String::from_utf8_lossy(&tensor.name).into_owned(),
        /// The number of elements in each dimension, fastest first.
        pub dimensions: Vec<u64>,
        /// The type in the model.
        pub old_type: GgmlType,
        /// The type in the new file.
        pub new_type: GgmlType,
        /// The size of the data in the new file, in bytes.
        pub byte_length: u64,
        /// The number of adapters that change it.
        pub adapters: usize,
    }
}

/// A model with adapters merged into it. It is a [`Source`]: every range can be read without writing the file, and reads from the
/// model and the adapters only what the range needs. Clones share it.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "std")] {
/// use std::rc::Rc;
/// use gguf_wasm::{Error, Limits, OpenedFile, io::{FileSource, block_on}};
/// use gguf_wasm::lora::{LoraAdapter, MergeOptions, MergedFile};
///
/// async fn merge(model: &str, adapter: &str) -> Result<MergedFile<FileSource>, Error> {
///     let model = OpenedFile::open(FileSource::open(model)?, Limits::default()).await?;
///     let adapter = OpenedFile::open(FileSource::open(adapter)?, Limits::default()).await?;
///     let adapter = LoraAdapter::new(Rc::new(adapter), 1.0)?;
///     MergedFile::new(Rc::new(model), vec![adapter], MergeOptions::default())
/// }
/// assert!(block_on(merge("no-model.gguf", "no-adapter.gguf")).is_err());
/// # }
/// ```
pub struct MergedFile<S: Source>(Rc<Inner<S>>);

struct Inner<S: Source> {
    model: Rc<OpenedFile<S>>,
    adapters: Vec<LoraAdapter<S>>,
    /// The header with its padding.
    header: Vec<u8>,
    /// In the order of their positions.
    tensors: Vec<TensorData>,
    listed: Vec<MergedTensor>,
    quantizers: Vec<Quantizer>,
    size: u64,
    /// The factor that was used last.
    factor: RefCell<Option<(FactorKey, Rc<Factor>)>>,
    /// The reads that need a factor. One at a time, so that reads in flight share it instead of reading it each.
    queue: Queue,
}

/// Which factor it is: the adapter, the tensor, and the number of the expert.
type FactorKey = (usize, usize, u64);

/// Where the data of a tensor lies, and how it is made.
struct TensorData {
    /// The position in the model.
    index: usize,
    /// The place in the new file.
    range: Range<u64>,
    content: Content,
}

enum Content {
    /// The bytes of the model, which begin at an offset.
    Copy {
        start: u64,
    },
    Merged(Merged),
}

/// A tensor that adapters change.
struct Merged {
    pairs: Vec<Pair>,
    new_type: GgmlType,
    row_length: u64,
    /// The number of rows of a matrix.
    rows: u64,
    /// The size of a new row in bytes.
    row_bytes: u64,
}

impl<S: Source> MergedFile<S> {
    /// A model with adapters, which are added one after the other.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if an adapter does not fit the model, if there is none, or if a type cannot be quantised to.
    /// `incomplete-set` if the model is a shard. `unknown-type` if a type is not known. `limit-exceeded` if a matrix of an adapter is
    /// too large to be kept in memory.
    pub fn new(model: Rc<OpenedFile<S>>, adapters: Vec<LoraAdapter<S>>, options: MergeOptions) -> Result<Self> {
        let header = model.header().clone();
        if Shard::of(&header).is_some_and(|shard| shard.count > 1) {
            return Err(error!(IncompleteSet:
                "the model is one of several shards, into which no adapter can be merged; merge the shards first"));
        }
        if adapters.is_empty() {
            return Err(error!(InvalidArgument: "no adapter is given: expected one at least"));
        }
        let mut pairs = Pairs::new();
        for (position, adapter) in adapters.iter().enumerate() {
            add_pairs(&mut pairs, &header, position, adapter)?;
        }
        let mut quantizers: Vec<Quantizer> = Vec::new();
        let mut new = Vec::new();
        for tensor in header.tensors() {
            let old_type = tensor.ggml_type();
            let is_changed = pairs.contains_key(&tensor.index());
            let ggml_type = match options.types {
                _ if !is_changed => old_type,
                MergedTypes::F16 if old_type != GgmlType::F32 => GgmlType::F16,
                MergedTypes::Keep => old_type,
                _ => GgmlType::F32,
            };
            if is_changed && !quantizers.iter().any(|quantizer| quantizer.ggml_type() == ggml_type) {
                quantizers.push(usable_quantizer(&tensor, ggml_type)?);
            }
            new.push(new_tensor(&model, &tensor, ggml_type)?);
        }
        // The order of llama-export-lora, which keeps tensors by their names.
        let mut order: Vec<usize> = (0..new.len()).collect();
        crate::order::sort_by(&mut order, &|a: usize, b| (&new[a].name, a).cmp(&(&new[b].name, b)));
        let mut places: Vec<Option<NewTensor>> = new.into_iter().map(Some).collect();
        let mut new: Vec<NewTensor> = order.into_iter().filter_map(|index| places[index].take()).collect();
        let file_type = (options.types == MergedTypes::F16).then_some(F16_FILE_TYPE);
        let (bytes, size) = encode(&header, &mut new, file_type)?;

        let (mut tensors, mut listed) = (Vec::new(), Vec::new());
        for new in new {
            let Some(tensor) = header.tensor_at(new.index) else { continue };
            let pairs = pairs.remove(&new.index).unwrap_or_default();
            listed.push(MergedTensor {
                name: new.name.clone(),
                dimensions: new.dimensions.clone(),
                old_type: tensor.ggml_type(),
                new_type: new.ggml_type,
                byte_length: new.byte_length,
                adapters: pairs.len(),
            });
            tensors.push(TensorData {
                index: new.index,
                range: new.position..new.position + new.byte_length,
                content: if pairs.is_empty() {
                    Content::Copy { start: model.extent(&tensor)?.start }
                } else {
                    let mut dimensions = tensor.dimensions();
                    let (row_length, rows) = (dimensions.next().unwrap_or(1), dimensions.next().unwrap_or(1));
                    let row_bytes = new.ggml_type.byte_length(row_length, row_length).unwrap_or(0);
                    Content::Merged(Merged { pairs, new_type: new.ggml_type, row_length, rows, row_bytes })
                },
            });
        }
        Ok(Self(Rc::new(Inner {
            model,
            adapters,
            header: bytes,
            tensors,
            listed,
            quantizers,
            size,
            factor: RefCell::default(),
            queue: Queue::default(),
        })))
    }

    /// The tensors of the new file, in order.
    pub fn tensors(&self) -> &[MergedTensor] {
        &self.0.listed
    }

    /// The adapters.
    pub fn adapters(&self) -> &[LoraAdapter<S>] {
        &self.0.adapters
    }

    /// The model without the adapters.
    pub fn model(&self) -> &Rc<OpenedFile<S>> {
        &self.0.model
    }

    /// The bytes of the header, with the padding after it.
    pub fn header_bytes(&self) -> &[u8] {
        &self.0.header
    }

    /// The size of the new file in bytes.
    pub fn byte_length(&self) -> u64 {
        self.0.size
    }

    /// The bytes of the file from `start` on, piece by piece.
    pub fn chunks(&self, start: u64) -> SourceChunks<Self> {
        SourceChunks::new(self.clone(), self.0.size, start)
    }

    /// The new file, opened: its header can be checked, its values can be seen, and it can be converted to other types without
    /// writing it.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the header cannot be allocated.
    pub fn opened(&self) -> Result<OpenedFile<Self>> {
        Ok(OpenedFile::new(Arc::new(parse(&self.0.header)?), self.clone()))
    }

    /// Some rows of a tensor as numbers, before and after the adapters. `tensor` is its position in [`tensors`](Self::tensors). Rows
    /// are counted through all matrices of the tensor. The numbers after the adapters are not yet rounded to the new type.
    ///
    /// # Errors
    ///
    /// `out-of-range` if the tensor does not have the rows, or if there is no such tensor. What reading the files fails with.
    pub async fn rows(&self, tensor: usize, rows: Range<u64>) -> Result<[Vec<f32>; 2]> {
        let Some(data) = self.0.tensors.get(tensor) else {
            return Err(error!(OutOfRange:
                "there is no tensor {tensor}: expected a number below {}", self.0.tensors.len()));
        };
        let Some(info) = self.0.model.header().tensor_at(data.index) else { return Ok([Vec::new(), Vec::new()]) };
        let row_length = info.dimensions().next().unwrap_or(1);
        let elements = rows.start.saturating_mul(row_length)..rows.end.saturating_mul(row_length);
        let before = self.0.model.read_f32(&info, elements).await?;
        let mut after = zeros(before.len())?;
        after.copy_from_slice(&before);
        if let Content::Merged(merged) = &data.content {
            self.add_changes(merged, rows, &mut after).await?;
        }
        Ok([before, after])
    }

    /// Adds the changes of all adapters to some rows.
    async fn add_changes(&self, merged: &Merged, rows: Range<u64>, elements: &mut [f32]) -> Result<()> {
        let row_length = merged.row_length as usize;
        let mut sums = zeros(row_length)?;
        for pair in &merged.pairs {
            let file = &self.0.adapters[pair.adapter].file;
            let Some(info) = file.header().tensor_at(pair.coefficients) else { continue };
            let coefficients = file.read_f32(&info, rows.start * pair.rank..rows.end * pair.rank).await?;
            let mut factor: Option<(u64, Rc<Factor>)> = None;
            for ((row, coefficients), elements) in rows
                .clone()
                .zip(coefficients.chunks_exact(pair.rank as usize))
                .zip(elements.chunks_exact_mut(row_length))
            {
                let number = if pair.factors == 1 { 0 } else { row / merged.rows };
                let known = match factor.take().filter(|(known, _)| *known == number) {
                    Some((_, known)) => known,
                    None => self.factor(pair, number, merged.row_length).await?,
                };
                add_change(elements, coefficients, &known, pair.scale, &mut sums);
                factor = Some((number, known));
            }
        }
        Ok(())
    }

    /// The factor of a pair. The last one is kept: the file is read piece by piece.
    async fn factor(&self, pair: &Pair, number: u64, columns: u64) -> Result<Rc<Factor>> {
        let _place = self.0.queue.wait().await;
        let key = (pair.adapter, pair.factor, number);
        if let Some((known, factor)) = &*self.0.factor.borrow()
            && *known == key
        {
            return Ok(factor.clone());
        }
        // The memory of the old factor is free before the new one is read.
        self.0.factor.take();
        let file = &self.0.adapters[pair.adapter].file;
        let count = pair.rank * columns;
        let numbers = match file.header().tensor_at(pair.factor) {
            Some(info) => file.read_f32(&info, number * count..(number + 1) * count).await?,
            None => Vec::new(),
        };
        let columns = columns as usize;
        let factor = Rc::new(match pair.is_transposed {
            true => Factor::transposed(columns, pair.rank as usize, &numbers)?,
            false => Factor { columns, numbers },
        });
        self.0.factor.replace(Some((key, factor.clone())));
        Ok(factor)
    }

    /// The bytes of some rows of a tensor that adapters change.
    async fn merged_rows(&self, index: usize, merged: &Merged, rows: Range<u64>) -> Result<Vec<u8>> {
        let mut bytes = zeros::<u8>(((rows.end - rows.start) * merged.row_bytes) as usize)?;
        let Some(info) = self.0.model.header().tensor_at(index) else { return Ok(bytes) };
        let found = self.0.quantizers.iter().find(|quantizer| quantizer.ggml_type() == merged.new_type);
        let quantizer = found.ok_or_else(|| no_quantizer(&info, merged.new_type, ""))?;
        // The matrices of the adapters have rows of `rank` numbers.
        let longest = merged.pairs.iter().fold(merged.row_length, |longest, pair| longest.max(pair.rank));
        let at_once = (ELEMENTS_AT_ONCE / longest).max(1);
        let mut row = rows.start;
        while row < rows.end {
            let end = rows.end.min(row + at_once);
            let mut elements = self.0.model.read_f32(&info, row * merged.row_length..end * merged.row_length).await?;
            self.add_changes(merged, row..end, &mut elements).await?;
            let part =
                ((row - rows.start) * merged.row_bytes) as usize..((end - rows.start) * merged.row_bytes) as usize;
            quantizer.quantize(&elements, merged.row_length as usize, None, &mut bytes[part])?;
            row = end;
        }
        if self.0.model.header().format().endian == Endian::Big
            && let Some(info) = merged.new_type.info()
        {
            info.swap_byte_order(&mut bytes);
        }
        Ok(bytes)
    }
}

/// The tensor of the new file.
fn new_tensor<S: Source>(model: &OpenedFile<S>, tensor: &TensorInfo<'_>, ggml_type: GgmlType) -> Result<NewTensor> {
    let mut dimensions: Vec<u64> = tensor.dimensions().collect();
    let row_length = dimensions.first().copied().unwrap_or(1);
    let byte_length = match ggml_type == tensor.ggml_type() {
        true => {
            let extent = model.extent(tensor)?;
            Some(extent.end - extent.start)
        }
        false => tensor.element_count().and_then(|count| ggml_type.byte_length(count, row_length)),
    };
    let byte_length = byte_length.ok_or_else(|| no_quantizer(tensor, ggml_type, ""))?;
    // ggml does not store the last dimensions of one element.
    while dimensions.len() > 1 && dimensions.last() == Some(&1) {
        dimensions.pop();
    }
    let name = tensor.name().to_bytes().into_owned();
    Ok(NewTensor { index: tensor.index(), name, dimensions, ggml_type, byte_length, position: 0 })
}

/// The quantiser of a type that a changed tensor gets.
fn usable_quantizer(tensor: &TensorInfo<'_>, ggml_type: GgmlType) -> Result<Quantizer> {
    let found = quantizer(ggml_type).ok_or_else(|| no_quantizer(tensor, ggml_type, ""))?;
    match found.requires_importance() {
        true => Err(no_quantizer(tensor, ggml_type, " without an importance matrix")),
        false => Ok(found),
    }
}

#[cold]
fn no_quantizer(tensor: &TensorInfo<'_>, ggml_type: GgmlType, how: &str) -> crate::error::Error {
    error!(InvalidArgument:
        "the changed tensor \"{}\" cannot be quantised to {ggml_type}{how}; let changed tensors become F16",
        Shown(&tensor.name().to_bytes()))
}

impl<S: Source> Clone for MergedFile<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Source> Source for MergedFile<S> {
    type Buffer = S::Buffer;
    type Host = S::Host;

    fn size(&self) -> Option<u64> {
        Some(self.0.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<S::Buffer> {
        let Inner { header, tensors, size, model, .. } = &*self.0;
        let range = range.start.min(*size)..range.end.min(*size);
        // What no part covers is padding, and zero.
        let mut target = S::Buffer::builder(range.end - range.start)?;
        if let Some(header) = header.get(range.start as usize..(range.end.min(header.len() as u64)) as usize) {
            target.set(0, header)?;
        }
        let first = tensors.partition_point(|tensor| tensor.range.end <= range.start);
        for tensor in tensors[first..].iter().take_while(|tensor| tensor.range.start < range.end) {
            let part = range.start.max(tensor.range.start)..range.end.min(tensor.range.end);
            if part.is_empty() {
                continue;
            }
            let inner = part.start - tensor.range.start..part.end - tensor.range.start;
            match &tensor.content {
                Content::Copy { start } => {
                    let copied = start + inner.start..start + inner.end;
                    let bytes = model.reader().request(copied, Merge::Close).bytes().await?;
                    target.set_buffer(part.start - range.start, &bytes)?;
                }
                Content::Merged(merged) => {
                    let rows = inner.start / merged.row_bytes..inner.end.div_ceil(merged.row_bytes);
                    let skipped = (inner.start - rows.start * merged.row_bytes) as usize;
                    let bytes = self.merged_rows(tensor.index, merged, rows).await?;
                    let length = (inner.end - inner.start) as usize;
                    target.set(part.start - range.start, &bytes[skipped..skipped + length])?;
                }
            }
        }
        Ok(target.finish())
    }

    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        (Rc::as_ptr(&self.0).addr(), range.start)
    }
}
