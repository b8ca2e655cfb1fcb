//! Reading the data of one tensor: in parts, the next of which are in flight while one is processed.

use alloc::{rc::Rc, vec::Vec};
use core::ops::Range;

use super::blocks::{Blocks, unknown_blocks};
use super::converter::{Chunk, NumberFormat};
use super::opened_file::OpenedFile;
use crate::error::{Result, no_memory};
use crate::format::header::TensorInfo;
use crate::io::{Buffer, Merge, OnProgress, RangeReader, ReadProgress, Source, Turns, Window, WindowLimits};

/// Bytes of numbers that are read at once.
const BYTES_AT_ONCE: u64 = 4 << 20;

/// How much longer converting a byte takes than comparing it.
const WORK_PER_BYTE: u64 = 2;

/// Splits a range into parts of `size` bytes. The last part may be shorter.
#[doc(hidden)]
pub fn split(range: Range<u64>, size: u64) -> impl Iterator<Item = Range<u64>> {
    let mut start = range.start;
    core::iter::from_fn(move || {
        let part = start..range.end.min(start.saturating_add(size));
        start = part.end;
        (!part.is_empty()).then_some(part)
    })
}

/// Reads parts of a file, `total_bytes` in all, and passes them to `process` in order, each with its position in the file.
///
/// If there are several parts, no other bytes are read. A single part may be read together with ranges that other callers
/// request.
pub(crate) async fn process_parts<S: Source>(
    reader: &Rc<RangeReader<S>>,
    parts: &mut dyn Iterator<Item = Range<u64>>,
    total_bytes: u64,
    process: &mut dyn FnMut(u64, &S::Buffer) -> Result<()>,
    on_progress: Option<OnProgress<'_>>,
) -> Result<()> {
    let mut window = Window::new(WindowLimits::FEW);
    let mut turns = Turns::<S::Host>::new();
    let mut bytes_read = 0;
    loop {
        window.fill(|| {
            let part = parts.next()?;
            let length = part.end - part.start;
            let merge = if length == total_bytes { Merge::Close } else { Merge::Never };
            Some(((part.start, reader.request(part, merge)), length))
        });
        let Some((position, requested)) = window.pop() else { return Ok(()) };
        let blocks = requested.bytes().await?;
        process(position, &blocks)?;
        bytes_read += blocks.len();
        if let Some(on_progress) = on_progress {
            on_progress(ReadProgress { bytes_read, total_bytes })?;
        }
        turns.count(WORK_PER_BYTE * blocks.len()).await;
    }
}

impl<S: Source> OpenedFile<S> {
    /// Reads the data of a tensor as stored: the whole blocks that hold some elements, or with `None` all of it. A tensor of
    /// unknown type can only be read as a whole.
    ///
    /// # Errors
    ///
    /// `out-of-range`, `unknown-type`, `unexpected-eof`, `size-unknown`. Errors of the source are passed on.
    pub async fn read_stored(&self, tensor: &TensorInfo<'_>, elements: Option<Range<u64>>) -> Result<S::Buffer> {
        self.learn_size_for(tensor).await?;
        let range = match (Blocks::if_known(self.header(), tensor)?, elements) {
            (Some(blocks), elements) => {
                let elements = elements.unwrap_or(0..blocks.element_count);
                blocks.check(tensor, &elements)?;
                self.blocks(tensor, &blocks, &elements)?
            }
            (None, Some(_)) => return Err(unknown_blocks(tensor)),
            (None, None) => self.extent(tensor)?,
        };
        match range.is_empty() {
            true => S::Buffer::joined(0, core::iter::empty()),
            false => self.reader().request(range, Merge::Close).bytes().await,
        }
    }

    /// Reads elements of a tensor as numbers. They are passed to `take` in order, in chunks, each with the number of elements
    /// before it.
    ///
    /// # Errors
    ///
    /// `out-of-range`, `unknown-type`, `unexpected-eof`, `invalid-argument` if the type cannot be read in this format, or what
    /// reading the source fails with.
    pub async fn read_numbers(
        &self,
        tensor: &TensorInfo<'_>,
        elements: Range<u64>,
        format: NumberFormat,
        take: &mut dyn FnMut(u64, Chunk<'_>),
    ) -> Result<()> {
        let blocks = Blocks::of(self.header(), tensor)?;
        blocks.check(tensor, &elements)?;
        let range = self.blocks(tensor, &blocks, &elements)?;
        let mut converter = self.converter(blocks.unit, format).await?;
        let total_bytes = range.end - range.start;
        let mut process =
            |position, bytes: &S::Buffer| converter.select(bytes, blocks.element_at(position), &elements, take);
        let mut parts = split(range, blocks.round_up(BYTES_AT_ONCE));
        process_parts(self.reader(), &mut parts, total_bytes, &mut process, None).await
    }

    /// Reads elements of a tensor as `f32`s, with the bits that ggml's C code computes.
    ///
    /// # Errors
    ///
    /// As [`read_numbers`](Self::read_numbers), and `too-large` if the memory cannot be allocated.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::{Limits, OpenedFile, io::{FileSource, block_on}};
    ///
    /// # let path = std::env::temp_dir().join("gguf-wasm-read-f32.gguf");
    /// # let file = gguf_format::example_file();
    /// # std::fs::write(&path, &file).unwrap();
    /// let opened = block_on(OpenedFile::open(FileSource::open(&path)?, Limits::default()))?;
    /// let tensor = opened.header().tensor("output.weight").unwrap();
    /// let row = block_on(opened.read_f32(&tensor, 0..32))?;
    /// assert_eq!(row, [0.0; 32]);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), gguf_format::Error>(())
    /// ```
    pub async fn read_f32(&self, tensor: &TensorInfo<'_>, elements: Range<u64>) -> Result<Vec<f32>> {
        let count = elements.end.saturating_sub(elements.start);
        let mut numbers = Vec::new();
        let size = usize::try_from(count).map_err(|_| no_memory(count))?;
        numbers.try_reserve_exact(size).map_err(|_| no_memory(4 * count))?;
        let mut take = |_, chunk: Chunk<'_>| {
            if let Chunk::Floats(floats) = chunk {
                numbers.extend_from_slice(floats);
            }
        };
        self.read_numbers(tensor, elements, NumberFormat::Float32, &mut take).await?;
        Ok(numbers)
    }
}
