//! Comparing two opened models.

use super::comparison::{Comparison, DataCoverage, HeaderComparing};
use super::data::{CompareReports, compare_data};
use gguf_format::error::{Result, error};
use gguf_format::io::{Source, Turns};
use gguf_format::tensor::opened_file::OpenedFile;

/// Entries or tensors that are looked at before the event loop can get a turn.
const ITEMS_AT_ONCE: usize = 20_000;

/// The work of looking at them: a few milliseconds.
const WORK_PER_STEP: u64 = 13 << 20;

/// What is compared of two models besides their headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareOptions {
    /// Whether the data of the tensors is compared.
    pub data: bool,
    /// Whether the numbers of the tensors are compared too, also between different types.
    pub values: bool,
    /// The most bytes of tensor data that are read of both models together.
    pub max_bytes: Option<u64>,
}

impl Default for CompareOptions {
    /// All data is compared, but no numbers.
    fn default() -> Self {
        Self { data: true, values: false, max_bytes: None }
    }
}

/// Compares two models: their metadata, their tensors, and the data of the tensors.
///
/// The data of tensors with the same name and the same type is read once and compared byte by byte, up to the first difference.
/// Data that both models read from the same place of the same file is not read.
///
/// # Errors
///
/// `invalid-argument` if values are to be compared without data, `too-large` if memory cannot be allocated, or what reading a
/// source fails with.
///
/// # Examples
///
/// ```
/// use gguf_files::compare::{CompareOptions, CompareReports, compare};
/// use gguf_format::{Limits, OpenedFile, io::{FileSource, block_on}};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-compare.gguf");
/// # let file = gguf_format::example_file();
/// # std::fs::write(&path, &file).unwrap();
/// let a = block_on(OpenedFile::open(FileSource::open(&path)?, Limits::default()))?;
/// let b = block_on(OpenedFile::open(FileSource::open(&path)?, Limits::default()))?;
/// let options = CompareOptions { data: true, values: false, max_bytes: None };
/// assert!(block_on(compare(&a, &b, options, CompareReports::default()))?.is_equal());
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub async fn compare<S: Source>(
    a: &OpenedFile<S>,
    b: &OpenedFile<S>,
    options: CompareOptions,
    reports: CompareReports<'_>,
) -> Result<Comparison> {
    let CompareOptions { data, values, max_bytes } = options;
    if values && !data {
        return Err(error!(InvalidArgument:
            "options.values is true and options.data is false, but values are data: leave out one of them"));
    }
    let mut turns = Turns::<S::Host>::new();
    let mut comparing = HeaderComparing::new(a.header(), b.header())?;
    while !comparing.advance(ITEMS_AT_ONCE)? {
        turns.count(WORK_PER_STEP).await;
    }
    let coverage = match comparing.tensors().filter(|_| data) {
        Some(tensors) => compare_data([a, b], tensors, values, max_bytes, reports).await?,
        None => DataCoverage::None,
    };
    Ok(comparing.finish(coverage))
}
