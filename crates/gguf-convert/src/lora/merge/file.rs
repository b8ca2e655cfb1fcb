//! A model with adapters, as a file that is computed when it is read.

use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::adapter::LoraAdapter;
use super::changes::Changes;
use super::header::encode;
use super::options::{MergeOptions, MergedTensor, MergedTypes};
use super::pairs::{Pair, Pairs, add_pairs};
use super::product::zeros;
use super::tensors::{new_tensors, no_quantizer};
use crate::computed::{ComputedFile, Part, Placed};
use gguf_format::decode::decoder::parse;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::version::Endian;
use gguf_format::io::{BufferBuilder, Merge, Source, SourceChunks};
use gguf_format::tensor::Quantizer;
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_models::kind::Shard;

/// The most elements that are computed at once. Rows are not divided.
const ELEMENTS_AT_ONCE: u64 = 512 << 10;

/// `general.file_type` of a file whose matrices are F16.
const F16_FILE_TYPE: u32 = 1;

/// A model with adapters merged into it. It is a [`Source`]: every range can be read without writing the file, and reads from the
/// model and the adapters only what the range needs. Clones share it.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
/// use gguf_format::{Error, Limits, OpenedFile, io::{FileSource, block_on}};
/// use gguf_convert::lora::{LoraAdapter, MergeOptions, MergedFile};
///
/// async fn merge(model: &str, adapter: &str) -> Result<MergedFile<FileSource>, Error> {
///     let model = OpenedFile::open(FileSource::open(model)?, Limits::default()).await?;
///     let adapter = OpenedFile::open(FileSource::open(adapter)?, Limits::default()).await?;
///     let adapter = LoraAdapter::new(Rc::new(adapter), 1.0)?;
///     MergedFile::new(Rc::new(model), vec![adapter], MergeOptions::default())
/// }
/// assert!(block_on(merge("no-model.gguf", "no-adapter.gguf")).is_err());
/// ```
pub struct MergedFile<S: Source>(Rc<Inner<S>>);

struct Inner<S: Source> {
    model: Rc<OpenedFile<S>>,
    changes: Changes<S>,
    made: ComputedFile<TensorData>,
    listed: Vec<MergedTensor>,
    quantizers: Vec<Quantizer>,
}

/// Where the data of a tensor lies, and how it is made.
struct TensorData {
    /// The position in the model.
    index: usize,
    /// The place in the new file.
    range: Range<u64>,
    content: Content,
}

impl Placed for TensorData {
    fn range(&self) -> &Range<u64> {
        &self.range
    }
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
    /// `invalid-argument` if an adapter does not fit the model, if there is none, or if a type cannot be quantized to.
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
        let (mut new, quantizers) = new_tensors(&model, &pairs, options.types)?;
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
                    let mut dimensions = tensor.dimension_iter();
                    let (row_length, rows) = (dimensions.next().unwrap_or(1), dimensions.next().unwrap_or(1));
                    let row_bytes = new.ggml_type.byte_length(row_length, row_length).unwrap_or(0);
                    Content::Merged(Merged { pairs, new_type: new.ggml_type, row_length, rows, row_bytes })
                },
            });
        }
        Ok(Self(Rc::new(Inner {
            model,
            changes: Changes::new(adapters),
            made: ComputedFile { header: bytes, tensors, size },
            listed,
            quantizers,
        })))
    }

    /// The tensors of the new file, in order.
    pub fn tensors(&self) -> &[MergedTensor] {
        &self.0.listed
    }

    /// The adapters.
    pub fn adapters(&self) -> &[LoraAdapter<S>] {
        &self.0.changes.adapters
    }

    /// The model without the adapters.
    pub fn model(&self) -> &Rc<OpenedFile<S>> {
        &self.0.model
    }

    /// The bytes of the header, with the padding after it.
    pub fn header_bytes(&self) -> &[u8] {
        &self.0.made.header
    }

    /// The size of the new file in bytes.
    pub fn byte_length(&self) -> u64 {
        self.0.made.size
    }

    /// The bytes of the file from `start` on, piece by piece.
    pub fn chunks(&self, start: u64) -> SourceChunks<Self> {
        SourceChunks::new(self.clone(), self.0.made.size, start)
    }

    /// The new file, opened: its header can be checked, its values can be seen, and it can be converted to other types without
    /// writing it.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the header cannot be allocated.
    pub fn opened(&self) -> Result<OpenedFile<Self>> {
        Ok(OpenedFile::new(Arc::new(parse(&self.0.made.header)?), self.clone()))
    }

    /// Some rows of a tensor as numbers, before and after the adapters. `tensor` is its position in [`tensors`](Self::tensors). Rows
    /// are counted through all matrices of the tensor. The numbers after the adapters are not yet rounded to the new type.
    ///
    /// # Errors
    ///
    /// `out-of-range` if the tensor does not have the rows, or if there is no such tensor. Errors of the files are passed on.
    pub async fn rows(&self, tensor: usize, rows: Range<u64>) -> Result<[Vec<f32>; 2]> {
        let Some(data) = self.0.made.tensors.get(tensor) else {
            return Err(error!(OutOfRange:
                "there is no tensor {tensor}: expected a number below {}", self.0.made.tensors.len()));
        };
        let Some(info) = self.0.model.header().tensor_at(data.index) else { return Ok([Vec::new(), Vec::new()]) };
        let row_length = info.dimension_iter().next().unwrap_or(1);
        let elements = rows.start.saturating_mul(row_length)..rows.end.saturating_mul(row_length);
        let before = self.0.model.read_f32(&info, elements).await?;
        let mut after = zeros(before.len())?;
        after.copy_from_slice(&before);
        if let Content::Merged(merged) = &data.content {
            self.0.changes.add(&merged.pairs, [merged.row_length, merged.rows], rows, &mut after).await?;
        }
        Ok([before, after])
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
            self.0.changes.add(&merged.pairs, [merged.row_length, merged.rows], row..end, &mut elements).await?;
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

impl<S: Source> Clone for MergedFile<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Source> Source for MergedFile<S> {
    type Buffer = S::Buffer;
    type Host = S::Host;

    fn size(&self) -> Option<u64> {
        Some(self.0.made.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<S::Buffer> {
        let Inner { made, model, .. } = &*self.0;
        let range = made.cut(range);
        let mut target = made.begin::<S::Buffer>(&range)?;
        for Part { tensor, data: inner, place, .. } in made.parts(&range) {
            match &tensor.content {
                Content::Copy { start } => {
                    let copied = start + inner.start..start + inner.end;
                    let bytes = model.reader().request(copied, Merge::Close).bytes().await?;
                    target.set_buffer(place, &bytes)?;
                }
                Content::Merged(merged) => {
                    let rows = inner.start / merged.row_bytes..inner.end.div_ceil(merged.row_bytes);
                    let skipped = (inner.start - rows.start * merged.row_bytes) as usize;
                    let bytes = self.merged_rows(tensor.index, merged, rows).await?;
                    let length = (inner.end - inner.start) as usize;
                    target.set(place, &bytes[skipped..skipped + length])?;
                }
            }
        }
        Ok(target.finish())
    }

    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        (Rc::as_ptr(&self.0).addr(), range.start)
    }
}
