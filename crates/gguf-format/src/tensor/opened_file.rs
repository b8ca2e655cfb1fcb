//! An opened file: its header, and the means to read its data.

use alloc::{rc::Rc, sync::Arc};
use core::cell::OnceCell;
use core::ops::Range;

use super::blocks::{self, Blocks};
use super::converter::{Converter, NumberFormat};
use super::extents::{Extents, TensorExtent};
use super::unit::Unit;
use crate::error::{Result, no_memory};
use crate::format::header::{Header, TensorInfo};
use crate::io::{HeaderReader, Host, RangeReader, Source};
use crate::limits::Limits;

/// An opened file: its header, and the means to read its data.
///
/// # Examples
///
/// ```
/// use gguf_format::{Limits, OpenedFile, io::{FileSource, block_on}};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-opened-file.gguf");
/// # let file = gguf_format::example_file();
/// # std::fs::write(&path, &file).unwrap();
/// let opened = block_on(OpenedFile::open(FileSource::open(&path)?, Limits::default()))?;
/// let tensor = opened.header().tensor("output.weight").unwrap();
/// let summary = block_on(opened.statistics(&tensor, None))?;
/// assert_eq!(summary.count, 64);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub struct OpenedFile<S: Source> {
    header: Arc<Header>,
    reader: Rc<RangeReader<S>>,
    /// The size of the file when it was opened: bytes of a caller can shrink later.
    size_at_opening: Option<u64>,
    extents: OnceCell<Extents>,
}

impl<S: Source> OpenedFile<S> {
    /// A file whose header is known.
    pub fn new(header: Arc<Header>, source: S) -> Self {
        let size_at_opening = source.size();
        Self { header, reader: RangeReader::new(source), size_at_opening, extents: OnceCell::new() }
    }

    /// Opens a file by reading its header.
    ///
    /// # Errors
    ///
    /// The reason why the header cannot be decoded. Errors of the source are passed on.
    pub async fn open(source: S, limits: Limits) -> Result<Self> {
        let mut reader = HeaderReader::new(limits, None);
        reader.read(&source).await?;
        Ok(Self::new(Arc::new(reader.into_header()?), source))
    }

    /// The header.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Reads ranges of the file.
    pub fn reader(&self) -> &Rc<RangeReader<S>> {
        &self.reader
    }

    /// The size of the file in bytes, if it is known by now.
    pub fn file_size(&self) -> Option<u64> {
        self.size_at_opening.or_else(|| self.reader.source().size())
    }

    /// The bits of tensor data for each element, on average over all tensors. If the size of a tensor is not known, the rest of the
    /// file after the header counts. `None` if there are no elements, or if the size of the file is not known, either.
    pub fn bits_per_weight(&self) -> Option<f64> {
        self.header.bits_per_weight().or_else(|| {
            let elements = self.header.parameter_count();
            let bytes = self.file_size()?.checked_sub(self.header.data_offset())?;
            (elements > 0).then(|| bytes as f64 * 8.0 / elements as f64)
        })
    }

    /// Where the data of a tensor lies, also if the file ends before it. `None` if it is not known, or if it ends at 2^53 or beyond.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the extents cannot be allocated.
    pub fn extent_of(&self, tensor: &TensorInfo<'_>) -> Result<Option<TensorExtent>> {
        Ok(self.extents()?.described(tensor, self.file_size()))
    }

    /// Where the data of each tensor lies.
    #[doc(hidden)]
    pub fn extents(&self) -> Result<&Extents> {
        if let Some(extents) = self.extents.get() {
            return Ok(extents);
        }
        let extents = Extents::new(&self.header).map_err(no_memory)?;
        Ok(self.extents.get_or_init(|| extents))
    }

    /// The range of the file with all bytes of a tensor, even if its blocks are not known.
    #[doc(hidden)]
    pub fn extent(&self, tensor: &TensorInfo<'_>) -> Result<Range<u64>> {
        blocks::extent(&self.header, self.extents()?, tensor, self.file_size())
    }

    /// The range of the file with the whole blocks that hold some elements.
    #[doc(hidden)]
    pub fn blocks(&self, tensor: &TensorInfo<'_>, blocks: &Blocks, elements: &Range<u64>) -> Result<Range<u64>> {
        blocks.bytes(&self.header, tensor, elements, self.file_size())
    }

    /// Converts units of a tensor to numbers.
    #[doc(hidden)]
    pub async fn converter(&self, unit: Unit, format: NumberFormat) -> Result<Converter> {
        if unit.info.owner.is_some() {
            S::Host::load_foreign().await?;
        }
        Converter::new::<S::Host>(unit, self.header.format().endian, format)
    }

    /// Asks for the size of the file, if the extent of a tensor may depend on it.
    #[doc(hidden)]
    pub async fn learn_size_for(&self, tensor: &TensorInfo<'_>) -> Result<()> {
        match self.file_size().is_none() && tensor.byte_length().is_none() {
            true => self.reader.source().learn_size(self.header.data_offset()).await,
            false => Ok(()),
        }
    }

    /// Asks for the size of the file, if it is not known.
    #[doc(hidden)]
    pub async fn learn_size(&self) -> Result<()> {
        match self.file_size() {
            None => self.reader.source().learn_size(self.header.header_size() - 1).await,
            Some(_) => Ok(()),
        }
    }
}
