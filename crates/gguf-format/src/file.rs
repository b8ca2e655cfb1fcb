//! A GGUF file in the file system, for programs that wait for their reads.

use alloc::{rc::Rc, sync::Arc, vec::Vec};
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::edit::Edit;
use crate::error::{Error, ErrorCode, Result, error};
use crate::format::header::{Header, TensorInfo};
use crate::io::{FileSource, HeaderReader, Source, block_on};
use crate::limits::Limits;
use crate::tensor::opened_file::OpenedFile;
use crate::tensor::statistics::Summary;
use crate::write::planned_file::PlannedFile;

/// The bytes that are written at once.
const BYTES_AT_ONCE: u64 = 1 << 20;

/// The number of files that the program has begun to write.
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

/// A GGUF file in the file system. Its header is in memory. Everything else is read when it is needed.
///
/// Several threads can read one `File`.
///
/// # Examples
///
/// ```
/// use gguf_format::File;
///
/// # let path = std::env::temp_dir().join(format!("gguf-format-file-{}.gguf", std::process::id()));
/// # std::fs::write(&path, gguf_format::example_file()).unwrap();
/// let file = File::open(&path)?;
/// for tensor in file.header().tensors() {
///     println!("{} {} {:?}", tensor.name(), tensor.ggml_type(), tensor.dimensions());
/// }
///
/// let tensor = file.header().tensor("output.weight").unwrap();
/// let row = file.dequantize(&tensor, 0..tensor.dimensions()[0])?;
/// assert_eq!(row.len(), 32);
///
/// let mut edit = file.edit();
/// edit.set("general.name", &"My model".into())?;
/// # let new = path.with_extension("new.gguf");
/// file.write_to(&edit, &new)?;
/// # assert_eq!(File::open(&new)?.header().name().unwrap(), "My model");
/// # [&path, &new].iter().for_each(|path| std::fs::remove_file(path).unwrap());
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct File {
    path: PathBuf,
    source: Arc<FileSource>,
    header: Arc<Header>,
}

impl File {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// `read-failed` if the file cannot be read, and the reason why the header cannot be decoded.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        let source = FileSource::open(&path)?;
        let mut header = HeaderReader::new(Limits::default(), None);
        block_on(header.read(&source))?;
        Ok(Self { path, source: Arc::new(source), header: Arc::new(header.into_header()?) })
    }

    /// The path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of the file in bytes, as functions take it that also work where the size is not known.
    pub fn size(&self) -> Option<u64> {
        self.source.size()
    }

    /// The header: the metadata, and the list of tensors.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Reads the bytes of a tensor as they are stored.
    ///
    /// # Errors
    ///
    /// `unexpected-eof` if the file ends before the data, `unknown-type` if the size of the data is not known, `read-failed`.
    pub fn read(&self, tensor: &TensorInfo<'_>) -> Result<Vec<u8>> {
        self.source.read_at(self.opened().extent(tensor)?)
    }

    /// Reads elements of a tensor as `f32`s, with the bits that ggml's C code computes. A row has `dimensions()[0]` elements.
    ///
    /// # Errors
    ///
    /// `out-of-range` if the tensor lacks some of the elements, `unknown-type`, `unexpected-eof`, `read-failed`, and `too-large` if the
    /// memory cannot be allocated.
    pub fn dequantize(&self, tensor: &TensorInfo<'_>, elements: Range<u64>) -> Result<Vec<f32>> {
        block_on(self.opened().read_f32(tensor, elements))
    }

    /// Reads a tensor and counts its numbers: the least, the greatest, the mean, and the distribution.
    ///
    /// # Errors
    ///
    /// Those of [`dequantize`](Self::dequantize).
    pub fn statistics(&self, tensor: &TensorInfo<'_>) -> Result<Summary> {
        block_on(self.opened().statistics(tensor, None))
    }

    /// An edit of the header, without changes.
    pub fn edit(&self) -> Edit {
        Edit::new(self.header.clone())
    }

    /// Writes the edited file to a path. The new file appears when it is complete, and replaces a file that is there. This file can be
    /// replaced, too.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if the edit is not one of this file, `write-failed`, `read-failed`, and those of [`Edit::plan`].
    pub fn write_to(&self, edit: &Edit, path: impl AsRef<Path>) -> Result<()> {
        if !Arc::ptr_eq(edit.header(), &self.header) {
            return Err(
                error!(InvalidArgument: "the edit has another header than this file: make the edit with File::edit"),
            );
        }
        let path = path.as_ref();
        let planned = PlannedFile::new(vec![Rc::new(self.opened())], edit.plan(self.size())?);
        let failed = |cause: std::io::Error| {
            let message = format!("{} could not be written: {cause}. Choose another path.", path.display());
            Error::new(ErrorCode::WriteFailed, message).caused_by(Arc::new(cause))
        };
        let name = path.file_name().ok_or_else(|| failed(std::io::ErrorKind::InvalidFilename.into()))?;
        // No other thread or process writes to a file of this name.
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let partial = format!(".{}.{}-{number}.part", name.to_string_lossy(), std::process::id());
        let partial = path.with_file_name(partial);
        let written = write(&planned, &partial, &failed).and_then(|()| std::fs::rename(&partial, path).map_err(failed));
        if written.is_err() {
            // The first error is the reason. That of removing says nothing more.
            _ = std::fs::remove_file(&partial);
        }
        written
    }

    fn opened(&self) -> OpenedFile<Arc<FileSource>> {
        OpenedFile::new(self.header.clone(), self.source.clone())
    }
}

/// Writes a planned file to a new file.
fn write(planned: &PlannedFile<Arc<FileSource>>, path: &Path, failed: &impl Fn(std::io::Error) -> Error) -> Result<()> {
    let mut file = std::fs::File::create(path).map_err(failed)?;
    let size = planned.plan().size();
    let mut position = 0;
    while position < size {
        let end = size.min(position + BYTES_AT_ONCE);
        let bytes = block_on(planned.read(position..end))?;
        file.write_all(bytes.as_slice()).map_err(failed)?;
        position = end;
    }
    file.sync_all().map_err(failed)
}
