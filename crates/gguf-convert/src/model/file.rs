//! The converted model as a file that is computed when it is read.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::Range;

use super::queue::Queue;
use super::tensors::content::{Content, mxfp4_rows};
use super::tensors::input::Inputs;
use crate::computed::{ComputedFile, Part, Placed};
use crate::safetensors::SafetensorsModel;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::io::memory::zeros;
use gguf_format::io::{Buffer, BufferBuilder, Source, SourceChunks};
use gguf_format::tensor::{Quantizer, quantizer};

/// The most elements that are converted at once. Rows are not divided.
const ELEMENTS_AT_ONCE: u64 = 512 << 10;

/// The most elements of rows that are computed together because they are columns of a stored matrix. They need all rows of it, so
/// fewer elements would read it more often.
const TRANSPOSED_ELEMENTS: u64 = 4 << 20;

/// The GGUF file of a converted model. It is a [`Source`]: every range can be read without writing the file, and reads from the
/// stored tensors only what the range needs. Clones share it.
pub struct ConvertedFile<S: Source>(Rc<Inner<S>>);

struct Inner<S: Source> {
    inputs: Inputs<S>,
    made: ComputedFile<TensorData>,
    quantizers: Vec<Quantizer>,
    /// Rows that were columns of a stored matrix, and were computed last.
    window: RefCell<Option<Window>>,
    /// The reads that need such rows. One at a time, so that reads in flight share the window instead of computing it each.
    windows: Queue,
}

/// Converted rows of a tensor.
struct Window {
    tensor: usize,
    rows: Range<u64>,
    bytes: Rc<Vec<u8>>,
}

/// Where the data of a tensor lies, and how it is made.
#[doc(hidden)]
pub struct TensorData {
    /// The place in the file.
    pub range: Range<u64>,
    pub ggml_type: GgmlType,
    /// The number of elements of a row. 1 for a tensor of one dimension, so that it can be divided anywhere.
    pub row_length: u64,
    /// The size of a row in bytes.
    pub row_bytes: u64,
    pub content: Content,
}

impl Placed for TensorData {
    fn range(&self) -> &Range<u64> {
        &self.range
    }
}

impl TensorData {
    /// The data of a tensor. `shape` has the slowest dimension first.
    pub fn new(range: Range<u64>, ggml_type: GgmlType, shape: &[u64], content: Content) -> Self {
        let elements: u64 = shape.iter().product();
        let rows: u64 = match shape {
            [rows @ .., _] if !rows.is_empty() => rows.iter().product(),
            _ => elements,
        };
        // A tensor without elements, which the check of the new file refuses.
        let rows = rows.max(1);
        Self { row_length: elements / rows, row_bytes: (range.end - range.start) / rows, range, ggml_type, content }
    }
}

impl<S: Source> ConvertedFile<S> {
    pub(super) fn new(inputs: Inputs<S>, header: Vec<u8>, tensors: Vec<TensorData>, size: u64) -> Result<Self> {
        let mut quantizers: Vec<Quantizer> = Vec::new();
        for tensor in &tensors {
            if !quantizers.iter().any(|quantizer| quantizer.ggml_type() == tensor.ggml_type) {
                quantizers.extend(quantizer(tensor.ggml_type));
            }
        }
        Ok(Self(Rc::new(Inner {
            inputs,
            made: ComputedFile { header, tensors, size },
            quantizers,
            window: RefCell::default(),
            windows: Queue::default(),
        })))
    }

    /// The model that the file is computed from.
    pub fn model(&self) -> &SafetensorsModel<S> {
        &self.0.inputs.model
    }

    /// The bytes of the header, with the padding after it.
    pub fn header_bytes(&self) -> &[u8] {
        &self.0.made.header
    }

    /// The bytes of the file from `start` on, piece by piece.
    pub fn chunks(&self, start: u64) -> SourceChunks<Self> {
        SourceChunks::new(self.clone(), self.0.made.size, start)
    }

