//! Importance matrices: how much errors in each column of a matrix count, as `llama-imatrix` measures it.
//!
//! There are two forms: `gguf_imatrix` and `legacy_imatrix`.
//!
//! A matrix of a large model with experts has more than a gigabyte. So only the index is kept in memory, and the numbers of a
//! matrix are read again when it is converted.

use alloc::{boxed::Box, collections::BTreeMap, string::String, vec::Vec};
use core::fmt;
use core::future::Future;
use core::ops::Range;
use core::pin::Pin;

use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// An importance matrix.
///
/// # Examples
///
/// ```
/// use gguf_convert::requantize::Imatrix;
/// use gguf_format::io::{FileSource, block_on};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-imatrix.dat");
/// # let mut file = Vec::new();
/// # for number in [1_i32, 1] { file.extend(number.to_le_bytes()) }
/// # file.push(b'a');
/// # for number in [2_i32, 1] { file.extend(number.to_le_bytes()) }
/// # file.extend(8_f32.to_le_bytes());
/// # std::fs::write(&path, &file).unwrap();
/// let imatrix = block_on(Imatrix::open(FileSource::open(&path)?, "model.imatrix"))?;
/// assert_eq!(block_on(imatrix.values(b"a", 0..1))?, [4.0]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub struct Imatrix {
    pub(super) file_name: String,
    pub(super) entries: BTreeMap<Vec<u8>, ImatrixEntry>,
    pub(super) datasets: Vec<String>,
    pub(super) chunk_count: Option<u32>,
    pub(super) sums: Box<dyn Sums>,
}

/// What is known of the columns of a tensor.
#[derive(Clone, Debug)]
pub struct ImatrixEntry {
    /// The number of values: one for each column of each expert.
    pub(super) value_count: u64,
    /// Where the sums are: the position of a tensor, or of bytes in the older form.
    pub(super) place: u64,
    /// The divisor of each expert's sums: how many activations were added. For a divisor of 0, all values are 1.
    pub(super) counts: Counts,
    /// The offset in the file of the first value that is not finite.
    pub(super) broken_at: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) enum Counts {
    OfExperts(Vec<f32>),
    /// One divisor, which is ignored if it is 0 or less.
    OfCalls(i32),
}

impl ImatrixEntry {
    /// The number of values: one for each column of each expert.
    pub fn value_count(&self) -> u64 {
        self.value_count
    }

    /// Turns sums into values. `first` is the position of the first sum.
    fn normalise(&self, first: u64, sums: &mut [f32]) {
        match &self.counts {
            Counts::OfCalls(calls) if *calls > 0 => sums.iter_mut().for_each(|sum| *sum /= *calls as f32),
            Counts::OfCalls(_) => {}
            Counts::OfExperts(counts) => {
                let columns = self.value_count / counts.len() as u64;
                for (position, sum) in (first..).zip(sums) {
                    let count = counts[(position / columns) as usize];
                    *sum = if count > 0.0 { *sum / count } else { 1.0 };
                }
            }
        }
    }
}

/// The sums of the entries, which are read when they are needed.
pub(super) trait Sums {
    /// Reads the sums at some positions of an entry.
    fn read<'a>(&'a self, entry: &'a ImatrixEntry, range: Range<u64>) -> ReadSums<'a>;
}

pub(super) type ReadSums<'a> = Pin<Box<dyn Future<Output = Result<Vec<f32>>> + 'a>>;

impl Imatrix {
    /// The name of the file.
    pub fn file_name(&self) -> &str {
        &self.file_name
    }

    /// The names of the tensors with values, in byte order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.entries.keys().map(Vec::as_slice)
    }

    /// What is known of the columns of a tensor.
    pub fn entry(&self, name: &[u8]) -> Option<&ImatrixEntry> {
        self.entries.get(name)
    }

    /// The names of the texts that were measured with.
    pub fn datasets(&self) -> &[String] {
        &self.datasets
    }

    /// The number of chunks of text. `None` if the file does not say it.
    pub fn chunk_count(&self) -> Option<u32> {
        self.chunk_count
    }

    /// The values of a tensor at some positions: how much errors in these columns count.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`, `out-of-range`, `bad-imatrix` if the values are not finite. Errors of the source are passed on.
    pub async fn values(&self, name: &[u8], range: Range<u64>) -> Result<Vec<f32>> {
        let Some(entry) = self.entry(name) else {
            return Err(error!(UnknownTensor:
                "the importance matrix has no tensor \"{}\"", Shown(name)));
        };
        self.check_finite(name)?;
        if range.start > range.end || range.end > entry.value_count {
            return Err(error!(OutOfRange:
                "the importance matrix has {} values for tensor \"{}\", which have no positions {range:?}",
                entry.value_count, Shown(name)));
        }
        let mut values = self.sums.read(entry, range.clone()).await?;
        entry.normalise(range.start, &mut values);
        Ok(values)
    }

    /// Checks that the values of a tensor are finite.
    pub(super) fn check_finite(&self, name: &[u8]) -> Result<()> {
        match self.entry(name).and_then(|entry| entry.broken_at) {
            Some(offset) => Err(wrong(&format!("a value of tensor \"{}\" is not finite", Shown(name)), offset)),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Imatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Imatrix").field("file_name", &self.file_name).field("entries", &self.entries.len()).finish()
    }
}

/// The error of an importance matrix that cannot be used.
#[cold]
pub(super) fn wrong(problem: &str, offset: u64) -> Error {
    error!(BadImatrix:
        "the importance matrix cannot be used: {problem} (at offset {offset:#x}). Use a file that llama-imatrix has written")
    .at(offset)
}
