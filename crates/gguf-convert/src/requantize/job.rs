//! The work of converting some rows of a tensor. A job is plain data, so that a worker can do it.

use alloc::{string::String, sync::Arc, vec::Vec};

use super::quality::QuantizationError;
use super::rows_check::first_broken_block;
use gguf_format::allocation;
use gguf_format::error::{Result, error, no_memory};
use gguf_format::format::ggml_type::{GgmlType, GgmlTypeInfo};
use gguf_format::io::{Buffer, BufferBuilder};
use gguf_format::tensor::{Quantizer, kernels, quantizer};

/// Elements that are converted at once: 128 KiB of `f32`s, which fit into a second-level cache. At least one row.
const ELEMENTS_AT_ONCE: usize = 32 << 10;

/// Some rows of a tensor that are converted to another type. If both types are the same, the rows are only checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConversionJob<B> {
    /// The bytes of the rows as the file stores them.
    pub rows: B,
    /// Whether nobody else uses the memory of `rows`, so that a host can give it to a worker without copying it.
    pub owns_rows: bool,
    /// The type of the rows.
    pub source_type: GgmlType,
    /// The type to convert to.
    pub target_type: GgmlType,
    /// The number of elements of a row.
    pub row_length: usize,
    /// Whether numbers are stored in big-endian order, in both files.
    pub is_big_endian: bool,
    /// How much errors in each column count. Its length is `row_length`.
    pub importance: Option<Arc<[f32]>>,
    /// Whether the rows are quantized as if there was no importance, which then only weighs their error.
    pub ignores_importance: bool,
    /// Whether the error of quantizing is measured.
    pub measures_error: bool,
    /// The name of the tensor, for messages of the host.
    pub tensor: String,
}

/// What a job has found.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "a job converts its rows or finds an invalid one")]
pub enum JobOutcome<B> {
    /// The converted rows.
    Converted(ConvertedRows<B>),
    /// The first row that cannot be converted.
    Invalid(InvalidRow),
}

/// Rows that have been converted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConvertedRows<B> {
    /// The bytes of the rows. `None` if the type is the same: the rows of the job are then the result.
    pub bytes: Option<B>,
    /// The error of quantizing, if it was measured.
    pub error: Option<QuantizationError>,
}

impl<B> ConvertedRows<B> {
    /// Converted rows that a worker has returned.
    pub fn new(bytes: Option<B>, error: Option<QuantizationError>) -> Self {
        Self { bytes, error }
    }
}

/// A row that contains a NaN or an infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "a worker makes it")]
pub struct InvalidRow {
    /// The position of the block in the job that contains the number, in blocks of the type that has it.
    pub block: u64,
    /// Whether the number is in the source. Otherwise the target type cannot hold the numbers of the row.
    pub is_source: bool,
}

/// Quantizers that have been used. The tables of some of them take a tenth of a second to compute.
#[derive(Debug, Default)]
pub struct Quantizers(Vec<Quantizer>);

impl Quantizers {
    /// The quantizer of a type.
    fn get(&mut self, ggml_type: GgmlType) -> Result<&Quantizer> {
        let position = match self.0.iter().position(|quantizer| quantizer.ggml_type() == ggml_type) {
            Some(position) => position,
            None => {
                let new = quantizer(ggml_type);
                self.0.push(new.ok_or_else(|| error!(InvalidArgument: "rows cannot be converted to {ggml_type}"))?);
                self.0.len() - 1
            }
        };
        Ok(&self.0[position])
    }
}

impl<B: Buffer> ConversionJob<B> {
    /// A job without importance whose rows are little-endian.
    pub fn new(rows: B, row_length: usize, source_type: GgmlType, target_type: GgmlType) -> Self {
        Self {
            rows,
            owns_rows: false,
            source_type,
            target_type,
            row_length,
            is_big_endian: false,
            importance: None,
            ignores_importance: false,
            measures_error: false,
            tensor: String::new(),
        }
    }