    /// The bytes of some rows of a tensor.
    async fn rows(&self, tensor: &TensorData, rows: Range<u64>) -> Result<Vec<u8>> {
        let inputs = &self.0.inputs;
        let row_length = tensor.row_length;
        match &tensor.content {
            Content::Mxfp4 { blocks, scales } => {
                mxfp4_rows(inputs, blocks, scales, row_length / 32, rows.start, rows.end - rows.start).await
            }
            Content::Stored(view) => inputs.bytes(view, row_length, rows.start, rows.end - rows.start).await,
            Content::Constants(numbers) => {
                let numbers = &numbers[rows.start as usize..rows.end as usize];
                Ok(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
            }
            Content::Values(values) => {
                let elements = values.rows(inputs, row_length, rows.start, rows.end - rows.start).await?;
                let mut bytes = zeros((rows.end - rows.start) * tensor.row_bytes)?;
                self.quantizer(tensor.ggml_type)?.quantize(&elements, row_length as usize, None, &mut bytes)?;
                Ok(bytes)
            }
        }
    }

    fn quantizer(&self, ggml_type: GgmlType) -> Result<&Quantizer> {
        let found = self.0.quantizers.iter().find(|quantizer| quantizer.ggml_type() == ggml_type);
        found.ok_or_else(|| error!(InvalidArgument: "rows cannot be converted to {ggml_type}"))
    }

    /// Reads a range of a tensor's data, counted from its start, to a place in `target`. Some rows at a time are in memory besides.
    async fn read_tensor(
        &self,
        index: usize,
        range: Range<u64>,
        target: &mut <S::Buffer as Buffer>::Builder,
        place: u64,
    ) -> Result<()> {
        let tensor = &self.0.made.tensors[index];
        let rows = range.start / tensor.row_bytes..range.end.div_ceil(tensor.row_bytes);
        let at_once = (ELEMENTS_AT_ONCE / tensor.row_length).max(1);
        let mut row = rows.start;
        while row < rows.end {
            let (first, made) = match self.window_at(index, row) {
                Some(window) => self.converted_window(index, window).await?,
                None => (row, Rc::new(self.rows(tensor, row..rows.end.min(row + at_once)).await?)),
            };
            let start = first * tensor.row_bytes;
            let end = start + made.len() as u64;
            let part = range.start.max(start)..range.end.min(end);
            let part_of_made = (part.start - start) as usize..(part.end - start) as usize;
            target.set(place + part.start - range.start, &made[part_of_made])?;
            row = end / tensor.row_bytes;
        }
        Ok(())
    }

    /// The rows that are computed together with a row, if they are columns of a stored matrix.
    fn window_at(&self, index: usize, row: u64) -> Option<Range<u64>> {
        let tensor = &self.0.made.tensors[index];
        let Content::Values(values) = &tensor.content else { return None };
        values.window(tensor.row_length, row, TRANSPOSED_ELEMENTS)
    }

    /// The converted rows of a window, with the first of them. The last window is kept: the file is read piece by piece.
    async fn converted_window(&self, index: usize, rows: Range<u64>) -> Result<(u64, Rc<Vec<u8>>)> {
        let _place = self.0.windows.wait().await;
        if let Some(window) = &*self.0.window.borrow()
            && (window.tensor, &window.rows) == (index, &rows)
        {
            return Ok((rows.start, window.bytes.clone()));
        }
        // The memory of the old window is free before the new one is computed.
        self.0.window.take();
        let tensor = &self.0.made.tensors[index];
        let Content::Values(values) = &tensor.content else {
            return Ok((rows.start, Rc::new(self.rows(tensor, rows).await?)));
        };
        let count = rows.end - rows.start;
        let elements = values.rows(&self.0.inputs, tensor.row_length, rows.start, count).await?;
        let mut bytes = zeros(count * tensor.row_bytes)?;
        self.quantizer(tensor.ggml_type)?.quantize(&elements, tensor.row_length as usize, None, &mut bytes)?;
        let bytes = Rc::new(bytes);
        self.0.window.replace(Some(Window { tensor: index, rows: rows.clone(), bytes: bytes.clone() }));
        Ok((rows.start, bytes))
    }
}

impl<S: Source> Clone for ConvertedFile<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Source> Source for ConvertedFile<S> {
    type Buffer = S::Buffer;
    type Host = S::Host;

    fn size(&self) -> Option<u64> {
        Some(self.0.made.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<S::Buffer> {
        let made = &self.0.made;
        let range = made.cut(range);
        let mut target = made.begin::<S::Buffer>(&range)?;
        for Part { index, data, place, .. } in made.parts(&range) {
            self.read_tensor(index, data, &mut target, place).await?;
        }
        Ok(target.finish())
    }

    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        (Rc::as_ptr(&self.0).addr(), range.start)
    }
}