    /// Does the work.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if the types, the length of a row or the importance do not fit together. `too-large` if memory cannot
    /// be allocated. Errors of the buffers are passed on.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::{GgmlType, io::MemoryBuffer};
    /// use gguf_convert::requantize::{ConversionJob, JobOutcome, Quantizers};
    ///
    /// let row: Vec<u8> = (0..32).flat_map(|i| (i as f32).to_le_bytes()).collect();
    /// let job = ConversionJob::new(MemoryBuffer::from(row), 32, GgmlType::F32, GgmlType::Q8_0);
    /// let JobOutcome::Converted(rows) = job.run(&mut Quantizers::default())? else { panic!("the row is finite") };
    /// assert_eq!(rows.bytes.unwrap().as_slice().len(), 34);
    /// # Ok::<(), gguf_format::Error>(())
    /// ```
    pub fn run(&self, quantizers: &mut Quantizers) -> Result<JobOutcome<B>> {
        let (Some(source), Some(target)) = (info_of(self.source_type), info_of(self.target_type)) else {
            return Err(error!(InvalidArgument:
                "rows of {} cannot be converted to {}", self.source_type, self.target_type));
        };
        if self.source_type == self.target_type {
            return self.check(source);
        }
        let to_f32 = kernels(self.source_type).map(|kernels| kernels.to_f32);
        let to_f32 = to_f32.ok_or_else(|| error!(InvalidArgument: "rows of {} cannot be read", self.source_type))?;
        let back = kernels(self.target_type).map(|kernels| kernels.to_f32).filter(|_| self.measures_error);
        let quantizer = quantizers.get(self.target_type)?;
        let importance = self.importance.as_deref();
        let used_importance = importance.filter(|_| !self.ignores_importance);
        let (from_bytes, to_bytes) = (self.row_bytes(source)?, self.row_bytes(target)?);
        if !self.rows.len().is_multiple_of(from_bytes as u64) {
            return Err(error!(InvalidArgument:
                "{} bytes are no whole rows of {from_bytes} bytes of {}", self.rows.len(), self.source_type));
        }
        let row_count = (self.rows.len() / from_bytes as u64) as usize;
        let rows_at_once = (ELEMENTS_AT_ONCE / self.row_length).clamp(1, row_count.max(1));
        let mut blocks = buffer::<u8>(rows_at_once * from_bytes)?;
        let mut elements = buffer::<f32>(rows_at_once * self.row_length)?;
        let mut quantized = buffer::<u8>(rows_at_once * to_bytes)?;
        let mut result = B::builder((row_count * to_bytes) as u64)?;
        let mut error = QuantizationError::default();
        let mut row = 0;
        while row < row_count {
            let count = rows_at_once.min(row_count - row);
            let blocks = &mut blocks[..count * from_bytes];
            let elements = &mut elements[..count * self.row_length];
            let quantized = &mut quantized[..count * to_bytes];
            self.copy_rows((row * from_bytes) as u64, blocks, source)?;
            if let Some(block) = first_broken_block(self.source_type, blocks) {
                let before = row * from_bytes / source.type_size as usize;
                return Ok(JobOutcome::Invalid(InvalidRow { block: (before + block) as u64, is_source: true }));
            }
            to_f32(blocks, elements);
            quantizer.quantize(elements, self.row_length, used_importance, quantized)?;
            if let Some(block) = first_broken_block(self.target_type, quantized) {
                let before = row * to_bytes / target.type_size as usize;
                return Ok(JobOutcome::Invalid(InvalidRow { block: (before + block) as u64, is_source: false }));
            }
            if let Some(back) = back {
                let mut found = buffer::<f32>(elements.len())?;
                back(quantized, &mut found);
                error.add(QuantizationError::of(elements, &found, importance));
            }
            if self.is_big_endian {
                target.swap_byte_order(quantized);
            }
            result.set((row * to_bytes) as u64, quantized)?;
            row += count;
        }
        let error = self.measures_error.then_some(error);
        Ok(JobOutcome::Converted(ConvertedRows { bytes: Some(result.finish()), error }))
    }

    /// Checks rows that are not converted.
    fn check(&self, info: &GgmlTypeInfo) -> Result<JobOutcome<B>> {
        let size = info.type_size as usize;
        let at_once = (ELEMENTS_AT_ONCE / info.block_size as usize * size) as u64;
        let mut blocks = buffer::<u8>(self.rows.len().min(at_once) as usize)?;
        let mut start = 0;
        while start < self.rows.len() {
            let length = at_once.min(self.rows.len() - start);
            let blocks = &mut blocks[..length as usize];
            self.copy_rows(start, blocks, info)?;
            if let Some(block) = first_broken_block(self.source_type, blocks) {
                let block = start / size as u64 + block as u64;
                return Ok(JobOutcome::Invalid(InvalidRow { block, is_source: true }));
            }
            start += length;
        }
        let error = self.measures_error.then(QuantizationError::default);
        Ok(JobOutcome::Converted(ConvertedRows { bytes: None, error }))
    }

    /// Copies rows from a position on, in little-endian order.
    fn copy_rows(&self, start: u64, blocks: &mut [u8], info: &GgmlTypeInfo) -> Result<()> {
        self.rows.part(start..start + blocks.len() as u64)?.copy_to(blocks)?;
        if self.is_big_endian {
            info.swap_byte_order(blocks);
        }
        Ok(())
    }

    /// The length of a row in bytes.
    fn row_bytes(&self, info: &GgmlTypeInfo) -> Result<usize> {
        let block_size = info.block_size as usize;
        if self.row_length == 0 || !self.row_length.is_multiple_of(block_size) {
            return Err(error!(InvalidArgument:
                "rows of {} elements have no whole blocks of {}: expected a multiple of {block_size}", self.row_length,
                info.name));
        }
        Ok(self.row_length / block_size * info.type_size as usize)
    }
}

fn info_of(ggml_type: GgmlType) -> Option<&'static GgmlTypeInfo> {
    ggml_type.info().filter(|info| !info.is_removed())
}

/// Memory for some numbers, all 0.
fn buffer<T: Clone + Default>(length: usize) -> Result<Vec<T>> {
    let mut list = allocation::list(length).ok_or_else(|| no_memory((length * size_of::<T>()) as u64))?;
    list.resize(length, T::default());
    Ok(list)
}
